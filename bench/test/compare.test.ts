import { describe, expect, it } from "vitest";

import { compareAll, ratioOf, verdict } from "../src/suite/compare.js";
import { ratio, spread, value } from "../src/suite/format.js";
import { median, quantile, thinned } from "../src/suite/numbers.js";
import { outcome, resultsOf } from "./sample.js";

describe("ratios", () => {
  it("are the peer's figure over ours, repetition by repetition", () => {
    expect(ratioOf([1, 2, 4], [10, 10, 10])).toEqual({ median: 5, low: 2.5, high: 10 });
  });

  it("of nothing beside nothing are 1", () => {
    expect(ratioOf([0], [0]).median).toBe(1);
    expect(ratioOf([0], [3]).median).toBe(Infinity);
  });

  it("close to 1 are level", () => {
    expect([1.2, 1.01, 0.97, 0.8].map((each) => verdict({ median: each, low: each, high: each }))).toEqual([
      "ahead",
      "level",
      "level",
      "behind",
    ]);
  });

  it("are made for the pairs that were run, of the measures that both have", () => {
    const found = compareAll(
      resultsOf([
        outcome("mongodb", { time: [2, 2], roundTrips: [6, 6] }),
        outcome("mongodb-official", { time: [4, 8] }),
        outcome("file-sync", { time: [1, 1] }),
      ]),
    );
    expect(found).toEqual([
      {
        workload: "chat-1k",
        measure: "time",
        ours: "mongodb",
        peer: "mongodb-official",
        oursValue: 2,
        peerValue: 6,
        ratio: { median: 3, low: 2, high: 4 },
      },
    ]);
  });
});

describe("numbers", () => {
  it("median and quantile interpolate", () => {
    expect(median([3, 1, 2, 4])).toBe(2.5);
    expect(quantile([0, 10], 0.95)).toBeCloseTo(9.5);
    expect(median([])).toBeNaN();
  });

  it("a long curve is thinned to medians of neighbours", () => {
    const points = Array.from({ length: 10 }, (_, at): [number, number] => [at + 1, at === 4 ? 1000 : at]);
    expect(thinned(points, 5)).toEqual([
      [2, 0.5],
      [4, 2.5],
      [6, 502.5],
      [8, 6.5],
      [10, 8.5],
    ]);
    expect(thinned(points, 10)).toEqual(points);
  });

  it("are shown with the digits that count", () => {
    expect([0.734, 2.345, 12.34, 329.4].map(ratio)).toEqual(["0.73×", "2.3×", "12.3×", "329×"]);
    expect(spread({ median: 2, low: 1.9, high: 2.2 })).toBe("1.9–2.2×");
    expect(spread({ median: 2, low: 2, high: 2 })).toBe("");
    expect([12, 4070, 321_000_000].map((each) => value(each, "bytes"))).toEqual(["12 B", "4.1 KB", "321 MB"]);
    expect([0.25, 5.1, 2500].map((each) => value(each, "ms"))).toEqual(["0.25 ms", "5.1 ms", "2.50 s"]);
  });
});
