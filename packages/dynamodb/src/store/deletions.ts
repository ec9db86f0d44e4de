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
import { firstAlive, type Generations } from "./generations.js";
import { generationOf, isCheckpoint, unchanged } from "./items.js";
import {
  CHECKPOINTS,
  CHUNKS,
  EXPIRY_KEY,
  GENERATION_KEY,
  RELEASES,
  THREAD_DATA,
  threadKey,
  within,
} from "./keys.js";

/**
 * Deletes threads beside running writers, without transactions:
 *
 * 1. The thread gets a new generation. A commit that looks from now on puts its chunks there.
 * 2. Checkpoints go, then writes, each on condition that it is still the revision that was seen: what is committed
 *    meanwhile stays. A reader that still finds a checkpoint finds all its writes.
 * 3. The chunks of all earlier generations go, and what was remembered of them.
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
    await this.#packs?.delete(threadId, (pack) => pack.generation < generation);
    let keys: ItemKey[] = [{ PK, SK: EXPIRY_KEY }];
    for (const prefix of [RELEASES, CHUNKS]) {
      const earlier = { from: prefix, to: `${prefix}${generation}` };
      for await (const items of this.#table.range(PK, earlier, ["PK", "SK"])) {
        await this.#table.batchDelete([...keys, ...items.map(keyOfItem)]);
        keys = [];
      }
    }
  }

  /** Removes what commits left that raced with a deletion: records of an earlier generation. */
  async finish(threadId: string): Promise<void> {
    const alive = firstAlive((await this.#generations.read(threadId)).generation);
    await this.#deleteRecords(threadKey(threadId), (own) => own !== undefined && own < alive);
  }

  /** A thread without any is left alone: it needs no new generation, and no item that says so. */
  async #holdsData(PK: string): Promise<boolean> {
    const first = await this.#table.first(PK, THREAD_DATA);
    if (first === undefined) return false;
    return first["SK"]!.S !== GENERATION_KEY || first["tmp"] === undefined;
  }

  async #deleteRecords(PK: string, concerns: (generation: string | undefined) => boolean): Promise<void> {
    const writes: Item[] = [];
    for await (const items of this.#table.range(PK, within(CHECKPOINTS), ["PK", "SK", "v", "g"])) {
      const old = items.filter((item) => concerns(generationOf(item)));
      writes.push(...old.filter((item) => !isCheckpoint(item)));
      await this.#deleteUnchanged(old.filter(isCheckpoint));
    }
    await this.#deleteUnchanged(writes);
  }

  async #deleteUnchanged(items: Item[]): Promise<void> {
    await inParallel(items, PARALLEL, async (item) => {
      try {
        await this.#table.delete(keyOfItem(item), unchanged(item));
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
      }
    });
  }
}
