import type { Chunk } from "@langgraph-savers/core";

import { type Item, type Table } from "../table/table.js";
import type { Expiry } from "./expiry.js";
import { chunkItem, newRevision, packHashes, spilledParts, spillOf, type Content } from "./items.js";
import { chunkKey, threadKey } from "./keys.js";

/** DynamoDB's limit is 400 KB an item; a body and its hashes get less, names and ids may take the rest. */
const LARGEST_CONTENT = 256 * 1024;
const PART_BYTES = 300 * 1024;

export interface ChunkStoreParts {
  table: Table;
  expiry: Expiry;
}

/** Bytes of threads beside their records: chunks by hash, and the parts of bodies that are too large for an item. */
export class ChunkStore {
  readonly #table: Table;
  readonly #expiry: Expiry;

  constructor({ table, expiry }: ChunkStoreParts) {
    this.#table = table;
    this.#expiry = expiry;
  }

  async write(threadId: string, generation: string, chunks: readonly Chunk[]): Promise<void> {
    const byHash = new Map(chunks.map((chunk) => [chunk.hash, chunk]));
    const items = [...byHash.values()].map((chunk) =>
      this.#expiry.other(chunkItem(threadId, generation, chunk)),
    );
    await this.#table.batchPut(items);
  }

  async read(threadId: string, generation: string, hashes: readonly string[]): Promise<Chunk[]> {
    const PK = threadKey(threadId);
    const prefix = chunkKey(generation, "");
    const keys = [...new Set(hashes)].map((hash) => ({ PK, SK: `${prefix}${hash}` }));
    const items = await this.#table.batchGet(keys);
    return items.map((item) => ({
      hash: item["SK"]!.S!.slice(prefix.length),
      index: item["x"]?.BOOL === true,
      data: item["d"]!.B!,
    }));
  }

  /** Replaces in the items what is spilled by the bytes themselves. */
  async gather(items: readonly Item[]): Promise<void> {
    await Promise.all(
      items.flatMap((item) =>
        spilledParts(item).map(async (part) => {
          const { name, parts, hashBytes } = spillOf(part);
          const prefix = chunkKey(item["g"]?.S ?? "", "");
          const PK = item["PK"]!.S!;
          const keys = Array.from({ length: parts }, (_, at) => ({
            PK,
            SK: `${prefix}${partName(name, at)}`,
          }));
          const found = await this.#table.batchGet(keys);
          if (found.length !== parts) return;
          const byKey = new Map(found.map((each) => [each["SK"]!.S!, each["d"]!.B!]));
          const bytes = Buffer.concat(keys.map(({ SK }) => byKey.get(SK)!));
          part["c"] = { B: bytes.subarray(0, hashBytes) };
          part["b"] = { B: bytes.subarray(hashBytes) };
        }),
      ),
    );
  }
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
