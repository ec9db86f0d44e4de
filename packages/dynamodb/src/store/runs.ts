import type { CheckpointKey, CheckpointRecord, Page, RunQuery } from "@langgraph-savers/core";

import { RUN_INDEX } from "../table/indexes.js";
import { keyOfItem, pages, type Item, type ItemPage, type Table } from "../table/table.js";
import type { Expiry } from "./expiry.js";
import { keyOf } from "./items.js";
import { CHECKPOINTS, hash } from "./keys.js";
import { notIndexed, type Lookup } from "./lookup.js";

/** A partition key takes 2,048 bytes. */
const MAX_RUN = 1_024;
/** All that is needed to tell a checkpoint's key and run. */
const ATTRIBUTES = ["PK", "SK", "h", "n", "i", "r", "ttl"];

/** Entries of the index that are looked up in the table at a time. */
const ENTRIES = 100;

/** Where a page ended: at which of the runs, and at which item. */
interface Position {
  run: number;
  start: Item;
}

type Found = [item: Item, position: Position];

/** Finds the checkpoints of runs: by the sparse index of runs if there is one, else by a scan. */
export class Runs {
  readonly #table: Table;
  readonly #lookup: Lookup;
  readonly #expiry: Expiry;

  constructor(table: Table, lookup: Lookup, expiry: Expiry) {
    this.#table = table;
    this.#lookup = lookup;
    this.#expiry = expiry;
  }

  /** What a checkpoint's item needs to be in the index. */
  entry({ labels: { runId } }: CheckpointRecord): Item {
    return this.#lookup === "index" && runId !== undefined ? { [RUN_INDEX.key]: { S: runKey(runId) } } : {};
  }

  async list({ runIds, limit, cursor }: RunQuery): Promise<Page<CheckpointKey>> {
    if (this.#lookup === "none") throw notIndexed("Finding runs", "runs", "runIndex");
    const runs = new Set(runIds);
    const after = cursor === undefined ? undefined : (JSON.parse(cursor) as Position);
    const items: CheckpointKey[] = [];
    let last = after;
    for await (const [item, position] of this.#lookup === "index"
      ? this.#indexed([...runs], after)
      : this.#scanned(after)) {
      if (!runs.has(item["r"]?.S ?? "") || this.#expiry.hides(item)) continue;
      if (items.length === limit) return { items, cursor: JSON.stringify(last) };
      items.push(keyOf(item));
      last = position;
    }
    return { items };
  }

  /** An index has no consistent reads, and its entries may be late: the table tells what is true of them. */
  async *#indexed(runs: readonly string[], after: Position | undefined): AsyncGenerator<Found> {
    for (let run = after?.run ?? 0; run < runs.length; run++) {
      const key = runKey(runs[run]!);
      const query = (start: object): Promise<ItemPage> =>
        this.#table.query({
          IndexName: RUN_INDEX.name,
          ConsistentRead: false,
          KeyConditionExpression: "rx = :rx",
          ExpressionAttributeValues: { ":rx": { S: key } },
          Limit: ENTRIES,
          ...start,
        });
      const first = run === after?.run ? after.start : undefined;
      for await (const entries of pages(query, first)) {
        const items = await this.#table.batchGet(entries.map(keyOfItem), ATTRIBUTES);
        const byKey = new Map(items.map((item) => [nameOf(item), item]));
        for (const entry of entries) {
          const item = byKey.get(nameOf(entry));
          const { PK, SK } = entry;
          if (item !== undefined) yield [item, { run, start: { PK: PK!, SK: SK!, rx: { S: key } } }];
        }
      }
    }
  }

  async *#scanned(after: Position | undefined): AsyncGenerator<Found> {
    const scan = (start: object): Promise<ItemPage> =>
      this.#table.scan({
        FilterExpression: "begins_with(SK, :c) AND attribute_exists(r)",
        ExpressionAttributeValues: { ":c": { S: CHECKPOINTS } },
        ...start,
      });
    for await (const items of pages(scan, after?.start)) {
      for (const item of items) yield [item, { run: 0, start: { PK: item["PK"]!, SK: item["SK"]! } }];
    }
  }
}

function nameOf(item: Item): string {
  const { PK, SK } = keyOfItem(item);
  return JSON.stringify([PK, SK]);
}

/** The run's id, or its hash where it is too long for a key. Neither is ever empty. */
function runKey(runId: string): string {
  return Buffer.byteLength(runId) <= MAX_RUN ? `R#${runId}` : `H#${hash(runId)}`;
}
