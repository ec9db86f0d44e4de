import { listedHashes, type Collected } from "@langgraph-savers/core";

import { inParallel } from "../retry.js";
import type { Packs } from "../s3/packs.js";
import { isConditionFailure, PARALLEL, slices, type Table } from "../table/table.js";
import { partNames, type ChunkStore } from "./chunks.js";
import { NO_GENERATION, type Generations } from "./generations.js";
import { chunkBytes, generationOf, objectOf, type References } from "./items.js";
import { CHECKPOINTS, chunkKey, CHUNKS, threadKey, within } from "./keys.js";
import type { Releases } from "./releases.js";

/** Index chunks that are in memory at once. */
const INDEXES_AT_ONCE = 100;

export interface CollectionParts {
  table: Table;
  chunks: ChunkStore;
  generations: Generations;
  releases: Releases;
  packs: Packs | undefined;
}

interface OldChunk {
  bytes: number;
  /** The object in S3 that has them, if one does. */
  object: string | undefined;
}

/** What the keys and times of a thread's chunks tell. */
interface Inventory {
  /** By sort key: those that may go. */
  old: Map<string, OldChunk>;
  /** Names of index chunks of the thread's generation. */
  indexes: Set<string>;
  /** Objects that chunks refer to which stay in any case. */
  objects: Set<string>;
}

/**
 * Removes the chunks of a thread that nothing needs: neither a record or slot, nor one that was released lately. Records
 * are read before releases, which are written before records go: what is deleted meanwhile is found in the one or the
 * other. A chunk that a writer sends again has a new time and stays. Nothing needs those of generations that are not the
 * thread's: they were left by commits that were interrupted.
 *
 * Then the objects in S3 to which no item refers any more go, then the old releases: interrupted before that, the next
 * call does it all again.
 */
export class Collection {
  readonly #parts: CollectionParts;

  constructor(parts: CollectionParts) {
    this.#parts = parts;
  }

  async collect(threadId: string, before: number): Promise<Collected> {
    const { generations, releases, packs } = this.#parts;
    const collected: Collected = { chunks: 0, bytes: 0 };
    const { generation } = await generations.read(threadId);
    if (generation === NO_GENERATION) return collected;
    if (!(await releases.anyBefore(threadId, generation, before))) return collected;

    const needed = await this.#referred(threadId, generation);
    for await (const released of releases.since(threadId, generation, before)) add(needed, released);
    const { old, indexes, objects } = await this.#inventory(threadId, generation, before);
    await this.#addListed(threadId, generation, needed, indexes);

    const own = chunkKey(generation, "");
    await inParallel([...old], PARALLEL, async ([SK, { bytes, object }]) => {
      const isNeeded = SK.startsWith(own) && needed.has(SK.slice(own.length));
      if (isNeeded || !(await this.#deleteOld(threadId, SK, before))) {
        if (object !== undefined) objects.add(object);
        return;
      }
      collected.chunks += 1;
      collected.bytes += bytes;
    });
    await packs?.delete(threadId, ({ object, since }) => since < before && !objects.has(object));
    await releases.forgetBefore(threadId, generation, before);
    return collected;
  }

  /** The names of all that records and slots of this generation refer to, before what index chunks list. */
  async #referred(threadId: string, generation: string): Promise<Set<string>> {
    const { table, chunks } = this.#parts;
    const needed = new Set<string>();
    for await (const items of table.range(threadKey(threadId), within(CHECKPOINTS))) {
      const own = items.filter((item) => generationOf(item) === generation);
      add(needed, await chunks.references(own));
    }
    return needed;
  }

  async #inventory(threadId: string, generation: string, before: number): Promise<Inventory> {
    const inventory: Inventory = { old: new Map(), indexes: new Set(), objects: new Set() };
    const own = chunkKey(generation, "");
    const attributes = ["SK", "t", "l", "x", "q"];
    for await (const items of this.#parts.table.range(threadKey(threadId), within(CHUNKS), attributes)) {
      for (const item of items) {
        const SK = item["SK"]!.S!;
        const object = objectOf(item);
        if (item["x"] !== undefined && SK.startsWith(own)) inventory.indexes.add(SK.slice(own.length));
        if (Number(item["t"]!.N) < before) inventory.old.set(SK, { bytes: chunkBytes(item), object });
        else if (object !== undefined) inventory.objects.add(object);
      }
    }
    return inventory;
  }

  /** Adds what the needed index chunks list, level by level. */
  async #addListed(
    threadId: string,
    generation: string,
    needed: Set<string>,
    indexes: ReadonlySet<string>,
  ): Promise<void> {
    let level = [...indexes].filter((name) => needed.has(name));
    while (level.length > 0) {
      const next: string[] = [];
      for (const names of slices(level, INDEXES_AT_ONCE)) {
        for (const { data } of await this.#parts.chunks.read(threadId, generation, names)) {
          for (const name of listedHashes(data)) {
            if (needed.has(name)) continue;
            needed.add(name);
            if (indexes.has(name)) next.push(name);
          }
        }
      }
      level = next;
    }
  }

  /** False: it was sent again. */
  async #deleteOld(threadId: string, SK: string, before: number): Promise<boolean> {
    try {
      await this.#parts.table.delete(
        { PK: threadKey(threadId), SK },
        {
          // Gone already is as good: by an attempt that got no answer, or by somebody else.
          ConditionExpression: "attribute_not_exists(#t) OR #t < :before",
          ExpressionAttributeNames: { "#t": "t" },
          ExpressionAttributeValues: { ":before": { N: String(before) } },
        },
      );
      return true;
    } catch (error) {
      if (isConditionFailure(error)) return false;
      throw error;
    }
  }
}

function add(needed: Set<string>, { hashes, spills }: References): void {
  for (const hash of hashes) needed.add(hash);
  for (const spill of spills) for (const name of partNames(spill)) needed.add(name);
}
