import {
  compareIds,
  type CheckpointKey,
  type ListQuery,
  type Page,
  type StoredCheckpoint,
  type ThreadQuery,
  type ThreadSummary,
} from "@langgraph-savers/core";

import { inParallel } from "../retry.js";
import { PARALLEL, type Table } from "../table/table.js";
import type { Expiry } from "./expiry.js";
import { isFound } from "./groups.js";
import { isCheckpoint, keyOf } from "./items.js";
import type { Reads } from "./reads.js";
import type { ThreadIndex } from "./thread-index.js";
import { summarise } from "./thread-summary.js";

export interface AllThreadsParts {
  table: Table;
  index: ThreadIndex;
  reads: Reads;
  expiry: Expiry;
}

/** What is asked of all threads together: by the index, which is smaller than the table, or by a scan. */
export class AllThreads {
  readonly #parts: AllThreadsParts;

  constructor(parts: AllThreadsParts) {
    this.#parts = parts;
  }

  /** Keys are read, sorted and cut to the page; then the checkpoints of the page are read. */
  async listCheckpoints(query: ListQuery): Promise<Page<StoredCheckpoint>> {
    const { index, reads } = this.#parts;
    const after = query.cursor === undefined ? undefined : (JSON.parse(query.cursor) as CheckpointKey);
    let keys: CheckpointKey[] = [];
    for await (const items of index.checkpoints("list")) {
      for (const item of items) {
        if (!isCheckpoint(item)) continue;
        const key = keyOf(item);
        if (isWanted(key, query) && (after === undefined || newestFirst(after, key) < 0)) keys.push(key);
      }
      keys = keys.toSorted(newestFirst).slice(0, query.limit + 1);
    }
    const stored = await inParallel(keys.slice(0, query.limit), PARALLEL, (key) => reads.get(key));
    const items = stored.filter(isFound);
    return keys.length > query.limit ? { items, cursor: JSON.stringify(keys[query.limit - 1]) } : { items };
  }

  async listThreads(query: ThreadQuery): Promise<Page<ThreadSummary>> {
    const { index, table, expiry } = this.#parts;
    const ids = await index.ids({ ...query, limit: query.limit + 1 });
    const threads = ids.slice(0, query.limit);
    const summaries = await inParallel(threads, PARALLEL, (id) => summarise(table, expiry, id));
    const items = summaries.filter((summary) => summary !== undefined);
    return ids.length > query.limit ? { items, cursor: threads.at(-1)! } : { items };
  }
}

function isWanted(key: CheckpointKey, { namespace, checkpointId, before }: ListQuery): boolean {
  if (namespace !== undefined && key.namespace !== namespace) return false;
  if (checkpointId !== undefined && key.checkpointId !== checkpointId) return false;
  return before === undefined || compareIds(key.checkpointId, before) < 0;
}

/** Greatest checkpoint id first; among equals by thread, then namespace. */
function newestFirst(a: CheckpointKey, b: CheckpointKey): number {
  return (
    compareIds(b.checkpointId, a.checkpointId) ||
    compareIds(a.threadId, b.threadId) ||
    compareIds(a.namespace, b.namespace)
  );
}
