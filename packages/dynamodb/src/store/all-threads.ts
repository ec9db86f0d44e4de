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
import { PARALLEL, type Item, type Table } from "../table/table.js";
import type { Expiry } from "./expiry.js";
import { isFound } from "./groups.js";
import { checkpointOf, chunkBytes, isCheckpoint, keyOf, threadIdOf } from "./items.js";
import { CHECKPOINTS, CHUNKS, threadKey } from "./keys.js";
import type { Reads } from "./reads.js";
import type { ThreadIndex } from "./thread-index.js";

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

  async listThreads({ prefix = "", after, limit }: ThreadQuery): Promise<Page<ThreadSummary>> {
    const ids = new Set<string>();
    for await (const items of this.#parts.index.checkpoints("listThreads")) {
      for (const item of items) {
        const id = threadIdOf(item);
        if (id.startsWith(prefix) && (after === undefined || compareIds(id, after) > 0)) ids.add(id);
      }
    }
    const sorted = [...ids].toSorted(compareIds);
    const threads = sorted.slice(0, limit);
    const summaries = await inParallel(threads, PARALLEL, (id) => this.#summarise(id));
    const items = summaries.filter(({ checkpoints }) => checkpoints > 0);
    return sorted.length > limit ? { items, cursor: threads.at(-1)! } : { items };
  }

  /** Reads all of the thread: nothing that grows with it is kept up to date on the write path. */
  async #summarise(threadId: string): Promise<ThreadSummary> {
    const { table, expiry } = this.#parts;
    const summary: ThreadSummary = {
      threadId,
      createdAt: Infinity,
      updatedAt: -Infinity,
      namespaces: [],
      checkpoints: 0,
      bytes: 0,
      last: {},
    };
    const namespaces = new Set<string>();
    let start: Item | undefined;
    do {
      const page = await table.query({
        KeyConditionExpression: "PK = :pk",
        ExpressionAttributeValues: { ":pk": { S: threadKey(threadId) } },
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      });
      for (const item of page.items.filter((each) => !expiry.hides(each))) {
        summary.bytes += bytesOf(item);
        if (!item["SK"]!.S!.startsWith(CHECKPOINTS)) continue;
        namespaces.add(keyOf(item).namespace);
        if (!isCheckpoint(item)) continue;
        const { createdAt, labels } = checkpointOf(item);
        summary.checkpoints += 1;
        summary.createdAt = Math.min(summary.createdAt, createdAt);
        if (createdAt < summary.updatedAt) continue;
        summary.updatedAt = createdAt;
        summary.last = labels;
      }
      start = page.next;
    } while (start !== undefined);
    summary.namespaces = [...namespaces].toSorted(compareIds);
    return summary;
  }
}

/** Bytes of bodies and chunks in an item; bodies that are spilled count where their parts are. */
function bytesOf(item: Item): number {
  if (item["SK"]!.S!.startsWith(CHUNKS)) return chunkBytes(item);
  let bytes = item["b"]?.B?.byteLength ?? 0;
  for (const { M: slot } of Object.values(item)) bytes += slot?.["b"]?.B?.byteLength ?? 0;
  return bytes;
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
