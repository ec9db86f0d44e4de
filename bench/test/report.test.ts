import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { PLOTS, README } from "../src/paths.js";
import { plots, published } from "../src/publish.js";
import { apart, lineChart, niceTicks } from "../src/report/charts/line-chart.js";
import { standalone } from "../src/report/charts/palette.js";
import { ratioChart } from "../src/report/charts/ratio-chart.js";
import { htmlReport } from "../src/report/html.js";
import { markdownTable, withFigures } from "../src/report/readme.js";
import { barLine } from "../src/suite/progress.js";
import { outcome, resultsOf } from "./sample.js";

const results = resultsOf([
  outcome("mongodb", { time: [2, 2], stored: [100, 100] }, 30),
  outcome("mongodb-official", { time: [4, 5], stored: [9000, 9000] }, 30, 300),
]);

describe("charts", () => {
  it("ticks are round and reach beyond the greatest", () => {
    expect(niceTicks(321)).toEqual([0, 100, 200, 300, 400]);
    expect(niceTicks(0.7)).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
    expect(niceTicks(0)).toEqual([0, 1]);
  });

  it.each([[[200, 202, 201]], [[45, 44, 46]]])(
    "labels of curves that end together, at %j, lie apart",
    (ends) => {
      const spots = apart(ends).toSorted((a, b) => a - b);
      expect(spots[1]! - spots[0]!).toBeGreaterThanOrEqual(30);
      expect(spots[2]! - spots[1]!).toBeGreaterThanOrEqual(30);
    },
  );

  it("a line chart has a path for each curve, and what it is named is data", () => {
    const curve = {
      label: "<b>",
      role: "ours",
      points: [
        [1, 1],
        [2, 4],
      ] as [number, number][],
    } as const;
    const { body } = lineChart({
      title: "t",
      xLabel: "turn",
      unit: "bytes",
      curves: [curve, { ...curve, role: "peer" }],
    });
    expect(body.match(/<path /g)).toHaveLength(2);
    expect(body).not.toContain("<b>");
  });

  it("a bar for what is worse goes to the left of 1×", () => {
    const bar = (median: number) =>
      ratioChart("t", "", [{ label: "a", ratio: { median, low: median, high: median } }]).body;
    expect(bar(0.5)).toContain('class="peer"');
    expect(bar(5)).toContain('class="ours"');
  });

  it("a picture of its own carries its style, for light and dark", () => {
    const svg = standalone({ width: 10, height: 10, body: "" }, "empty");
    expect(svg).toMatch(/^<svg xmlns.*prefers-color-scheme:dark.*<\/svg>\n$/s);
  });
});

describe("the page", () => {
  it("needs nothing else and holds the figures", () => {
    const page = htmlReport(results, [{ what: "a", found: "1×", wanted: "at least 2×", holds: false }]);
    expect(page).not.toMatch(/<script|src=|href=|https?:(?!\/\/www\.w3\.org)/);
    expect(page).toContain("90×");
    expect(page).toContain("missed");
    expect(page).not.toContain("<fast>");
  });
});

describe("the README", () => {
  it("has the figures and pictures of the published results, and none by hand", () => {
    const text = readFileSync(README, "utf8");
    expect(text === withFigures(text, published()), "run `pnpm bench:readme`").toBe(true);
    for (const [name, svg] of Object.entries(plots(published())))
      expect(readFileSync(join(PLOTS, name), "utf8") === svg, `${name}: run \`pnpm bench:readme\``).toBe(
        true,
      );
  });

  it("pads its table as the formatter does", () => {
    expect(markdownTable(["a", "bb"], [["1×", "2"]])).toBe("| a  | bb |\n| -- | -- |\n| 1× | 2  |");
  });
});

describe("the progress bar", () => {
  it("counts jobs by how long they take", () => {
    const jobs = [
      { name: "short", seconds: 10 },
      { name: "long", seconds: 30 },
    ];
    expect(barLine(jobs, 1, 0.5, 60_000, "turn 5")).toMatch(
      /^█+░+ +63% {2}1:00, 0:36 left {2}long · turn 5$/,
    );
    expect(barLine(jobs, 0, 0, 0, "")).toMatch(/ 0% {2}0:00 {2}short$/);
  });
});
