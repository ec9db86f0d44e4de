import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { cutHashList, cutPoints, VALUE_SIZES } from "../../src/codec/chunker.js";
import { pseudoRandomBytes } from "../support.js";

const VECTOR_1 = [4607, 8542, 12919, 16858, 19925, 25119, 28994, 34400, 39459, 40000];
const VECTOR_2 = [5903, 8905, 11758, 16345, 21148, 23929, 28858, 33156, 39616, 40000];
const VECTOR_TEXT = [16384, 25000];
const VECTOR_HASHES = [23, 279, 297, 331, 365, 399, 433, 467, 500];

/** The bytes between cuts. */
function pieces(bytes: Uint8Array): string[] {
  let start = 0;
  return cutPoints(bytes).map((end) => {
    const piece = Buffer.from(bytes.subarray(start, end)).toString("base64");
    start = end;
    return piece;
  });
}

describe("chunker", () => {
  it("cuts at the pinned places: they are part of the stored format", () => {
    expect(cutPoints(pseudoRandomBytes(40_000, 1))).toEqual(VECTOR_1);
    expect(cutPoints(pseudoRandomBytes(40_000, 2))).toEqual(VECTOR_2);
    expect(cutPoints(new Uint8Array(40_000))).toEqual([16_384, 32_768, 40_000]);
    expect(cutPoints(Buffer.from("the same sentence again. ".repeat(1000)))).toEqual(VECTOR_TEXT);
  });

  it("makes no cut in what is not longer than the minimum", () => {
    expect(cutPoints(new Uint8Array(0))).toEqual([]);
    expect(cutPoints(new Uint8Array(1))).toEqual([1]);
    expect(cutPoints(new Uint8Array(VALUE_SIZES.min))).toEqual([VALUE_SIZES.min]);
  });

  it("covers every byte once, with pieces between minimum and maximum", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), fc.integer(), (length, seed) => {
        const cuts = cutPoints(pseudoRandomBytes(length, seed));
        expect(cuts.at(-1)).toBe(length);
        const sizes = cuts.map((end, at) => end - (cuts[at - 1] ?? 0));
        expect(Math.max(...sizes)).toBeLessThanOrEqual(VALUE_SIZES.max);
        expect(Math.min(...sizes.slice(0, -1), Infinity)).toBeGreaterThanOrEqual(VALUE_SIZES.min);
      }),
      { numRuns: 50 },
    );
  });

  it("keeps all pieces but one or two when a value grows at the end or changes in the middle", () => {
    const bytes = pseudoRandomBytes(400_000, 7);
    const before = new Set(pieces(bytes));
    const grown = pieces(Buffer.concat([bytes, pseudoRandomBytes(2000, 8)]));
    expect(grown.filter((piece) => !before.has(piece)).length).toBeLessThanOrEqual(2);
    const inserted = pieces(
      Buffer.concat([bytes.subarray(0, 200_000), Buffer.from("x"), bytes.subarray(200_000)]),
    );
    expect(inserted.filter((piece) => !before.has(piece)).length).toBeLessThanOrEqual(2);
  });

  it("cuts lists of hashes by their content too", () => {
    const hashes = Array.from({ length: 500 }, (_, at) => pseudoRandomBytes(20, at + 1000));
    const cuts = cutHashList(hashes);
    expect(cuts).toEqual(VECTOR_HASHES);
    expect(cutHashList([...hashes, ...hashes.slice(0, 20)]).slice(0, cuts.length - 1)).toEqual(
      cuts.slice(0, -1),
    );
    expect(cutHashList(Array.from({ length: 600 }, () => new Uint8Array(20).fill(1)))).toEqual([
      256, 512, 600,
    ]);
  });
});
