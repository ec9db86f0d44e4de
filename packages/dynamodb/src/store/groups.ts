import type { CheckpointRecord, StoredCheckpoint } from "@langgraph-savers/core";

import type { Item, ItemPage, KeyRange, Table } from "../table/table.js";
import type { ChunkStore } from "./chunks.js";
import type { Expiry } from "./expiry.js";
import type { Generations } from "./generations.js";
import { checkpointOf, generationOf, isCheckpoint, keyOf, writesOf } from "./items.js";
import { ownerKey, threadKey } from "./keys.js";
import type { Renewals } from "./renewals.js";

/** The items of one checkpoint: its own, unless it is not stored, and those of its writes. */
export interface Group {
  key: string;
  checkpoint: Item | undefined;
  writes: Item[];
}

/** What one request found. */
interface GroupPage {
  groups: Group[];
  isLast: boolean;
}

/** A stored checkpoint that is there. */
export type Found = StoredCheckpoint & { checkpointId: string; checkpoint: CheckpointRecord };

export interface GroupParts {
  table: Table;
  chunks: ChunkStore;
  generations: Generations;
  expiry: Expiry;
  renewals: Renewals;
}

/**
 * Reads checkpoints with their writes, greatest key first. That order matters: a checkpoint's own item sorts before
 * those of its writes and so is read after them, and deletions remove it before them. So whoever finds it has found
 * all its writes, though DynamoDB reads the items of a query one by one.
 */
export class Groups {
  readonly #parts: GroupParts;

  constructor(parts: GroupParts) {
    this.#parts = parts;
  }

  /**
   * The groups of a range, by request; a group that a request cuts in two comes with the next one. `sizes`: the items that
   * the first, second, … request reads at most; the last size repeats, and without sizes only DynamoDB's own limit counts.
   */
  async *read(threadId: string, range: KeyRange, sizes: readonly number[] = []): AsyncGenerator<GroupPage> {
    const { table, expiry } = this.#parts;
    let open: Group | undefined;
    let start: Item | undefined;
    let request = 0;
    do {
      const limit = sizes[Math.min(request++, sizes.length - 1)];
      const page: ItemPage = await table.query({
        KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :to",
        ExpressionAttributeValues: {
          ":pk": { S: threadKey(threadId) },
          ":from": { S: range.from },
          ":to": { S: range.to },
        },
        ScanIndexForward: false,
        ...(limit === undefined ? {} : { Limit: limit }),
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      });
      const groups: Group[] = [];
      for (const item of page.items) {
        const key = ownerKey(item["SK"]!.S!);
        if (open?.key !== key) {
          if (open !== undefined) groups.push(open);
          open = { key, checkpoint: undefined, writes: [] };
        }
        if (expiry.hides(item)) continue;
        if (isCheckpoint(item)) open.checkpoint = item;
        else open.writes.push(item);
      }
      start = page.next;
      // Its own item is the last one of a group.
      if (open !== undefined && (start === undefined || open.checkpoint !== undefined)) {
        groups.push(open);
        open = undefined;
      }
      const found = groups.filter(({ checkpoint, writes }) => checkpoint !== undefined || writes.length > 0);
      yield { groups: found, isLast: start === undefined };
    } while (start !== undefined);
  }

  /**
   * What the port calls a stored checkpoint. The items of a group are in one generation, save where a commit raced with a
   * deletion: only then is the thread's generation read, and what is of another left out.
   */
  async open(threadId: string, group: Group): Promise<StoredCheckpoint> {
    const { generations, chunks, renewals } = this.#parts;
    const all = [...(group.checkpoint === undefined ? [] : [group.checkpoint]), ...group.writes];
    const seen = new Set(all.flatMap((item) => generationOf(item) ?? []));
    let generation = [...seen][0] ?? generations.guess(threadId);
    if (seen.size > 1) ({ generation } = await generations.read(threadId));
    if (seen.size === 1) generations.saw(threadId, generation);
    const kept = all.filter((item) => (generationOf(item) ?? generation) === generation);
    await chunks.gather(kept);
    const checkpoint = kept.find(isCheckpoint);
    if (checkpoint !== undefined) renewals.saw(threadId, checkpoint);
    return {
      ...keyOf(all[0]!),
      generation,
      checkpoint: checkpoint && checkpointOf(checkpoint),
      writes: kept.filter((item) => !isCheckpoint(item)).map(writesOf),
    };
  }
}

export function isFound(stored: StoredCheckpoint): stored is Found {
  return stored.checkpoint !== undefined;
}
