import { setTimeout } from "node:timers/promises";

import { isSaverError, SaverError } from "../errors.js";
import { invalid, readDelay, readFlag, readFunction, readOptions } from "../saver/config.js";
import type { StoreSaver } from "../saver/store-saver.js";
import { GRACE_MS } from "../store/grace.js";
import type { ThreadInfo } from "../threads/list-threads.js";
import { isOfOneThread } from "../threads/parts.js";
import type { PrunePolicy } from "../threads/prune/policy.js";
import type { ThreadPruneReport } from "../threads/prune/prune.js";
import { givenStoreSaver } from "./given-saver.js";
import { Lease } from "./lease.js";

/** What `withRetention` keeps, and how often it looks. */
export interface RetentionPolicy {
  /** Checkpoints older than this many milliseconds go; the newest of each namespace stays. */
  maxAgeMs?: number;
  /** At most this many checkpoints stay in each namespace of a thread, beside those that another rule keeps. */
  maxCheckpoints?: number;
  /** Threads in which nothing was put for this many milliseconds are deleted whole, also those with an open interrupt. */
  idleThreadMs?: number;
  /** Keep the newest finished checkpoint of each namespace. Default false. */
  keepFinished?: boolean;
  /** Keep checkpoints with an interrupt that nobody has answered yet. Default true. */
  keepInterrupted?: boolean;
  /** From the end of a sweep to the next one, and to the first. At most 12 days; default 10 minutes. */
  intervalMs?: number;
  /** Each pause is longer or shorter by up to this part of it, so that processes do not sweep in step. Default 0.1. */
  jitter?: number;
  /** Called with what became of a thread, each time that there was something to prune. */
  onThread?: (report: ThreadPruneReport) => void;
  /** Called after each sweep. */
  onSweep?: (report: SweepReport) => void;
  /**
   * Called when a sweep fails, and the next one is tried all the same, unless the saver was closed; or when a thread
   * cannot be read, and the sweep goes on with the next. Default: a warning of the process. What it throws is ignored.
   */
  onError?: (error: unknown) => void;
}

/** What a sweep of `withRetention` removed. */
export interface SweepReport {
  /** False: another process is sweeping the same store, and this one left it to that. */
  swept: boolean;
  /** Threads that were looked at. */
  threads: number;
  deletedThreads: number;
  deletedCheckpoints: number;
  bytes: number;
}

/** A sweep that goes on in the background. */
export interface Retention extends AsyncDisposable {
  /** Sweeps now, or waits for the sweep in hand. Refused once it was stopped. */
  sweep(): Promise<SweepReport>;
  /**
   * Ends it, and waits until the sweep in hand has: that one finishes the thread that it is at, and leaves the rest to
   * the next. Idempotent.
   */
  stop(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 10 * 60_000;
/** Half of what a timer can take: jitter may double it. */
const LONGEST_INTERVAL_MS = 2 ** 30 - 1;
/** Whose registers the lease of sweepers is in; a thread of that id has nothing to do with it. */
const SWEEPER = "langgraph-savers";
const SWEEP_LEASE_MS = 60_000;

/**
 * Keeps a store small: prunes all of its threads by a policy, again and again, beside running graphs. Of several processes
 * one sweeps at a time. Never keeps the process alive.
 *
 * @example
 * const retention = withRetention(saver, { maxCheckpoints: 50, idleThreadMs: 30 * 24 * 3600_000 });
 */
export function withRetention(saver: StoreSaver, policy: RetentionPolicy): Retention {
  givenStoreSaver("withRetention", saver);
  const rules = readRules(policy);
  const { intervalMs = DEFAULT_INTERVAL_MS, jitter = 0.1, onError = warn } = policy;
  readDelay("withRetention", "intervalMs", intervalMs, 1, LONGEST_INTERVAL_MS);
  if (!(typeof jitter === "number" && jitter >= 0 && jitter <= 1))
    throw invalid("withRetention", "`jitter` must be a number from 0 to 1");
  for (const name of ["onThread", "onSweep", "onError"] as const)
    readFunction("withRetention", name, policy[name]);
  const stopped = new AbortController();
  let sweeping: Promise<SweepReport> | undefined;

  const sweep = async (): Promise<SweepReport> => {
    if (stopped.signal.aborted) throw new SaverError("SAVER_CLOSED", "The retention was stopped.");
    sweeping ??= sweepOnce(saver, rules, policy, stopped.signal).finally(() => {
      sweeping = undefined;
    });
    return sweeping;
  };
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        const pause = intervalMs * (1 + jitter * (2 * Math.random() - 1));
        await setTimeout(pause, undefined, { ref: false, signal: stopped.signal });
        await sweep();
      } catch (error) {
        if (stopped.signal.aborted) return;
        tell(onError, error);
        // It does not open again.
        if (isSaverError(error) && error.code === "SAVER_CLOSED") return;
      }
    }
  };
  const running = loop();
  const stop = async (): Promise<void> => {
    stopped.abort();
    await running;
    await sweeping?.catch(() => {});
  };
  return { sweep, stop, [Symbol.asyncDispose]: stop };
}

