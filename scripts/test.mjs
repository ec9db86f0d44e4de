// `npm test`: everything from a fresh clone to the last test, with nothing but Node and npm on the machine.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endChildrenOnSignal, run } from "./child.mjs";
import { readResult, removeReports, testedPackages } from "./reports.mjs";
import { environment, install } from "./set-up.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const totals = { passed: 0, failed: 0 };

let env = environment();

endChildrenOnSignal();
try {
  await main();
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  totals.failed += 1;
}
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;

async function main() {
  // Not counted: without them nothing runs, and with them nothing is checked yet.
  const installed = await step("install", async () => {
    const installation = await install(root, env);
    env = installation.env;
    return installation.result;
  });
  if (!installed) {
    totals.failed += 1;
    return;
  }

  await check("format", "format:check");
  await check("knip", "knip");
  if (!(await check("build", "build"))) {
    console.log("Without a build: no lint, no types, no package checks, no tests.");
    return;
  }
  // After the build: the type-aware rules read the types that packages have of each other in dist/.
  await check("lint", "lint");
  await check("types", "typecheck");
  await check("package checks", "check:package");
  await test();
}

async function test() {
  const packages = testedPackages(root);
  removeReports(packages);
  // One package at a time: each takes all cores by itself, and servers that starve look like servers that are down.
  const ran = await step("tests", () => turbo("test", "--concurrency=1"));
  const results = packages.map(readResult);
  for (const { name, passed, failed, problems } of results) {
    console.log(`    ${name}: ${passed} passed, ${failed} failed`);
    for (const problem of problems) console.log(`      ${problem}`);
    totals.passed += passed;
    totals.failed += failed;
  }
  const tested = results.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
  if (tested === 0) console.log("    No test ran.");
  // A step that fails, or that runs nothing, must not look like a success only because no report says so.
  if (tested === 0 || (!ran && results.every(({ failed }) => failed === 0))) totals.failed += 1;
}

/**
 * A step that counts as one test.
 *
 * @param {string} name
 * @param {string} task
 */
async function check(name, task) {
  const passed = await step(name, () => turbo(task));
  totals[passed ? "passed" : "failed"] += 1;
  return passed;
}

/**
 * @param {string} task
 * @param {string[]} more
 */
function turbo(task, ...more) {
  const args = ["run", task, "--output-logs=errors-only", "--continue=dependencies-successful", ...more];
  return run(join(root, "node_modules", ".bin", "turbo"), args, { cwd: root, env });
}

/**
 * Says what runs, how it ended and how long it took; shows the output only of what failed.
 *
 * @param {string} name
 * @param {() => Promise<{ code: number, output: string }>} work
 */
async function step(name, work) {
  console.log(`▶ ${name}`);
  const start = performance.now();
  const { code, output } = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (code !== 0) console.log(output.trimEnd());
  const cached = /(\d+) cached, (\d+) total/.exec(output);
  console.log(
    `  ${code === 0 ? "✓" : "✗"} ${name} (${seconds} s${cached ? `, ${cached[1]} of ${cached[2]} cached` : ""})`,
  );
  return code === 0;
}
