/**
 * The "json+bytes" container: JSON text, then the binary segments, then a trailer:
 *
 *     u32le length of the JSON | u32le length of each segment … | u32le number of segments | "LGS1"
 *
 * The trailer is last so that a writer needs no second pass over the JSON, and so that the text stays readable at the
 * start of a stored value.
 */
import { isUtf8 } from "node:buffer";

const MAGIC = 0x3153474c; // "LGS1", little endian
const MAX_U32 = 0xffffffff;
const WORD = 4;

const encoder = new TextEncoder();

/** What Buffer does not take from memory that it shares out: below this, a few bytes kept would keep much more. */
const OWN_MEMORY = Buffer.poolSize;

export function encodeText(text: string): Uint8Array {
  return text.length < OWN_MEMORY ? encoder.encode(text) : Buffer.from(text);
}

export function decodeText(data: Uint8Array): string {
  // Decoders replace damaged bytes without a word, and the `fatal` mode of TextDecoder costs half as much again as this check.
  if (!isUtf8(data)) throw new Error("Malformed serialized value: the text is not valid UTF-8");
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8");
}

export function pack(json: Uint8Array, segments: readonly Uint8Array[]): Uint8Array {
  const parts = [json, ...segments];
  const trailer = (parts.length + 2) * WORD;
  let total = trailer;
  for (const part of parts) {
    if (part.byteLength > MAX_U32) throw new RangeError("A binary segment is longer than 4 GiB");
    total += part.byteLength;
  }
  const out = new Uint8Array(total);
  const view = new DataView(out.buffer);
  let at = 0;
  let word = total - trailer;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
    view.setUint32(word, part.byteLength, true);
    word += WORD;
  }
  view.setUint32(word, segments.length, true);
  view.setUint32(word + WORD, MAGIC, true);
  return out;
}

/** The parts are views on `data`, not copies. */
export function unpack(data: Uint8Array): { json: Uint8Array; segments: Uint8Array[] } {
  const total = data.byteLength;
  if (total < 3 * WORD) throw malformed("it is shorter than its trailer");
  const view = new DataView(data.buffer, data.byteOffset, total);
  if (view.getUint32(total - WORD, true) !== MAGIC) throw malformed("its end mark is missing");
  const count = view.getUint32(total - 2 * WORD, true);
  const trailer = (count + 3) * WORD;
  if (trailer > total) throw malformed("it names more segments than it can hold");

  const parts: Uint8Array[] = [];
  const body = total - trailer;
  let at = 0;
  for (let i = 0; i <= count; i++) {
    const length = view.getUint32(body + i * WORD, true);
    if (length > body - at) throw malformed("a segment reaches beyond its end");
    parts.push(data.subarray(at, at + length));
    at += length;
  }
  if (at !== body) throw malformed("its segments do not add up to its length");
  const [json, ...segments] = parts;
  return { json: json!, segments };
}

function malformed(why: string): Error {
  return new Error(`Malformed "json+bytes" value: ${why}`);
}
