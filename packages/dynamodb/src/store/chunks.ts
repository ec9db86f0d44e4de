import { listedHashes, SaverError, type Chunk } from "@langgraph-savers/core";

import type { Packs } from "../s3/packs.js";
import { keyOfItem, type Item, type ItemKey, type Table } from "../table/table.js";
import type { Expiry } from "./expiry.js";
import {
  chunkItem,
  extentOf,
  generationOf,
  newRevision,
  packHashes,
  referencesOf,
  spilledParts,
  spillOf,
  type Content,
  type References,
  type Spill,
} from "./items.js";
import { chunkKey, threadKey } from "./keys.js";

/** DynamoDB's limit is 400 KB an item; a body and its hashes get less, names and ids may take the rest. */
const LARGEST_CONTENT = 256 * 1024;
const PART_BYTES = 300 * 1024;

export interface ChunkStoreParts {
  table: Table;
  expiry: Expiry;
  /** For chunks that are to go to S3. */
  packs: Packs | undefined;
}

/** Bytes of threads beside their records: chunks by hash, and the parts of bodies that are too large for an item. */
export class ChunkStore {
  readonly #table: Table;
  readonly #expiry: Expiry;
  readonly #packs: Packs | undefined;

  constructor({ table, expiry, packs }: ChunkStoreParts) {
    this.#table = table;
    this.#expiry = expiry;
    this.#packs = packs;
  }

  async write(threadId: string, generation: string, chunks: readonly Chunk[]): Promise<void> {
    const unique = [...new Map(chunks.map((chunk) => [chunk.hash, chunk])).values()];
    const plan =
      this.#packs?.takes(unique) === true ? this.#packs.plan(threadId, generation, unique) : undefined;
    const items = unique.map((chunk, at) =>
      this.#expiry.other(chunkItem(threadId, generation, chunk, plan?.extents[at])),
    );
    // One after the other: a chunk that is there already, and referred to, is moved to the new object by its item.
    await plan?.upload();
    await this.#table.batchPut(items);
  }

  /** Removes what was written under a generation that turns out not to be the thread's. */
  async discard(threadId: string, generation: string, chunks: readonly Chunk[]): Promise<void> {
    const PK = threadKey(threadId);
    const keys = new Set(chunks.map(({ hash }) => chunkKey(generation, hash)));
    await this.#table.batchDelete([...keys].map((SK) => ({ PK, SK })));
    if (chunks.length > 0) await this.#packs?.delete(threadId, (pack) => pack.generation === generation);
  }

  async read(threadId: string, generation: string, hashes: readonly string[]): Promise<Chunk[]> {
    const PK = threadKey(threadId);
    const prefix = chunkKey(generation, "");
    const keys = [...new Set(hashes)].map((hash) => ({ PK, SK: `${prefix}${hash}` }));
    const found = await this.#bytes(keys);
    return [...found].map(([item, data]) => ({
      hash: item["SK"]!.S!.slice(prefix.length),
      index: item["x"]?.BOOL === true,
      data,
    }));
  }

  /** Replaces in the items what is spilled by the bytes themselves. */
  async gather(items: readonly Item[]): Promise<void> {
    await Promise.all(
      items.flatMap((item) =>
        spilledParts(item).map(async (part) => {
          const spill = spillOf(part);
          const bytes = await this.#spilledBytes(item, partNames(spill));
          if (bytes === undefined) return;
          part["c"] = { B: bytes.subarray(0, spill.hashBytes) };
          part["b"] = { B: bytes.subarray(spill.hashBytes) };
        }),
      ),
    );
  }

  /** All that the items refer to. */
  async references(items: readonly Item[]): Promise<References> {
    const all: References = { hashes: [], spills: [] };
    for (const item of items) {
      const { hashes, spills } = referencesOf(item);
      for (const hash of hashes) all.hashes.push(hash);
      for (const spill of spills) {
        const holdHashes = partNames(spill).slice(0, Math.ceil(spill.hashBytes / PART_BYTES));
        const bytes = await this.#spilledBytes(item, holdHashes);
        all.hashes.push(...listedHashes(bytes?.subarray(0, spill.hashBytes) ?? new Uint8Array()));
        all.spills.push(spill);
      }
    }
    return all;
  }

  /** Undefined where a part is missing. */
  async #spilledBytes(item: Item, names: readonly string[]): Promise<Buffer | undefined> {
    const prefix = chunkKey(generationOf(item) ?? "", "");
    const keys = names.map((name) => ({ PK: item["PK"]!.S!, SK: `${prefix}${name}` }));
    const found = await this.#bytes(keys);
    if (found.size !== keys.length) return undefined;
    const byKey = new Map([...found].map(([each, data]) => [each["SK"]!.S!, data]));
    return Buffer.concat(keys.map(({ SK }) => byKey.get(SK)!));
  }

  /** The items of chunks that are there, with their bytes from the item or from S3. */
  async #bytes(keys: readonly ItemKey[]): Promise<Map<Item, Uint8Array>> {
    const found = new Map<Item, Uint8Array>();
    const gone = new Map<string, Item>();
    await this.#addBytes(await this.#table.batchGet(keys), found, gone);
    if (gone.size === 0) return found;
    // A chunk that is sent again goes to another object, and the one before it can be gone by now.
    const again = await this.#table.batchGet([...gone.values()].map(keyOfItem));
    const moved = again.filter((item) => {
      return extentOf(item)?.object !== extentOf(gone.get(item["SK"]!.S!)!)!.object;
    });
    await this.#addBytes(moved, found, gone);
    return found;
  }

  async #addBytes(
    items: readonly Item[],
    found: Map<Item, Uint8Array>,
    gone: Map<string, Item>,
  ): Promise<void> {
    const extents = items.flatMap((item) => extentOf(item) ?? []);
    if (extents.length > 0 && this.#packs === undefined) throw notConfigured();
    const remote = extents.length === 0 ? [] : await this.#packs!.read(extents);
    let next = 0;
    for (const item of items) {
      const data = item["d"]?.B ?? remote[next++];
      if (data === undefined) gone.set(item["SK"]!.S!, item);
      else found.set(item, data);
    }
  }
}

export function notConfigured(): SaverError {
  return new SaverError(
    "SETUP_REQUIRED",
    "Values of this thread are in S3. Make the saver with the option `s3` that they were written with.",
  );
}

export function isTooLarge({ chunks, body }: Content): boolean {
  return body.byteLength + chunks.length * 20 > LARGEST_CONTENT;
}

/** Moves the bytes of a record or slot out of its item: into chunks of its own, which are written like all others. */
export function spilled({ chunks, body }: Content): { content: Content; parts: Chunk[] } {
  const hashes = packHashes(chunks);
  const bytes = Buffer.concat([hashes, body]);
  const name = newRevision();
  const parts: Chunk[] = [];
  for (let at = 0; at < bytes.byteLength; at += PART_BYTES) {
    parts.push({
      hash: partName(name, parts.length),
      index: false,
      data: bytes.subarray(at, at + PART_BYTES),
    });
  }
  const spill = {
    name,
    parts: parts.length,
    hashBytes: hashes.byteLength,
    bodyBytes: body.byteLength,
  };
  return { content: { chunks: [], body: new Uint8Array(), spill }, parts };
}

/** The names of a spilled body's parts among the chunks. */
export function partNames({ name, parts }: Spill): string[] {
  return Array.from({ length: parts }, (_, at) => partName(name, at));
}

export function isPart(sortKey: string): boolean {
  return sortKey.includes("~");
}

/** `~` is in no hash. */
function partName(name: string, at: number): string {
  return `~${name}.${at}`;
}
