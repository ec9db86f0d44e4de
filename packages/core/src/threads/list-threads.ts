import { invalid, readOptions, readString } from "../saver/config.js";
import type { CheckpointStore, ThreadSummary } from "../store/port.js";
import { readTime } from "./at-or-before.js";
import { threadsOf } from "./parts.js";

/** Options of `listThreads`. */
export interface ListThreadsOptions {
  /** Only threads whose id starts with this. */
  prefix?: string;
  /** Only threads with a checkpoint put at this time or later. */
  updatedSince?: Date | number;
  /** Only threads whose id is greater than this: the last one of the page before. */
  after?: string;
  /** At most this many. Default: all. */
  limit?: number;
}

/** A thread, as `listThreads` and `threadInfo` describe it. */
export interface ThreadInfo {
  threadId: string;
  /** When its first checkpoint was put, of those that are still there. */
  createdAt: Date;
  /** When its last one was. */
  updatedAt: Date;
  namespaces: string[];
  checkpoints: number;
  /** Bytes stored for the thread, after compression. */
  bytes: number;
  lastStep: number | undefined;
  lastSource: string | undefined;
}

/** Of the whole store. */
export interface StoreStats {
  threads: number;
  checkpoints: number;
  bytes: number;
}

/** One call to the store per page. */
export async function* listThreads(
  store: CheckpointStore,
  given: ListThreadsOptions | undefined,
): AsyncGenerator<ThreadInfo> {
  const options = readOptions("listThreads", given);
  const { limit = Infinity, updatedSince } = options;
  const prefix = readString("listThreads", "prefix", options.prefix);
  const after = readString("listThreads", "after", options.after);
  const since =
    updatedSince === undefined ? -Infinity : readTime("listThreads", "updatedSince", updatedSince);
  if (typeof limit !== "number" || !(limit >= 0))
    throw invalid("listThreads", "`limit` must be a number, 0 or more");
  let left = Math.floor(limit);
  if (left === 0) return;
  const query = {
    ...(prefix === undefined ? {} : { prefix }),
    ...(after === undefined ? {} : { after }),
  };
  // A page need not be larger than what is asked for, unless some of it is left out.
  for await (const summary of threadsOf(store, query, updatedSince === undefined ? left : Infinity)) {
    if (summary.updatedAt < since) continue;
    yield infoOf(summary);
    left -= 1;
    if (left === 0) return;
  }
}

export function infoOf({ createdAt, updatedAt, last, ...rest }: ThreadSummary): ThreadInfo {
  return {
    ...rest,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    lastStep: last.step,
    lastSource: last.source,
  };
}

export async function stats(store: CheckpointStore): Promise<StoreStats> {
  const sum: StoreStats = { threads: 0, checkpoints: 0, bytes: 0 };
  for await (const { checkpoints, bytes } of threadsOf(store)) {
    sum.threads += 1;
    sum.checkpoints += checkpoints;
    sum.bytes += bytes;
  }
  return sum;
}
