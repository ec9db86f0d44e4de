// `pnpm chaos:replication`: the long versions of the tests in which the sides of a ReplicatedSaver are killed and paused.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const TESTS = { core: "test/wrappers/replication/stress.test.ts", mongodb: "test/replication.test.ts" };

const { values } = parseArgs({
  options: {
    faults: { type: "string", default: "50" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
    only: { type: "string", multiple: true, default: Object.keys(TESTS) },
  },
});
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const env = {
  ...process.env,
  REPLICATION_STRESS_FAULTS: values.faults,
  REPLICATION_STRESS_SEED: values.seed,
};
console.log(`${values.faults} faults, seed ${values.seed}`);
for (const name of values.only) {
  const args = ["--filter", `@langgraph-savers/${name}`, "exec", "vitest", "run", TESTS[name]];
  const { status } = spawnSync("pnpm", args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
