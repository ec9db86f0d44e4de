import { describePlace, SaverError } from "../errors.js";
import { givenThreadId, invalid, readDelay, readOptions } from "../saver/config.js";
import { withFence } from "../saver/fences.js";
import type { StoreSaver } from "../saver/store-saver.js";
import { givenStoreSaver } from "./given-saver.js";
import { Lease } from "./lease.js";

/** Options of `withThreadLease`. */
export interface ThreadLeaseOptions {
  /**
   * How long the lease outlives its holder, should that die. It is renewed every third of that while the work goes on; a
   * holder that does not get to it, since the process was paused or busy for so long, has lost it. From 100 ms to 24
   * days; default 30 s.
   */
  ttlMs?: number;
  /** How long to wait while someone else holds it. Default 0: `LEASE_HELD` at once. */
  waitMs?: number;
  /** Ends the waiting. */
  signal?: AbortSignal;
}

/** What the work under a lease is given. */
export interface ThreadLease {
  /** Greater than those of all earlier holders: for resources that check it themselves. */
  token: number;
  /** Aborted when the lease is lost: pass it to `graph.invoke`. */
  signal: AbortSignal;
}

const DEFAULT_TTL_MS = 30_000;

/**
 * Runs `work` while no one else, in any process, runs under a lease on the same thread. Whatever it puts to the thread
 * through this saver is stored only while the lease is held: a holder that was paused and lost it gets `LEASE_LOST`.
 *
 * @example
 * await withThreadLease(saver, "ada", ({ signal }) => graph.invoke(input, { configurable: { thread_id: "ada" }, signal }));
 */
export async function withThreadLease<T>(
  saver: StoreSaver,
  threadId: string,
  work: (lease: ThreadLease) => Promise<T> | T,
  options?: ThreadLeaseOptions,
): Promise<T> {
  const id = givenThreadId("withThreadLease", threadId);
  const { ttlMs = DEFAULT_TTL_MS, waitMs = 0, signal } = readOptions("withThreadLease", options);
  readDelay("withThreadLease", "ttlMs", ttlMs, 100);
  if (typeof waitMs !== "number" || !(waitMs >= 0))
    throw invalid("withThreadLease", "`waitMs` must be a number of milliseconds, 0 or more");
  if (typeof work !== "function") throw invalid("withThreadLease", "the work must be a function");
  const { store } = givenStoreSaver("withThreadLease", saver);
  await saver.ping();
  const lease = await Lease.acquire(store, id, { purpose: "lease", ttlMs, waitMs, signal });
  if (lease === undefined) throw leaseHeld(id, waitMs);
  const fence = {
    store,
    threadId: id,
    ...lease.fence,
    isOver: () => lease.isOver,
    stopped: () => lease.lostError(),
  };
  let result: T;
  try {
    result = await withFence(fence, () => work({ token: lease.token, signal: lease.signal }));
  } catch (error) {
    // What the work failed of matters more; a lease that is not given back ends by itself.
    await lease.release().catch(() => false);
    throw error;
  }
  const lost = lease.isOver;
  // What was done under it stays done, also where it cannot be given back now.
  const held = await lease.release().catch(() => true);
  if (!held || lost) throw lease.lostError();
  return result;
}

function leaseHeld(threadId: string, waitMs: number): SaverError {
  const waited = waitMs === 0 ? "" : `, and did so for the ${waitMs} ms that were waited`;
  return new SaverError(
    "LEASE_HELD",
    `Someone else holds the lease${waited} (${describePlace({ threadId })}). Try again later, or pass a longer \`waitMs\`.`,
    { threadId },
  );
}
