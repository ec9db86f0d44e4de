import { deflateRawSync, inflateRawSync } from "node:zlib";

/** `"deflate"` compresses what gets smaller by it; `"none"` stores as is. Either reads both. */
export type Compression = "deflate" | "none";

/** Below this, what deflate saves is less than what it costs. */
const WORTH_TRYING = 128;

/** The compressed bytes, or undefined where compression does not help. */
export function compress(bytes: Uint8Array, compression: Compression): Uint8Array | undefined {
  if (compression === "none" || bytes.byteLength < WORTH_TRYING) return undefined;
  const packed = deflateRawSync(bytes, { level: 5, memLevel: 7 });
  return packed.byteLength < bytes.byteLength - (bytes.byteLength >> 4) ? packed : undefined;
}

/** `length` is the exact size that must come out: it bounds what a damaged stream can make us allocate. */
export function decompress(bytes: Uint8Array, length: number): Uint8Array {
  const plain = inflateRawSync(bytes, { maxOutputLength: Math.max(length, 1) });
  if (plain.byteLength !== length) throw new Error(`expected ${length} bytes, found ${plain.byteLength}`);
  return plain;
}
