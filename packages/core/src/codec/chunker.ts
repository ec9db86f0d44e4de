/**
 * Content-defined chunking: a cut depends only on the bytes since the last cut, so that a value that grew or changed
 * in one place shares all other chunks with its earlier self. A gear hash rolls over the bytes (Xia et al., FastCDC,
 * USENIX ATC 2016). Cuts are part of the stored format: they are the same in every process and release, and pinned
 * by test vectors.
 */
export interface ChunkSizes {
  min: number;
  max: number;
  /** A cut falls after the minimum where the rolling hash is below this, a 32-bit number with sign. */
  below: number;
}

/**
 * Values: about 4 KB a chunk. Most of it is the minimum, so that chunks are of much the same size: what a value that
 * grows stores again each time is the last one, half a chunk on average, and only the bytes behind the minimum are hashed.
 */
export const VALUE_SIZES: ChunkSizes = { min: 2560, max: 16_384, below: oneIn(1536) };
/** The same, about 16 KB a chunk: for stores in which to find a chunk takes longer than to read it. */
export const LARGE_VALUE_SIZES: ChunkSizes = { min: 10_240, max: 65_536, below: oneIn(6144) };

/** One random 32-bit number per byte value, from a fixed seed (xorshift32). */
const GEAR = (() => {
  const table = new Int32Array(256);
  let state = 0x1a2b3c4d;
  for (let i = 0; i < 256; i++) {
    for (let round = 0; round < 4; round++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
    }
    table[i] = state;
  }
  return table;
})();

/** What one of so many hashes is below. */
function oneIn(count: number): number {
  return -(2 ** 31) + Math.floor(2 ** 32 / count);
}

/** The end offsets of the chunks of `bytes`. */
export function cutPoints(bytes: Uint8Array, sizes: ChunkSizes = VALUE_SIZES): number[] {
  const { min, max, below } = sizes;
  const cuts: number[] = [];
  const length = bytes.byteLength;
  let start = 0;
  while (length - start > min) {
    const end = Math.min(start + max, length);
    let hash = 0;
    let at = start + min;
    let cut = end;
    // The hash has forgotten bytes older than 32 positions: warming it up over the last 32 of the minimum is enough.
    for (let warm = at - 32; warm < at; warm++) hash = ((hash << 1) + GEAR[bytes[warm]!]!) | 0;
    for (; at < end; at++) {
      hash = ((hash << 1) + GEAR[bytes[at]!]!) | 0;
      if (hash < below) {
        cut = at + 1;
        break;
      }
    }
    cuts.push(cut);
    start = cut;
  }
  if (start < length) cuts.push(length);
  return cuts;
}

/**
 * Where to cut a list of hashes into index chunks: after a hash whose first byte has its low five bits zero, so that
 * a list that grew at the end keeps all earlier index chunks.
 */
export function cutHashList(hashes: readonly Uint8Array[]): number[] {
  const MIN = 8;
  const MAX = 256;
  const cuts: number[] = [];
  let start = 0;
  for (let at = 0; at < hashes.length; at++) {
    const count = at + 1 - start;
    if ((count >= MIN && (hashes[at]![0]! & 0x1f) === 0) || count === MAX) {
      cuts.push(at + 1);
      start = at + 1;
    }
  }
  if (start < hashes.length) cuts.push(hashes.length);
  return cuts;
}
