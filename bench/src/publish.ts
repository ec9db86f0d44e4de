import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { PLOTS, PUBLISHED, README } from "./paths.js";
import { standalone, tiled } from "./report/charts/palette.js";
import { speedCharts, storageCharts, timeCharts } from "./report/plots.js";
import { withFigures } from "./report/readme.js";
import type { Results } from "./suite/results.js";

/** Keeps the results in the repository, and makes all from them that it shows. */
export function publish(results: Results): void {
  mkdirSync(dirname(PUBLISHED), { recursive: true });
  // A line for each workload: a change shows where it is.
  const { workloads, ...rest } = results;
  const lines = workloads.map((each) => `  ${JSON.stringify(each)}`).join(",\n");
  writeFileSync(PUBLISHED, `${JSON.stringify(rest).slice(0, -1)},"workloads":[\n${lines}\n]}\n`);
  for (const [name, svg] of Object.entries(plots(results))) {
    mkdirSync(PLOTS, { recursive: true });
    writeFileSync(join(PLOTS, name), svg);
  }
  writeFileSync(README, withFigures(readFileSync(README, "utf8"), results));
}

export function plots(results: Results): Record<string, string> {
  return {
    "storage.svg": standalone(tiled(storageCharts(results), 2), "Bytes stored by turn"),
    "turn-time.svg": standalone(tiled(timeCharts(results), 2), "Time of a turn by turn"),
    "ratios.svg": standalone(tiled(speedCharts(results), 2), "Times better than the peer, by workload"),
  };
}

export function published(): Results {
  return JSON.parse(readFileSync(PUBLISHED, "utf8")) as Results;
}
