import { createHash } from "node:crypto";

import { SaverError } from "@langgraph-savers/core";

import { inParallel } from "../retry.js";
import { PARALLEL, type Item, type ItemPage, type Table } from "../table/table.js";
import { CHECKPOINTS } from "./keys.js";

/** The index's name in the table. */
export const THREAD_INDEX = "threads";

/** An index partition takes 1,000 write units a second; the entries of a thread are all in one of these. */
const PARTITIONS = 16;

export function threadPartition(threadId: string): string {
  return `t${(createHash("sha256").update(threadId).digest()[0]! % PARTITIONS).toString(16)}`;
}

/** How to find threads whose ids are not known. */
export type Lookup = "index" | "scan" | "none";

/** The keys of checkpoints of all threads, in no order: from the sparse index if there is one, else from a scan. */
export class ThreadIndex {
  readonly #table: Table;
  readonly #lookup: Lookup;

  constructor(table: Table, lookup: Lookup) {
    this.#table = table;
    this.#lookup = lookup;
  }

  get isIndexed(): boolean {
    return this.#lookup === "index";
  }

  /** Partition keys of threads, page by page; a thread may come more than once. */
  async *checkpoints(method: string): AsyncGenerator<Item[]> {
    if (this.#lookup === "none") throw notIndexed(method);
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
    const partitions = Array.from({ length: PARTITIONS }, (_, at) => `t${at.toString(16)}`);
    const all = await inParallel(partitions, PARALLEL, async (partition) => {
      const items: Item[] = [];
      const query = {
        IndexName: THREAD_INDEX,
        // An index has no consistent reads: what it names is read from the table afterwards.
        ConsistentRead: false,
        KeyConditionExpression: "ix = :ix",
        ExpressionAttributeValues: { ":ix": { S: partition } },
      };
      for await (const page of pages((start) => this.#table.query({ ...query, ...start })))
        items.push(...page);
      return items;
    });
    yield* all;
  }
}

async function* pages(
  read: (start: { ExclusiveStartKey?: Item }) => Promise<ItemPage>,
): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const page: ItemPage = await read(start === undefined ? {} : { ExclusiveStartKey: start });
    yield page.items;
    start = page.next;
  } while (start !== undefined);
}

function notIndexed(method: string): SaverError {
  return new SaverError(
    "SETUP_REQUIRED",
    `${method} over all threads needs the index of threads, or a scan of the whole table. ` +
      "Make the saver with `threadIndex: true` and call setup(), or with `scan: true`.",
  );
}
