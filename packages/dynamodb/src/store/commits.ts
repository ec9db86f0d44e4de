import type {
  CheckpointRecord,
  Chunk,
  CommitCondition,
  CommitResult,
  WritesRecord,
} from "@langgraph-savers/core";

import { isConditionFailure, keyOfItem, type Item, type Table } from "../table/table.js";
import { messageOf } from "../errors.js";
import { isTooLarge, spilled, type ChunkStore } from "./chunks.js";
import type { Expiry } from "./expiry.js";
import type { Generations } from "./generations.js";
import {
  checkpointItem,
  generationOf,
  identity,
  newRevision,
  packSlot,
  revisionOf,
  slotAttribute,
  slotOrder,
  type Content,
} from "./items.js";
import { threadPartition } from "./thread-index.js";

export interface CommitParts {
  table: Table;
  chunks: ChunkStore;
  generations: Generations;
  expiry: Expiry;
  /** Give checkpoints an entry in the index of threads. */
  indexed: boolean;
}

/** A slot with its content where it goes: into the item, or spilled. */
interface PlacedSlot {
  name: string;
  replace: boolean;
  content: Content;
}

/**
 * The commits: chunks first, then one item that makes them visible.
 *
 * What refers to chunks is committed in two waves of requests: the chunks, under the generation that the thread is
 * believed to be in, together with a look at the generation that it is in; then the item. What refers to none is
 * committed in one, whatever the generation.
 */
export class Commits {
  readonly #parts: CommitParts;

  constructor(parts: CommitParts) {
    this.#parts = parts;
  }

