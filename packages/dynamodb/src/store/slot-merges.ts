import type { WritesRecord } from "@langgraph-savers/core";

import { isConditionFailure, keyOfItem, type Item, type Table, type UpdateInput } from "../table/table.js";
import type { CommitWriter } from "./commit-writer.js";
import type { Expiry } from "./expiry.js";
import type { Generations } from "./generations.js";
import {
  generationOf,
  identity,
  newRevision,
  packSlot,
  revisionOf,
  slotAttribute,
  slotOrder,
  unchanged,
  type Content,
} from "./items.js";
import type { Releases } from "./releases.js";

/** A slot with its content where it goes: into the item, or spilled. */
export interface PlacedSlot {
  name: string;
  replace: boolean;
  content: Content;
}

export interface SlotMergeParts {
  table: Table;
  generations: Generations;
  expiry: Expiry;
  releases: Releases;
}

/** One merge: what it is to do, under which generation and revision. */
interface Merge {
  record: WritesRecord;
  slots: readonly PlacedSlot[];
  generation: string | undefined;
  revision: string;
}

/** What the update counts on: the item's generation, and the item as a whole where what it loses was remembered. */
interface Expected {
  mergeable: string | undefined;
  seen?: Item;
}

/**
 * Merges slots into the item of a task's writes by one update: all of them or none. A slot that is there stays, unless
 * the new one replaces it.
 */
export class SlotMerges {
  readonly #parts: SlotMergeParts;

  constructor(parts: SlotMergeParts) {
    this.#parts = parts;
  }

  /** False: the generation is a past one. */
  async merge(
    writer: CommitWriter,
    record: WritesRecord,
    slots: readonly PlacedSlot[],
    generation: string | undefined,
  ): Promise<boolean> {
    const merge: Merge = { record, slots, generation, revision: newRevision() };
    const key = keyOfItem(identity(record, record.taskId));
    // An item in another generation holds slots whose chunks are gone, or soon will be.
    for (let expected: Expected = { mergeable: generation }; ;) {
      try {
        const before = await writer.update(key, this.#update(merge, expected));
        if (before !== undefined) await this.#releaseUnused(merge, before);
        return true;
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
        const outcome = await this.#resolve(writer, merge, error.Item);
        if (typeof outcome === "boolean") return outcome;
        expected = outcome;
      }
    }
  }

  #update({ record, slots, generation, revision }: Merge, { mergeable, seen }: Expected): UpdateInput {
    const { expiry } = this.#parts;
    const { PK: _pk, SK: _sk, ...ids } = identity(record, record.taskId);
    const ttl = expiry.assignment();
    const names: Record<string, string> = { "#v": "v", "#o": "o", "#g": "g", ...ttl.names };
    const values: Item = {
      ":v": { S: revision },
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
    const alive = expiry.aliveCondition();
    const conditions = [
      `(attribute_not_exists(#g)${mergeable === undefined ? "" : " OR #g = :g"})`,
      ...alive.conditions,
    ];
    slots.forEach(({ name, replace, content }, at) => {
      names[`#s${at}`] = slotAttribute(name);
      values[`:s${at}`] = packSlot(content);
      sets.push(replace ? `#s${at} = :s${at}` : `#s${at} = if_not_exists(#s${at}, :s${at})`);
      // What the slot refers to that is replaced has to be remembered first.
      if (replace && seen === undefined)
        conditions.push(`attribute_not_exists(#s${at}.c)`, `attribute_not_exists(#s${at}.z)`);
    });
    if (generation !== undefined) sets.push("#g = :g");
    if (mergeable !== undefined) values[":g"] = { S: mergeable };
    Object.assign(names, alive.names);
    Object.assign(values, alive.values);
    if (seen !== undefined) {
      const { ConditionExpression, ExpressionAttributeValues } = unchanged(seen);
      conditions.push(ConditionExpression);
      Object.assign(values, ExpressionAttributeValues);
    }
    const mayBeUnused = slots.some(({ replace, content }) => !replace && refers(content));
    return {
      UpdateExpression: `SET ${sets.join(", ")}`,
      ConditionExpression: conditions.join(" AND "),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      ...(mayBeUnused ? { ReturnValues: "UPDATED_OLD" as const } : {}),
    };
  }

  /** Slots that others were there before came for nothing; their chunks can be collected. */
  async #releaseUnused({ record, slots, generation }: Merge, before: Item): Promise<void> {
    const unused = slots.filter(({ name, replace }) => !replace && before[slotAttribute(name)] !== undefined);
    const item: Item = {
      ...identity(record, record.taskId),
      ...(generation === undefined ? {} : { g: { S: generation } }),
      ...Object.fromEntries(unused.map(({ name, content }) => [slotAttribute(name), packSlot(content)])),
    };
    await this.#parts.releases.release(record.threadId, [item]);
  }

  /**
   * The item is not what the update counted on. Says what to count on, if the item is of the thread's own generation;
   * replaces it, if it has expired or was left by a commit that raced with a deletion; false: the commit's own
   * generation is the past one.
   */
  async #resolve(writer: CommitWriter, merge: Merge, found: Item | undefined): Promise<boolean | Expected> {
    const { table, generations, expiry, releases } = this.#parts;
    const { record, slots, generation, revision } = merge;
    const key = identity(record, record.taskId);
    const stored = found ?? (await table.get(keyOfItem(key)));
    if (stored === undefined) return { mergeable: generation };
    // An attempt that was applied, though no answer came.
    if (revisionOf(stored) === revision) return true;
    const own = generationOf(stored);
    let mergeable = generation;
    let isOld = expiry.hides(stored);
    if (!isOld && own !== undefined && own !== generation) {
      const current = (await generations.read(record.threadId)).generation;
      if (generation !== undefined && generation !== current) return false;
      isOld = own !== current;
      mergeable = own;
    }
    if (!isOld) {
      const replaced = slots.flatMap(({ name, replace }) => (replace ? [slotAttribute(name)] : []));
      const kept = ["PK", "SK", "g", ...replaced].filter((name) => stored[name] !== undefined);
      await releases.release(record.threadId, [
        Object.fromEntries(kept.map((name) => [name, stored[name]!])),
      ]);
      return { mergeable, seen: stored };
    }
    const fresh: Item = expiry.other({
      ...key,
      v: { S: revision },
      o: slotOrder(slots.map(({ name }) => name)),
      ...(generation === undefined ? {} : { g: { S: generation } }),
      ...Object.fromEntries(slots.map(({ name, content }) => [slotAttribute(name), packSlot(content)])),
    });
    try {
      await writer.put(fresh, unchanged(stored));
      return true;
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      return { mergeable: generation };
    }
  }
}

export function refers({ chunks, spill }: Content): boolean {
  return chunks.length > 0 || spill !== undefined;
}
