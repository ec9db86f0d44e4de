import type { Sealer } from "../codec/envelope.js";
import type { SaverErrorCode } from "../error-codes.js";
import { isSaverError, quoteId, SaverError } from "../errors.js";
import type { Reader } from "../saver/reader.js";
import type { ThreadCache } from "../saver/thread-cache.js";
import type {
  CheckpointStore,
  ListQuery,
  Page,
  StoredCheckpoint,
  ThreadQuery,
  ThreadSummary,
} from "../store/port.js";

/** What the operations on threads work with. */
export interface ThreadParts {
  store: CheckpointStore;
  reader: Reader;
  sealer: Sealer;
  cache: ThreadCache;
}

export const PAGE = 100;

/** The pages of a thread's checkpoints, newest first. */
export async function* pagesOf(
  store: CheckpointStore,
  query: Omit<ListQuery, "limit" | "cursor">,
): AsyncGenerator<StoredCheckpoint[]> {
  for (let cursor: string | undefined; ;) {
    const page: Page<StoredCheckpoint> = await store.listCheckpoints({
      ...query,
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield page.items;
    if (page.cursor === undefined) return;
    cursor = page.cursor;
  }
}

const LARGEST_PAGE = 3200;

/**
 * All threads by ascending id, a page at a time: some may go and come meanwhile. Each page is twice as large as the one
 * before: a store without an order of threads reads everything for each of them.
 */
export async function* threadsOf(
  store: CheckpointStore,
  query: Omit<ThreadQuery, "limit"> = {},
  limit = Infinity,
): AsyncGenerator<ThreadSummary> {
  let after = query.after;
  let size = PAGE;
  for (let left = limit; left > 0; size = Math.min(LARGEST_PAGE, size * 2)) {
    const page: Page<ThreadSummary> = await store.listThreads({
      ...query,
      limit: Math.min(size, left),
      ...(after === undefined ? {} : { after }),
    });
    yield* page.items;
    left -= page.items.length;
    if (page.cursor === undefined) return;
    after = page.cursor;
  }
}

export async function threadExists(store: CheckpointStore, threadId: string): Promise<boolean> {
  return (await store.listCheckpoints({ threadId, limit: 1 })).items.length > 0;
}

export function threadNotFound(method: string, threadId: string): SaverError {
  return new SaverError("NOT_FOUND", `${method}: there is no thread ${quoteId(threadId)}.`, { threadId });
}

export function threadExistsAlready(method: string, threadId: string, advice: string): SaverError {
  return new SaverError(
    "THREAD_EXISTS",
    `${method}: the thread ${quoteId(threadId)} is there already. ${advice}`,
    { threadId },
  );
}

/** Whether it is the matter of one thread: it must not keep those after it from their turn. */
export function isOfOneThread(error: unknown): error is SaverError {
  const codes: SaverErrorCode[] = ["CHECKPOINT_DAMAGED", "VALUE_NOT_READABLE", "FORMAT_TOO_NEW"];
  return isSaverError(error) && codes.includes(error.code);
}