  async putCheckpoint(
    record: CheckpointRecord,
    chunks: readonly Chunk[],
    condition?: CommitCondition,
  ): Promise<CommitResult> {
    const { table, expiry, indexed } = this.#parts;
    const { content, parts } = isTooLarge(record) ? spilled(record) : { content: record, parts: [] };
    const all = [...chunks, ...parts];
    const commit = async (generation: string | undefined): Promise<boolean> => {
      const item = expiry.checkpoint(checkpointItem(record, content, generation));
      await table.put(indexed ? { ...item, ix: { S: threadPartition(record.threadId) } } : item);
      return true;
    };
    const refers = record.chunks.length > 0 || all.length > 0;
    return this.#commit(record.threadId, refers, all, condition, commit);
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
      const refers = all.length > 0 || slots.some(({ content }) => content.chunks.length > 0);
      try {
        return await this.#commit(record.threadId, refers, all, condition, (generation) =>
          this.#mergeSlots(record, slots, generation),
        );
      } catch (error) {
        // The slots of earlier batches fill the item: these go beside it.
        if (spill === always || !/item size/i.test(messageOf((error as Error).cause))) throw error;
        spill = always;
      }
    }
  }

  /** `commit` resolves to false where the generation turns out to be a past one. */
  async #commit(
    threadId: string,
    refers: boolean,
    chunks: readonly Chunk[],
    condition: CommitCondition | undefined,
    commit: (generation: string | undefined) => Promise<boolean>,
  ): Promise<CommitResult> {
    const { table, generations, expiry, chunks: store } = this.#parts;
    let generation = condition?.generation ?? generations.guess(threadId);
    if (refers || condition !== undefined) {
      for (;;) {
        const assumed = generation;
        const [current] = await Promise.all([
          generations.read(threadId),
          store.write(threadId, assumed, chunks),
        ]);
        generation = current.generation;
        if (generation !== assumed) {
          if (condition !== undefined) return { committed: false, generation };
          continue;
        }
        if (current.temporary && !(await generations.keep(threadId, generation))) continue;
        if (await commit(refers ? generation : undefined)) break;
      }
    } else {
      await commit(undefined);
    }
    await expiry.extend(table, threadId);
    return { committed: true, generation };
  }

  /** One update: all slots or none. A slot that is there stays, unless the new one replaces it. */
  async #mergeSlots(
    record: WritesRecord,
    slots: readonly PlacedSlot[],
    generation: string | undefined,
  ): Promise<boolean> {
    const key = keyOfItem(identity(record, record.taskId));
    // An item in another generation holds slots whose chunks are gone, or soon will be.
    for (let mergeable = generation; ;) {
      try {
        await this.#parts.table.update(key, this.#merge(record, slots, generation, mergeable));
        return true;
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
        const outcome = await this.#resolve(record, slots, generation, error.Item);
        if (typeof outcome === "boolean") return outcome;
        mergeable = outcome.mergeable;
      }
    }
  }

  #merge(
    record: WritesRecord,
    slots: readonly PlacedSlot[],
    generation: string | undefined,
    mergeable: string | undefined,
  ): Parameters<Table["update"]>[1] {
    const { expiry } = this.#parts;
    const { PK: _pk, SK: _sk, ...ids } = identity(record, record.taskId);
    const ttl = expiry.assignment();
    const names: Record<string, string> = { "#v": "v", "#o": "o", "#g": "g", ...ttl.names };
    const values: Item = {
      ":v": { S: newRevision() },
      ":none": { L: [] },
      ":o": slotOrder(slots.map(({ name }) => name)),
      ...ttl.values,
    };
    const sets = ["#v = :v", "#o = list_append(if_not_exists(#o, :none), :o)"];
    if (ttl.set !== undefined) sets.push(ttl.set);
    for (const [name, value] of Object.entries(ids)) {
      names[`#${name}`] = name;
      values[`:${name}`] = value;
      sets.push(`#${name} = :${name}`);
    }
    slots.forEach(({ name, replace, content }, at) => {
      names[`#s${at}`] = slotAttribute(name);
      values[`:s${at}`] = packSlot(content);
      sets.push(replace ? `#s${at} = :s${at}` : `#s${at} = if_not_exists(#s${at}, :s${at})`);
    });
    if (generation !== undefined) sets.push("#g = :g");
    if (mergeable !== undefined) values[":g"] = { S: mergeable };
    const alive = expiry.aliveCondition();
    Object.assign(names, alive.names);
    Object.assign(values, alive.values);
    const inGeneration = `(attribute_not_exists(#g)${mergeable === undefined ? "" : " OR #g = :g"})`;
    return {
      UpdateExpression: `SET ${sets.join(", ")}`,
      ConditionExpression: [inGeneration, ...alive.conditions].join(" AND "),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    };
  }

  /**
   * The item is not what the update counted on. Says which generation to merge with if that is the thread's own, replaces
   * the item if it has expired or was left by a commit that raced with a deletion; false: the commit's own generation
   * is the past one.
   */
  async #resolve(
    record: WritesRecord,
    slots: readonly PlacedSlot[],
    generation: string | undefined,
    seen: Item | undefined,
  ): Promise<boolean | { mergeable: string | undefined }> {
    const { table, generations, expiry } = this.#parts;
    const key = identity(record, record.taskId);
    const item = seen ?? (await table.get(keyOfItem(key)));
    if (item === undefined) return { mergeable: generation };
    const own = generationOf(item);
    if (!expiry.hides(item)) {
      if (own === undefined) return { mergeable: generation };
      const current = (await generations.read(record.threadId)).generation;
      if (generation !== undefined && generation !== current) return false;
      if (own === current) return { mergeable: own };
    }
    const fresh: Item = expiry.other({
      ...key,
      v: { S: newRevision() },
      o: slotOrder(slots.map(({ name }) => name)),
      ...(generation === undefined ? {} : { g: { S: generation } }),
      ...Object.fromEntries(slots.map(({ name, content }) => [slotAttribute(name), packSlot(content)])),
    });
    try {
      await table.put(fresh, {
        ConditionExpression: "#v = :v",
        ExpressionAttributeNames: { "#v": "v" },
        ExpressionAttributeValues: { ":v": { S: revisionOf(item)! } },
      });
      return true;
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      return { mergeable: generation };
    }
  }
}

function always(): boolean {
  return true;
}
