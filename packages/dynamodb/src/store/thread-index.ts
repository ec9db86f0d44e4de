import { createHash } from "node:crypto";

import { compareIds, type ThreadQuery } from "@langgraph-savers/core";

import { inParallel } from "../retry.js";
import { THREAD_INDEX } from "../table/indexes.js";
import { pages, PARALLEL, type Item, type ItemPage, type Table } from "../table/table.js";
import { threadIdOf } from "./items.js";
import { CHECKPOINTS, HASHED_THREADS, READABLE_THREADS } from "./keys.js";
import { notIndexed, type Lookup } from "./lookup.js";

/** An index partition takes 1,000 write units a second; the entries of a thread are all in one of these. */
const PARTITIONS = Array.from({ length: 16 }, (_, at) => `t${at.toString(16)}`);
/** Entries per request for ids: a thread has one for each checkpoint, and what a request leaves of them is skipped. */
const ENTRIES = 50;
/** Characters of an id that are sure to fit a key. */
const BOUND = 250;

/** Which threads of a partition of the index: all, or those whose key is at least, or greater than, this one. */
interface ThreadRange {
  from?: string;
  after?: string;
}

function threadPartition(threadId: string): string {
  return PARTITIONS[createHash("sha256").update(threadId).digest()[0]! % PARTITIONS.length]!;
}

/** Finds threads and the keys of their checkpoints: from the sparse index if there is one, else from a scan. */
export class ThreadIndex {
  readonly #table: Table;
  readonly #lookup: Lookup;

  constructor(table: Table, lookup: Lookup) {
    this.#table = table;
    this.#lookup = lookup;
  }

  /** What a checkpoint's item needs to be in the index. */
  entry(threadId: string): Item {
    return this.#lookup === "index" ? { [THREAD_INDEX.key]: { S: threadPartition(threadId) } } : {};
  }

  /** The keys of the checkpoints of all threads, page by page, in no order; from a scan also those of writes. */
  async *checkpoints(method: string): AsyncGenerator<Item[]> {
    if (this.#lookup === "none") throw notIndexed(method, "threads", "threadIndex");
    if (this.#lookup === "scan") {
      yield* pages((start) =>
        this.#table.scan({
          FilterExpression: "begins_with(SK, :c)",
          ProjectionExpression: "PK, SK, n, i, h",
          ExpressionAttributeValues: { ":c": { S: CHECKPOINTS } },
          ...start,
        }),
      );
      return;
    }
    yield* await inParallel(PARTITIONS, PARALLEL, async (partition) => {
      const items: Item[] = [];
      for await (const page of pages((start) => this.#query(partition, start))) items.push(...page);
      return items;
    });
  }

  /** Ids of threads in ascending order; some may have no checkpoint any more. */
  async ids(query: ThreadQuery): Promise<string[]> {
    const ids = new Set<string>();
    if (this.#lookup === "index") {
      for await (const id of merged(PARTITIONS.map((partition) => this.#readable(partition, query)))) {
        if (ids.size === query.limit) break;
        ids.add(id);
      }
      const hashed = await inParallel(PARTITIONS, PARALLEL, (partition) => this.#hashed(partition, query));
      for (const id of hashed.flat()) ids.add(id);
    } else {
      for await (const items of this.checkpoints("listThreads"))
        for (const id of items.map(threadIdOf)) if (isWanted(id, query)) ids.add(id);
    }
    return [...ids].toSorted(compareIds).slice(0, query.limit);
  }

  /** The wanted ids that keys have as they are, of one partition of the index, in order. */
  async *#readable(partition: string, query: ThreadQuery): AsyncGenerator<string> {
    const { prefix = "", after = "" } = query;
    // A bound that does not fit a key is cut; what that lets in is not wanted.
    const first = (compareIds(after, prefix) < 0 ? prefix : after).slice(0, BOUND);
    for await (const item of this.#threads(partition, READABLE_THREADS, first)) {
      const id = threadIdOf(item);
      if (isWanted(id, query)) yield id;
      else if (!id.startsWith(prefix) && compareIds(id, prefix) > 0) return;
    }
  }

  /** The wanted ids that keys have only hashes of. */
  async #hashed(partition: string, query: ThreadQuery): Promise<string[]> {
    const ids: string[] = [];
    for await (const item of this.#threads(partition, HASHED_THREADS, "")) ids.push(threadIdOf(item));
    return ids.filter((id) => isWanted(id, query));
  }

  /** An entry of each thread whose key is of this kind, from `first` on, in the order of keys. */
  async *#threads(partition: string, kind: string, first: string): AsyncGenerator<Item> {
    let range: ThreadRange = { from: kind + first };
    for (;;) {
      const { items, next } = await this.#query(partition, { Limit: ENTRIES }, range);
      for (const item of items) {
        const PK = item["PK"]!.S!;
        if (!PK.startsWith(kind)) return;
        if (PK === range.after) continue;
        yield item;
        range = { after: PK };
      }
      if (next === undefined) return;
    }
  }

  #query(
    partition: string,
    more: { Limit?: number; ExclusiveStartKey?: Item },
    { from, after }: ThreadRange = {},
  ): Promise<ItemPage> {
    const key = from ?? after;
    return this.#table.query({
      IndexName: THREAD_INDEX.name,
      // An index has no consistent reads: what it names is read from the table afterwards.
      ConsistentRead: false,
      KeyConditionExpression:
        key === undefined ? "ix = :ix" : `ix = :ix AND PK ${from === undefined ? ">" : ">="} :pk`,
      ExpressionAttributeValues: {
        ":ix": { S: partition },
        ...(key === undefined ? {} : { ":pk": { S: key } }),
      },
      ...more,
    });
  }
}

function isWanted(id: string, { prefix = "", after }: ThreadQuery): boolean {
  return id.startsWith(prefix) && (after === undefined || compareIds(id, after) > 0);
}

/** The least of the lanes' heads, again and again. */
async function* merged(lanes: AsyncGenerator<string>[]): AsyncGenerator<string> {
  const heads = await Promise.all(lanes.map((lane) => lane.next()));
  for (;;) {
    let least = -1;
    heads.forEach(({ done, value }, at) => {
      if (done === true) return;
      if (least < 0 || compareIds(value, heads[least]!.value as string) < 0) least = at;
    });
    if (least < 0) return;
    yield heads[least]!.value as string;
    heads[least] = await lanes[least]!.next();
  }
}
