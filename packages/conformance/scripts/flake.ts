import { parseArgs } from "node:util";

import { runConformance } from "../src/index.js";
import { catches, defects } from "../test/defects/index.js";
import { ChannelSaver, ContentSaver, SnapshotSaver } from "../test/savers/architectures.js";
import { targetOf } from "../test/savers/target.js";

// The whole proof of the kit, again and again: a wrong saver that slips through once, or a right one that is blamed
// once, is a flake of the kit.
const { values } = parseArgs({ options: { runs: { type: "string", default: "20" } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new RangeError("--runs takes a whole number from 1");

const missed = new Map<string, number>();
const blamed = new Map<string, number>();
const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
const started = performance.now();

for (let run = 1; run <= runs; run += 1) {
  const at = performance.now();
  for (const { name, caughtBy, create } of catches) {
    const { results } = await runConformance({ name, create, only: [caughtBy], timeoutScale: 3 });
    if (results[0]?.status !== "failed") count(missed, `${name} (${caughtBy})`);
  }
  for (const Saver of [SnapshotSaver, ChannelSaver, ContentSaver]) {
    const { results } = await runConformance({ ...targetOf(Saver.name, Saver), timeoutScale: 3 });
    for (const { id, status } of results) if (status !== "passed") count(blamed, `${Saver.name}: ${id}`);
  }
  const flakes = missed.size + blamed.size;
  console.log(
    `run ${run} of ${runs}: ${((performance.now() - at) / 1000).toFixed(1)} s, ${flakes} flakes so far`,
  );
}

const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `${defects.length} wrong savers (${catches.length} catches) and 3 right ones, ${runs} times, in ${seconds} s`,
);
for (const [what, times] of missed) console.log(`missed ${times} times: ${what}`);
for (const [what, times] of blamed) console.log(`blamed ${times} times: ${what}`);
console.log(`${missed.size + blamed.size} flakes`);
process.exitCode = missed.size + blamed.size === 0 ? 0 : 1;
