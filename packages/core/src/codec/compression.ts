import { deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * - `"deflate"`: compresses every piece that gets smaller by it.
 * - `"auto"`: only where that is cheap beside the rest of the call, which is where a value has grown or changed in part:
 *   a value that is new as a whole is stored as it is. Writing never takes much longer than with `"none"`.
 * - `"none"`: stores as is.
 *
 * Each of them reads what the others wrote.
 */
export type Compression = "deflate" | "auto" | "none";

/** Below this, what deflate saves is less than what it costs. */
const WORTH_TRYING = 128;

/** To deflate a byte takes about this many times what all other work on it takes. */
const COST = 4;

/** Whether to compress, in a call that stores `fresh` of the `all` bytes that it had to look at. */
export function pays(compression: Compression, fresh: number, all: number): boolean {
  return compression === "deflate" || (compression === "auto" && fresh * COST <= all);
}

/** The compressed bytes, or undefined where compression does not help. */
export function compress(bytes: Uint8Array): Uint8Array | undefined {
  const size = bytes.byteLength;
  if (size < WORTH_TRYING) return undefined;
  // A window and an output no larger than the input: most of the time for a small piece goes to preparing them.
  const windowBits = Math.min(15, Math.max(9, 32 - Math.clz32(size - 1)));
  const packed = deflateRawSync(bytes, { level: 3, memLevel: 7, windowBits, chunkSize: size });
  return packed.byteLength < size - (size >> 4) ? packed : undefined;
}

/** `length` is the exact size that must come out: it bounds what a damaged stream can make us allocate. */
export function decompress(bytes: Uint8Array, length: number): Uint8Array {
  const plain = inflateRawSync(bytes, { maxOutputLength: Math.max(length, 1) });
  if (plain.byteLength !== length) throw new Error(`expected ${length} bytes, found ${plain.byteLength}`);
  return plain;
}
