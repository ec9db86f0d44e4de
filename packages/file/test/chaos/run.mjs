// `pnpm chaos:file [--kills N] [--seed N]`
import { parseArgs } from "node:util";
import { storm } from "./storm.mjs";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  options: {
    kills: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1e9) },
  },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error("Usage: pnpm chaos:file [--kills N] [--seed N]");
  process.exit(2);
}
console.log(`4 writers and 2 compactors on one directory, ${kills} kills, seed ${seed}`);
const started = performance.now();
const { problems, ...figures } = await storm({ kills, seed, onKill: progress });
if (process.stdout.isTTY) process.stdout.write("\n");
console.table({ ...figures, seconds: Math.round((performance.now() - started) / 1000) });
for (const problem of problems.slice(0, 20)) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** @param {number} done */
function progress(done) {
  const line = `${done} of ${kills} kills`;
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
  else if (done % 100 === 0) console.log(line);
}
