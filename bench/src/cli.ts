import { setMaxListeners } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";

import { readArguments, USAGE, type Arguments } from "./arguments.js";
import { BUDGET, OUT, OUT_REPORT, OUT_RESULTS } from "./paths.js";
import { publish } from "./publish.js";
import { htmlReport } from "./report/html.js";
import { terminalReport } from "./report/table.js";
import { checkBudget, readBudget } from "./suite/budget.js";
import type { Results } from "./suite/results.js";
import { run } from "./suite/run.js";
import { WORKLOADS } from "./workloads/index.js";

// LangGraph listens to one signal from every branch, and an SDK warns of the age of Node: neither is the reader's matter.
setMaxListeners(0);
process.removeAllListeners("warning");

try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function main(options: Arguments): Promise<void> {
  if (options.show === "usage") console.log(USAGE);
  else if (options.show === "workloads")
    for (const { id, title } of WORKLOADS) console.log(`${id.padEnd(14)}${title}`);
  else await measure(options);
}

async function measure(options: Arguments): Promise<void> {
  const { from, check } = options;
  const results =
    from === undefined
      ? await run({ ...options, command: ["pnpm bench", ...process.argv.slice(2)].join(" ") })
      : (JSON.parse(readFileSync(from, "utf8")) as Results);
  const budget = checkBudget(readBudget(BUDGET), results);
  mkdirSync(OUT, { recursive: true });
  writeFileSync(OUT_RESULTS, JSON.stringify(results));
  writeFileSync(OUT_REPORT, htmlReport(results, budget));
  console.log(terminalReport(results, check ? budget : []));
  console.log(
    `\nReport: ${relative(process.cwd(), OUT_REPORT)}   Results: ${relative(process.cwd(), OUT_RESULTS)}`,
  );
  if (options.publish) publish(results);
  if (check && budget.some(({ holds }) => !holds)) process.exitCode = 1;
}