async function sweepOnce(
  saver: StoreSaver,
  rules: readonly Rule[],
  { onThread, onSweep, onError = warn }: RetentionPolicy,
  stopped: AbortSignal,
): Promise<SweepReport> {
  const report: SweepReport = {
    swept: false,
    threads: 0,
    deletedThreads: 0,
    deletedCheckpoints: 0,
    bytes: 0,
  };
  await saver.ping();
  const terms = { purpose: "sweep", ttlMs: SWEEP_LEASE_MS, waitMs: 0 };
  const lease = await Lease.acquire(saver.store, SWEEPER, terms);
  if (lease === undefined) return report;
  try {
    report.swept = true;
    for await (const info of saver.listThreads()) {
      if (stopped.aborted || lease.isOver) break;
      try {
        await sweepThread(saver, rules, info, report, onThread);
      } catch (error) {
        if (!isOfOneThread(error)) throw error;
        tell(onError, error);
      }
      report.threads += 1;
    }
  } finally {
    // One that is not given back ends by itself.
    await lease.release().catch(() => false);
  }
  onSweep?.(report);
  return report;
}

/** Most threads have nothing to prune, which their summary tells: those are not read. */
async function sweepThread(
  saver: StoreSaver,
  rules: readonly Rule[],
  info: ThreadInfo,
  report: SweepReport,
  onThread: (report: ThreadPruneReport) => void = () => {},
): Promise<void> {
  const { threadId } = info;
  let collected = false;
  for (const { policy, concerns } of rules) {
    if (!concerns(info, Date.now())) continue;
    const [thread] = (await saver.prune([threadId], policy)).threads;
    if (thread === undefined) return;
    report.deletedCheckpoints += thread.deleted.length;
    report.bytes += thread.bytes;
    onThread(thread);
    if (thread.deleted.length > 0 && thread.kept.length === 0) {
      report.deletedThreads += 1;
      return;
    }
    collected ||= policy.strategy !== "delete";
  }
  if (collected) return;
  report.bytes += (await saver.store.collectChunks(threadId, Date.now() - GRACE_MS)).bytes;
}

/** A part of the policy, and whether there can be anything for it to do in a thread. */
interface Rule {
  policy: PrunePolicy;
  concerns: (info: ThreadInfo, now: number) => boolean;
}

/** Idle threads first: what is deleted whole need not be pruned. */
function readRules(policy: RetentionPolicy): Rule[] {
  const { maxAgeMs, maxCheckpoints, idleThreadMs, keepFinished, keepInterrupted } = readOptions(
    "withRetention",
    policy,
  );
  for (const [name, value] of Object.entries({ maxAgeMs, idleThreadMs })) {
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      throw invalid("withRetention", `\`${name}\` must be a number greater than 0`);
  }
  if (maxCheckpoints !== undefined && !(Number.isSafeInteger(maxCheckpoints) && maxCheckpoints > 0))
    throw invalid("withRetention", "`maxCheckpoints` must be a whole number from 1 on");
  const keep = {
    keepFinished: readFlag("withRetention", "keepFinished", keepFinished),
    keepInterrupted: readFlag("withRetention", "keepInterrupted", keepInterrupted ?? true),
  };
  const rules: Rule[] = [];
  if (idleThreadMs !== undefined) {
    rules.push({
      policy: { strategy: "delete", olderThan: idleThreadMs },
      concerns: ({ updatedAt }, now) => updatedAt.getTime() < now - idleThreadMs,
    });
  }
  if (maxAgeMs !== undefined) {
    rules.push({
      policy: { ...keep, olderThan: maxAgeMs },
      // The newest of each namespace stays.
      concerns: ({ createdAt, checkpoints, namespaces }, now) =>
        createdAt.getTime() < now - maxAgeMs && checkpoints > namespaces.length,
    });
  }
  if (maxCheckpoints !== undefined) {
    rules.push({
      policy: { ...keep, keepLast: maxCheckpoints },
      concerns: ({ checkpoints }) => checkpoints > maxCheckpoints,
    });
  }
  if (rules.length === 0)
    throw invalid("withRetention", "give `maxAgeMs`, `maxCheckpoints` or `idleThreadMs`");
  return rules;
}

function tell(onError: (error: unknown) => void, error: unknown): void {
  try {
    onError(error);
  } catch {
    // Nobody waits for the sweeps: what is thrown here would end the process.
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
