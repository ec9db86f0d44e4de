import { inParallel } from "../retry.js";
import type { Packs } from "../s3/packs.js";
import {
  isConditionFailure,
  keyOfItem,
  PARALLEL,
  type Item,
  type ItemKey,
  type Table,
} from "../table/table.js";
import type { Generations } from "./generations.js";
import { FIRST_GENERATION } from "./generations.js";
import { generationOf, isCheckpoint, revisionOf } from "./items.js";
import { CHECKPOINTS, CHUNKS, endOf, EXPIRY_KEY, threadKey } from "./keys.js";

/**
 * Deletes threads beside running writers, without transactions:
 *
 * 1. The thread gets a new generation. A commit that looks from now on puts its chunks there.
 * 2. Checkpoints go, then writes, each on condition that it is still the revision that was seen: what is committed
 *    meanwhile stays. A reader that still finds a checkpoint finds all its writes.
 * 3. The chunks of all earlier generations go.
 *
 * Interrupted anywhere, a second call does all that is left. A commit that had looked before step 1 may land after step 3
 * with chunks missing: whoever reads it calls `finish`, which removes it.
 */
export class Deletions {
  readonly #table: Table;
  readonly #generations: Generations;
  readonly #packs: Packs | undefined;

  constructor(table: Table, generations: Generations, packs: Packs | undefined) {
    this.#table = table;
    this.#generations = generations;
    this.#packs = packs;
  }

  async deleteThread(threadId: string): Promise<void> {
    const PK = threadKey(threadId);
    if (!(await this.#holdsData(PK))) return;
    const generation = await this.#generations.advance(threadId);
    await this.#deleteRecords(PK, (own) => own === undefined || own < generation);
    // Before the items of their chunks: as long as there are any, a second call comes to this line.
    await this.#packs?.deleteBefore(threadId, generation);
    await this.#deleteChunks(PK, generation);
  }

  /** Removes what commits left that raced with a deletion: records of an earlier generation. */
  async finish(threadId: string): Promise<void> {
    const { generation } = await this.#generations.read(threadId);
    if (generation === FIRST_GENERATION) return;
    await this.#deleteRecords(threadKey(threadId), (own) => own !== undefined && own < generation);
  }

  /** A thread without any is left alone: it needs no new generation, and no item that says so. */
  async #holdsData(PK: string): Promise<boolean> {
    for (const prefix of [CHECKPOINTS, CHUNKS]) {
      const { items } = await this.#keys(PK, prefix, endOf(prefix), 1);
      if (items.length > 0) return true;
    }
    return false;
  }

  async #deleteRecords(PK: string, concerns: (generation: string | undefined) => boolean): Promise<void> {
    const writes: Item[] = [];
    for await (const items of this.#pages(PK, CHECKPOINTS, endOf(CHECKPOINTS))) {
      const old = items.filter((item) => concerns(generationOf(item)));
      writes.push(...old.filter((item) => !isCheckpoint(item)));
      await this.#deleteUnchanged(old.filter(isCheckpoint));
    }
    await this.#deleteUnchanged(writes);
  }

  async #deleteUnchanged(items: Item[]): Promise<void> {
    await inParallel(items, PARALLEL, async (item) => {
      try {
        await this.#table.delete(keyOfItem(item), {
          ConditionExpression: "#v = :v",
          ExpressionAttributeNames: { "#v": "v" },
          ExpressionAttributeValues: { ":v": { S: revisionOf(item)! } },
        });
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
      }
    });
  }

  async #deleteChunks(PK: string, generation: string): Promise<void> {
    let keys: ItemKey[] = [{ PK, SK: EXPIRY_KEY }];
    for await (const items of this.#pages(PK, CHUNKS, `${CHUNKS}${generation}`)) {
      await this.#table.batchDelete([...keys, ...items.map(keyOfItem)]);
      keys = [];
    }
  }

  async *#pages(PK: string, from: string, to: string): AsyncGenerator<Item[]> {
    let start: Item | undefined;
    do {
      const page = await this.#keys(PK, from, to, undefined, start);
      yield page.items;
      start = page.next;
    } while (start !== undefined);
  }

  #keys(PK: string, from: string, to: string, limit?: number, start?: Item): ReturnType<Table["query"]> {
    return this.#table.query({
      KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :to",
      ProjectionExpression: "PK, SK, v, g",
      ExpressionAttributeValues: { ":pk": { S: PK }, ":from": { S: from }, ":to": { S: to } },
      ...(limit === undefined ? {} : { Limit: limit }),
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
  }
}
