import { invalid, readString } from "../saver/config.js";
import type { CheckpointStore } from "../store/port.js";

export interface ListThreadsOptions {
  /** Only threads whose id starts with this. */
  prefix?: string;
  /** Only threads whose id is greater than this: the last one of the page before. */
  after?: string;
  /** At most this many. Default: all. */
  limit?: number;
}

export interface ThreadInfo {
  threadId: string;
  createdAt: Date;
  updatedAt: Date;
  namespaces: string[];
  checkpoints: number;
  /** Bytes stored for the thread, after compression. */
  bytes: number;
  lastStep: number | undefined;
  lastSource: string | undefined;
}

const PAGE = 100;

/** One call to the store per page. */
export async function* listThreads(
  store: CheckpointStore,
  options: ListThreadsOptions,
): AsyncGenerator<ThreadInfo> {
  const { limit = Infinity } = options;
  const prefix = readString("listThreads", "prefix", options.prefix);
  let after = readString("listThreads", "after", options.after);
  if (typeof limit !== "number" || !(limit >= 0))
    throw invalid("listThreads", "`limit` must be a number, 0 or more");
  for (let left = limit; left > 0;) {
    const page = await store.listThreads({
      limit: Math.min(PAGE, left),
      ...(prefix === undefined ? {} : { prefix }),
      ...(after === undefined ? {} : { after }),
    });
    for (const { createdAt, updatedAt, last, ...rest } of page.items) {
      yield {
        ...rest,
        createdAt: new Date(createdAt),
        updatedAt: new Date(updatedAt),
        lastStep: last.step,
        lastSource: last.source,
      };
    }
    left -= page.items.length;
    if (page.cursor === undefined) return;
    after = page.cursor;
  }
}
