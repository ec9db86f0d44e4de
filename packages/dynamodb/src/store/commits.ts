import type {
  CheckpointRecord,
  Chunk,
  CommitCondition,
  CommitResult,
  WritesRecord,
} from "@langgraph-savers/core";

import { isConditionFailure, keyOfItem, type Item, type PutCondition, type Table } from "../table/table.js";
import { messageOf } from "../errors.js";
import { isTooLarge, spilled, type ChunkStore } from "./chunks.js";
import { CommitWriter, Fenced } from "./commit-writer.js";
import type { Expiry } from "./expiry.js";
import {
  firstGeneration,
  followsNone,
  NO_GENERATION,
  type Current,
  type Generations,
} from "./generations.js";
import { checkpointItem, revisionOf, unchanged } from "./items.js";
import type { Registers } from "./registers.js";
import type { Releases } from "./releases.js";
import type { Renewals } from "./renewals.js";
import { refers, SlotMerges, type PlacedSlot } from "./slot-merges.js";

export interface CommitParts {
  table: Table;
  chunks: ChunkStore;
  generations: Generations;
  expiry: Expiry;
  registers: Registers;
  releases: Releases;
  renewals: Renewals;
  /** What a checkpoint's item needs to be in the indexes. */
  indexEntries: (record: CheckpointRecord) => Item;
}

/** Replacing a checkpoint that refers to chunks takes more than one request. */
const REFERS_TO_NOTHING: PutCondition = {
  ConditionExpression: "attribute_not_exists(c) AND attribute_not_exists(z)",
};

type Commit = (writer: CommitWriter, generation: string | undefined) => Promise<boolean>;

interface Carried {
  undo: () => Promise<void>;
}

/** One commit: what it needs, and how it is made. */
interface Plan {
  /** It refers to chunks, new ones or those of its parent. */
  needsChunks: boolean;
  chunks: readonly Chunk[];
  commit: Commit;
  /** Puts an item where there is none, and how to take it back; for what has no chunks of its own. */
  carry?: ((generation: string) => Promise<Carried | undefined>) | undefined;
}

/**
 * The commits: chunks first, then one item that makes them visible.
 *
 * What has new chunks is committed in two waves of requests: the chunks, under the generation that the thread is
 * believed to be in, together with a look at the generation that it is in; then the item. A checkpoint that only carries
 * chunks over is put together with that look, and taken back where the thread was deleted. What refers to none is
 * committed in one, whatever the generation.
 */
export class Commits {
  readonly #parts: CommitParts;
  readonly #slots: SlotMerges;

  constructor(parts: CommitParts) {
    this.#parts = parts;
    this.#slots = new SlotMerges(parts);
  }

  async putCheckpoint(
    record: CheckpointRecord,
    chunks: readonly Chunk[],
    condition?: CommitCondition,
  ): Promise<CommitResult> {
    const { expiry, indexEntries } = this.#parts;
    const { content, parts } = isTooLarge(record) ? spilled(record) : { content: record, parts: [] };
    const all = [...chunks, ...parts];
    const itemOf = (generation: string | undefined): Item => ({
      ...expiry.checkpoint(checkpointItem(record, content, generation)),
      ...indexEntries(record),
    });
    const commit: Commit = async (writer, generation) => {
      await this.#putItem(writer, record, itemOf(generation));
      return true;
    };
    const needsChunks = record.chunks.length > 0 || all.length > 0;
    const carry = all.length === 0 ? (generation: string) => this.#putNew(itemOf(generation)) : undefined;
    return this.#commit(record.threadId, { needsChunks, chunks: all, commit, carry }, condition);
  }

  async putWrites(
    record: WritesRecord,
    chunks: readonly Chunk[],
    condition?: CommitCondition,
  ): Promise<CommitResult> {
    let spill = isTooLarge;
    for (;;) {
      const all = [...chunks];
      const slots = record.slots.map(({ name, replace, ...content }): PlacedSlot => {
        if (!spill(content)) return { name, replace, content };
        const moved = spilled(content);
        all.push(...moved.parts);
        return { name, replace, content: moved.content };
      });
      const needsChunks = all.length > 0 || slots.some(({ content }) => refers(content));
      const commit: Commit = (writer, generation) => this.#slots.merge(writer, record, slots, generation);
      try {
        return await this.#commit(record.threadId, { needsChunks, chunks: all, commit }, condition);
      } catch (error) {
        // The slots of earlier batches fill the item: these go beside it.
        if (spill === always || !/item size/i.test(messageOf((error as Error).cause))) throw error;
        spill = always;
      }
    }
  }

