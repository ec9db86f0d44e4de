import type { CheckpointName, Deleted } from "@langgraph-savers/core";

import { inParallel } from "../retry.js";
import { isConditionFailure, keyOfItem, PARALLEL, slices, type Item, type Table } from "../table/table.js";
import type { Expiry } from "./expiry.js";
import type { Groups } from "./groups.js";
import { bytesOfBodies, isCheckpoint, unchanged } from "./items.js";
import { checkpointKey, within } from "./keys.js";
import type { Releases } from "./releases.js";

/** Checkpoints that are read and deleted at a time. */
const AT_ONCE = 64;
/** Items that one release stands for: few enough that they are gone soon after it was written. */
const PER_RELEASE = 128;

export interface CheckpointDeletionParts {
  table: Table;
  groups: Groups;
  releases: Releases;
  expiry: Expiry;
}

/**
 * Deletes single checkpoints beside running writers. First what they refer to is remembered, then the checkpoints go, then
 * their writes, each on condition that it is still the revision that was remembered. Readers read in the other order
 * (see `Groups`): a checkpoint that is found is found with all its writes.
 */
export class CheckpointDeletions {
  readonly #parts: CheckpointDeletionParts;

  constructor(parts: CheckpointDeletionParts) {
    this.#parts = parts;
  }

  async delete(threadId: string, names: readonly CheckpointName[]): Promise<Deleted> {
    const deleted: Deleted = { checkpoints: 0, bytes: 0 };
    const keys = [...new Set(names.map((name) => checkpointKey(name)))];
    for (const batch of slices(keys, AT_ONCE)) {
      const items = (await inParallel(batch, PARALLEL, (key) => this.#itemsOf(threadId, key))).flat();
      const checkpoints = items.filter(isCheckpoint);
      deleted.checkpoints += checkpoints.length;
      for (const item of items) deleted.bytes += bytesOfBodies(item);
      await this.#deleteAll(threadId, checkpoints);
      await this.#deleteAll(
        threadId,
        items.filter((item) => !isCheckpoint(item)),
      );
    }
    return deleted;
  }

  async #itemsOf(threadId: string, key: string): Promise<Item[]> {
    const items: Item[] = [];
    for await (const { groups } of this.#parts.groups.read(threadId, within(key)))
      for (const { checkpoint, writes } of groups) items.push(...(checkpoint ? [checkpoint] : []), ...writes);
    return items;
  }

  async #deleteAll(threadId: string, items: readonly Item[]): Promise<void> {
    for (const batch of slices(items, PER_RELEASE)) {
      for (let left = batch; left.length > 0;) {
        await this.#parts.releases.release(threadId, left);
        left = (await inParallel(left, PARALLEL, (item) => this.#deleteUnchanged(item))).flat();
      }
    }
  }

  /** Resolves to what the item is now, if it is another than the one that was seen. */
  async #deleteUnchanged(item: Item): Promise<Item[]> {
    const { table, expiry } = this.#parts;
    try {
      await table.delete(keyOfItem(item), unchanged(item));
      return [];
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      const now = await table.get(keyOfItem(item));
      return now === undefined || expiry.hides(now) ? [] : [now];
    }
  }
}
