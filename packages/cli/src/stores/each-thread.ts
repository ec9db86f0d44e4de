import type { Io } from "../command/io.js";
import { progress } from "../render/progress.js";
import type { OpenStore, ThreadRow } from "./store.js";

/** A store in a network answers so many questions in the time of one. */
const AT_ONCE = 8;

/** The threads of a store, counted for whoever waits: some stores read all of a table to find them. */
export async function listThreads(
  store: OpenStore,
  { prefix }: { prefix: string | undefined },
  io: Io,
): Promise<ThreadRow[]> {
  const rows: ThreadRow[] = [];
  const bar = progress(io.err, "threads");
  try {
    for await (const row of store.threads(prefix === undefined ? {} : { prefix })) {
      rows.push(row);
      bar.update(rows.length, undefined, "listed");
    }
  } finally {
    bar.end();
  }
  return rows;
}

/** Does the same with each thread, some at a time, and shows how far it has come. The first failure ends it. */
export async function eachThread<Thread extends { threadId: string }>(
  threads: readonly Thread[],
  io: Io,
  work: (thread: Thread) => Promise<void>,
): Promise<void> {
  const bar = progress(io.err, "threads");
  const waiting = threads.values();
  let done = 0;
  let isFailed = false;
  const worker = async (): Promise<void> => {
    for (const thread of waiting) {
      if (isFailed) return;
      await work(thread);
      bar.update((done += 1), threads.length, thread.threadId);
    }
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    worker().catch((error: unknown) => {
      isFailed = true;
      throw error;
    }),
  );
  // Nobody is left at work on a store that is about to be closed.
  const outcomes = await Promise.allSettled(workers);
  bar.end();
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
