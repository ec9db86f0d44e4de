import { listedHashes } from "@langgraph-savers/core";

import { keyOfItem, slices, type Item, type KeyRange, type Table } from "../table/table.js";
import type { ChunkStore } from "./chunks.js";
import type { Expiry } from "./expiry.js";
import { generationOf, newRevision, packHashes, packSpill, spillOf, type References } from "./items.js";
import { endOf, releasePrefix, threadKey } from "./keys.js";

/** In an item: 20 bytes each, of the 400 KB that it may have. */
const HASHES_PER_ITEM = 10_000;
const SPILLS_PER_ITEM = 1_000;
const TIME_DIGITS = 12;

/**
 * What records and slots referred to that were deleted or replaced since. An item holds hashes of chunks (`c`) and
 * spilled bodies (`z`); its key begins with the generation that they are in and the time at which it was written, which
 * is just before they go: so none of a record's chunks is ever without either.
 */
export class Releases {
  readonly #table: Table;
  readonly #expiry: Expiry;
  readonly #chunks: ChunkStore;

  constructor(table: Table, expiry: Expiry, chunks: ChunkStore) {
    this.#table = table;
    this.#expiry = expiry;
    this.#chunks = chunks;
  }

  /** Before these items go, or lose what is said here of them: remembers what they refer to, save what stays in use. */
  async release(threadId: string, items: readonly Item[], stays?: ReadonlySet<string>): Promise<void> {
    const byGeneration = new Map<string, Item[]>();
    for (const item of items) {
      const generation = generationOf(item);
      if (generation === undefined) continue;
      byGeneration.set(generation, [...(byGeneration.get(generation) ?? []), item]);
    }
    for (const [generation, own] of byGeneration) {
      const { hashes, spills } = await this.#chunks.references(own);
      const lost = stays === undefined ? hashes : hashes.filter((hash) => !stays.has(hash));
      await this.#remember(threadId, generation, { hashes: lost, spills });
    }
  }

  async #remember(threadId: string, generation: string, { hashes, spills }: References): Promise<void> {
    const prefix = releasePrefix(generation) + timeDigits(Date.now());
    const contents: Item[] = [
      ...slices([...new Set(hashes)], HASHES_PER_ITEM).map((part) => ({ c: { B: packHashes(part) } })),
      ...slices(spills, SPILLS_PER_ITEM).map((part) => ({ z: { L: part.map(packSpill) } })),
    ];
    const items = contents.map((content) => {
      const key = { PK: { S: threadKey(threadId) }, SK: { S: `${prefix}-${newRevision()}` } };
      return this.#expiry.other({ ...key, ...content });
    });
    if (items.length === 1) await this.#table.put(items[0]!);
    else await this.#table.batchPut(items);
  }

  /** Whether anything was released before this time. */
  async anyBefore(threadId: string, generation: string, time: number): Promise<boolean> {
    const range = before(generation, time);
    return (await this.#table.first(threadKey(threadId), range)) !== undefined;
  }

  /** What was released at this time or since. */
  async *since(threadId: string, generation: string, time: number): AsyncGenerator<References> {
    const range = { from: before(generation, time).to, to: endOf(releasePrefix(generation)) };
    for await (const items of this.#table.range(threadKey(threadId), range)) {
      for (const item of items) {
        yield {
          hashes: item["c"] === undefined ? [] : listedHashes(item["c"].B!),
          spills: (item["z"]?.L ?? []).map((z) => spillOf({ z })),
        };
      }
    }
  }

  async forgetBefore(threadId: string, generation: string, time: number): Promise<void> {
    const range = before(generation, time);
    for await (const items of this.#table.range(threadKey(threadId), range, ["PK", "SK"]))
      await this.#table.batchDelete(items.map(keyOfItem));
  }
}

/** The keys of what was released before this time: the end, which no key is, sorts before those of the time itself. */
function before(generation: string, time: number): KeyRange {
  const prefix = releasePrefix(generation);
  return { from: prefix, to: prefix + timeDigits(time) };
}

function timeDigits(time: number): string {
  return Math.max(0, Math.ceil(time)).toString(16).padStart(TIME_DIGITS, "0");
}
