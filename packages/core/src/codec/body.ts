import type { ValueRef } from "./value-ref.js";

/**
 * The inside of a sealed body: a JSON head, then the inline values' bytes one after the other. References count into
 * the record's own list of chunks instead of repeating its hashes.
 */
export interface Body<Head> {
  head: Head;
  refs: ValueRef[];
}

/** `[type, inline length]` or `[type, length, depth, number of hashes]`. */
type PackedRef = [string, number] | [string, number, number, number];

export function packBody(head: unknown, refs: readonly ValueRef[]): { plain: Uint8Array; chunks: string[] } {
  const packed: PackedRef[] = [];
  const chunks: string[] = [];
  let inline = 0;
  for (const ref of refs) {
    if ("inline" in ref) {
      packed.push([ref.type, ref.inline.byteLength]);
      inline += ref.inline.byteLength;
    } else {
      packed.push([ref.type, ref.length, ref.depth, ref.hashes.length]);
      for (const hash of ref.hashes) chunks.push(hash);
    }
  }
  const text = JSON.stringify([head, packed]);
  const textBytes = Buffer.byteLength(text);
  const plain = Buffer.allocUnsafe(4 + textBytes + inline);
  plain.writeUInt32BE(textBytes);
  let at = 4 + plain.write(text, 4);
  for (const ref of refs) {
    if (!("inline" in ref)) continue;
    plain.set(ref.inline, at);
    at += ref.inline.byteLength;
  }
  return { plain, chunks };
}

/** Throws when the parts do not add up. */
export function unpackBody<Head>(plain: Uint8Array, chunks: readonly string[]): Body<Head> {
  const bytes = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
  if (bytes.byteLength < 4) throw new Error("its head is cut short");
  let at = 4 + bytes.readUInt32BE(0);
  if (at > bytes.byteLength) throw new Error("its head is cut short");
  const [head, packed] = JSON.parse(bytes.toString("utf8", 4, at)) as [Head, PackedRef[]];
  let next = 0;
  const refs = packed.map((ref): ValueRef => {
    const [type, length, depth, count] = ref;
    if (depth === undefined || count === undefined) {
      const inline = bytes.subarray(at, (at += length));
      return { type, inline };
    }
    return { type, length, depth, hashes: chunks.slice(next, (next += count)) };
  });
  if (at !== bytes.byteLength || next !== chunks.length) throw new Error("its parts do not add up");
  return { head, refs };
}
