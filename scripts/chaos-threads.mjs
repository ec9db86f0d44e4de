// `pnpm chaos:threads`: the long version of the tests that manage threads beside running graphs, and compete for leases.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { spawnSync } from "node:child_process";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    turns: { type: "string", default: "1000" },
    only: { type: "string", multiple: true, default: ["file", "mongodb", "dynamodb"] },
  },
});
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const env = {
  ...process.env,
  SAVERS_STRESS_SECONDS: values.seconds,
  SAVERS_LEASE_TURNS: values.turns,
};
for (const name of values.only) {
  const args = [
    "--filter",
    `@langgraph-savers/${name}`,
    "exec",
    "vitest",
    "run",
    "test/suites/processes.test.ts",
  ];
  const { status } = spawnSync("pnpm", args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
