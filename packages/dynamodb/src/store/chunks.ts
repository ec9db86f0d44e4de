import { SaverError, type Chunk } from "@langgraph-savers/core";

import type { Packs } from "../s3/packs.js";
import type { Item, ItemKey, Table } from "../table/table.js";
import type { Expiry } from "./expiry.js";
import {
  chunkItem,
  extentOf,
  generationOf,
  newRevision,
  packHashes,
  spilledParts,
  spillOf,
  type Content,
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
    // At once: nothing refers to either before both are there.
    await Promise.all([plan?.upload(), this.#table.batchPut(items)]);
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
          const { name, parts, hashBytes } = spillOf(part);
          const prefix = chunkKey(generationOf(item) ?? "", "");
          const PK = item["PK"]!.S!;
          const keys = Array.from({ length: parts }, (_, at) => ({
            PK,
            SK: `${prefix}${partName(name, at)}`,
          }));
          const found = await this.#bytes(keys);
          if (found.size !== parts) return;
          const byKey = new Map([...found].map(([each, data]) => [each["SK"]!.S!, data]));
          const bytes = Buffer.concat(keys.map(({ SK }) => byKey.get(SK)!));
          part["c"] = { B: bytes.subarray(0, hashBytes) };
          part["b"] = { B: bytes.subarray(hashBytes) };
        }),
      ),
    );
  }

  /** The items of chunks that are there, with their bytes from the item or from S3. */
  async #bytes(keys: readonly ItemKey[]): Promise<Map<Item, Uint8Array>> {
    const items = await this.#table.batchGet(keys);
    const extents = items.flatMap((item) => extentOf(item) ?? []);
    if (extents.length > 0 && this.#packs === undefined) throw notConfigured();
    const remote = extents.length === 0 ? [] : await this.#packs!.read(extents);
    const found = new Map<Item, Uint8Array>();
    let next = 0;
    for (const item of items) {
      const data = item["d"]?.B ?? remote[next++];
      if (data !== undefined) found.set(item, data);
    }
    return found;
  }
}

function notConfigured(): SaverError {
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
  const spill = { name, parts: parts.length, hashBytes: hashes.byteLength };
  return { content: { chunks: [], body: new Uint8Array(), spill }, parts };
}

/** `~` is in no hash. */
function partName(name: string, at: number): string {
  return `~${name}.${at}`;
}