  /** `commit` resolves to false where the generation turns out to be a past one. */
  async #commit(threadId: string, plan: Plan, condition: CommitCondition | undefined): Promise<CommitResult> {
    const { needsChunks, chunks, commit } = plan;
    const { table, generations, renewals } = this.#parts;
    const writer = new CommitWriter(table, threadId, condition?.registers);
    let generation = condition?.generation ?? generations.guess(threadId);
    try {
      const isPlain = needsChunks && condition?.registers === undefined;
      let isDone = isPlain && (await this.#carried(threadId, generation, plan));
      while (!isDone) {
        const current = needsChunks
          ? await this.#writeChunks(threadId, generation, chunks)
          : await this.#look(threadId, generation, condition);
        generation = current.generation;
        if (!holds(generation, condition)) return await this.#refused(threadId, generation, condition!);
        if (!current.expected) continue;
        if (needsChunks && current.temporary && !(await generations.keep(threadId, generation))) continue;
        isDone = await commit(writer, needsChunks ? generation : undefined);
      }
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      return { committed: false, generation, fenced: true };
    }
    await renewals.afterPut(threadId);
    return { committed: true, generation };
  }

  /**
   * The item together with a look at the thread's generation. If that is the one believed, either the look came before
   * the item, as always, or the item before any deletion. Else it is taken back: false, as if nothing had been done.
   */
  async #carried(threadId: string, believed: string, { carry }: Plan): Promise<boolean> {
    if (carry === undefined || believed === NO_GENERATION) return false;
    const [current, item] = await Promise.all([this.#parts.generations.read(threadId), carry(believed)]);
    if (item === undefined) return false;
    if (current.generation === believed && !current.temporary) return true;
    await item.undo();
    return false;
  }

  /** Puts an item whose key is not there yet; undefined where it is. */
  async #putNew(item: Item): Promise<Carried | undefined> {
    const { table } = this.#parts;
    try {
      await table.put(item, { ConditionExpression: "attribute_not_exists(PK)" });
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      const stored = await table.get(keyOfItem(item));
      // An attempt that was applied, though no answer came.
      if (stored === undefined || revisionOf(stored) !== revisionOf(item)) return undefined;
    }
    return {
      undo: async () => {
        try {
          await table.delete(keyOfItem(item), unchanged(item));
        } catch (error) {
          // Somebody who read it has removed it.
          if (!isConditionFailure(error)) throw error;
        }
      },
    };
  }

  /** The chunks, under the generation that the thread is believed to be in, together with a look at the one that it is in. */
  async #writeChunks(threadId: string, believed: string, chunks: readonly Chunk[]): Promise<Look> {
    const { generations, chunks: store } = this.#parts;
    const isNew = believed === NO_GENERATION;
    const assumed = isNew ? firstGeneration() : believed;
    const [current] = await Promise.all([
      isNew ? generations.claim(threadId, assumed) : generations.read(threadId),
      store.write(threadId, assumed, chunks),
    ]);
    const expected = current.generation === assumed;
    if (!expected) await store.discard(threadId, assumed, chunks);
    return { ...current, expected };
  }

  /** Without chunks the generation matters only to those who ask for one. */
  async #look(threadId: string, believed: string, condition: CommitCondition | undefined): Promise<Look> {
    if (condition?.generation === undefined)
      return { generation: believed, temporary: false, expected: true };
    return { ...(await this.#parts.generations.read(threadId)), expected: true };
  }

  async #refused(threadId: string, generation: string, condition: CommitCondition): Promise<CommitResult> {
    const { registers } = this.#parts;
    const fenced =
      condition.registers !== undefined && !(await registers.hold(threadId, condition.registers));
    return { committed: false, generation, ...(fenced ? { fenced } : {}) };
  }

  /** Puts a checkpoint. What one of the same key refers to is remembered before it is replaced. */
  async #putItem(writer: CommitWriter, record: CheckpointRecord, item: Item): Promise<void> {
    const { table, releases } = this.#parts;
    for (let condition = REFERS_TO_NOTHING; ;) {
      try {
        await writer.put(item, { ...condition, ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
        return;
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
        const stored = error.Item ?? (await table.get(keyOfItem(item)));
        condition = REFERS_TO_NOTHING;
        if (stored === undefined) continue;
        // An attempt that was applied, though no answer came.
        if (revisionOf(stored) === revisionOf(item)) return;
        await releases.release(record.threadId, [stored], new Set(record.chunks));
        condition = unchanged(stored);
      }
    }
  }
}

/** `expected`: it is the generation that the chunks were written under. */
interface Look extends Current {
  expected: boolean;
}

function holds(generation: string, condition: CommitCondition | undefined): boolean {
  const asked = condition?.generation;
  return asked === undefined || asked === generation || (asked === NO_GENERATION && followsNone(generation));
}

function always(): boolean {
  return true;
}
