import { cutHashList, cutPoints, VALUE_SIZES, type ChunkSizes } from "./chunker.js";
import { hashToString, listedHashes } from "./hash.js";

/** Where a value's bytes are: in the record itself, or in chunks. */
export type ValueRef =
  | { type: string; inline: Uint8Array }
  | {
      type: string;
      length: number;
      /** 0: `hashes` are the value's chunks; n: index chunks, n levels above. */ depth: number;
      hashes: string[];
    };

/** Values up to this size stay in the record, also where they are carried over from one to the next. */
const INLINE_BYTES = 1024;
/** The same for what is new: a chunk serves nobody before a second record needs it. */
export const PASSING_INLINE_BYTES = 4096;
/** Past this many inline bytes in one record, even small values move to chunks, so that no record grows large. */
const INLINE_BUDGET = 32_768;
const SMALLEST_CHUNKED = 64;
/** A longer list of hashes is itself cut into index chunks. */
const MAX_LISTED = 8;

/** A chunk before it is sealed. */
export interface PlainChunk {
  /** The hash as text. */
  name: string;
  hash: Buffer;
  index: boolean;
  plain: Uint8Array;
}

export type Address = (plain: Uint8Array, index: boolean) => Buffer;

/** Collects the chunks of the values that go into one record. */
export class ChunkCollector {
  readonly chunks = new Map<string, PlainChunk>();
  /** Of all values together. */
  bytes = 0;
  /** Of those that stay in the record. */
  inlineBytes = 0;
  readonly #address: Address;
  readonly #sizes: ChunkSizes;

  constructor(address: Address, sizes: ChunkSizes = VALUE_SIZES) {
    this.#address = address;
    this.#sizes = sizes;
  }

  add(type: string, bytes: Uint8Array, mostInline = INLINE_BYTES): ValueRef {
    const size = bytes.byteLength;
    this.bytes += size;
    const fits = this.inlineBytes + size <= INLINE_BUDGET;
    if (size <= mostInline && (fits || size < SMALLEST_CHUNKED)) {
      this.inlineBytes += size;
      return { type, inline: bytes };
    }
    let chunks: PlainChunk[] = [];
    let start = 0;
    for (const end of cutPoints(bytes, this.#sizes)) {
      chunks.push(this.#keep(bytes.subarray(start, end), false));
      start = end;
    }
    let depth = 0;
    while (chunks.length > MAX_LISTED) {
      const hashes = chunks.map(({ hash }) => hash);
      const level: PlainChunk[] = [];
      let first = 0;
      for (const end of cutHashList(hashes)) {
        level.push(this.#keep(Buffer.concat(hashes.slice(first, end)), true));
        first = end;
      }
      chunks = level;
      depth += 1;
    }
    return { type, length: size, depth, hashes: chunks.map(({ name }) => name) };
  }

  /** A value of an earlier record: what is too large to be in every record from there on moves to chunks. */
  carry(ref: ValueRef): ValueRef {
    return "inline" in ref && ref.inline.byteLength > INLINE_BYTES ? this.add(ref.type, ref.inline) : ref;
  }

  #keep(plain: Uint8Array, index: boolean): PlainChunk {
    const hash = this.#address(plain, index);
    const chunk = { name: hashToString(hash), hash, index, plain };
    this.chunks.set(chunk.name, chunk);
    return chunk;
  }
}

/**
 * The leaf hashes of a value, or undefined when index chunks are still to be fetched: their hashes are then in
 * `missing`.
 */
export function leafHashes(
  ref: ValueRef,
  chunk: (hash: string) => Uint8Array | undefined,
  missing: Set<string>,
): string[] | undefined {
  if ("inline" in ref) return [];
  let hashes = ref.hashes;
  for (let level = 0; level < ref.depth; level++) {
    const below: string[] = [];
    let complete = true;
    for (const hash of hashes) {
      const plain = chunk(hash);
      if (plain === undefined) {
        missing.add(hash);
        complete = false;
      } else {
        for (const listed of listedHashes(plain)) below.push(listed);
      }
    }
    if (!complete) return undefined;
    hashes = below;
  }
  return hashes;
}

/** Puts a value's bytes together, in memory of their own; every chunk must be there. */
export function assemble(ref: ValueRef, chunk: (hash: string) => Uint8Array | undefined): Uint8Array {
  if ("inline" in ref) return new Uint8Array(ref.inline);
  const leaves = leafHashes(ref, chunk, new Set()) ?? [];
  const parts = leaves.map((hash) => {
    const plain = chunk(hash);
    if (plain === undefined) throw new Error("a chunk is missing");
    return plain;
  });
  const bytes = Buffer.concat(parts);
  if (bytes.byteLength !== ref.length)
    throw new Error(`expected ${ref.length} bytes, found ${bytes.byteLength}`);
  return bytes;
}
