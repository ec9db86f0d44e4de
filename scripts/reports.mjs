import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", ".git", ".turbo", ".tools"]);

/**
 * A package that has a `test` script, found by walking the tree: one that the workspace forgot is found too,
 * and counts as failed because it has no report.
 *
 * @typedef {{ name: string, results: string }} TestedPackage
 * @typedef {{ name: string, passed: number, failed: number, problems: string[] }} PackageResult
 */

/**
 * @param {string} root
 * @returns {TestedPackage[]}
 */
export function testedPackages(root) {
  /** @type {TestedPackage[]} */
  const found = [];
  /** @param {string} folder */
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) walk(path);
      if (entry.name !== "package.json" || folder === root) continue;
      const manifest = JSON.parse(readFileSync(path, "utf8"));
      if (manifest.scripts?.test) found.push({ name: manifest.name, results: join(folder, ".results") });
    }
  };
  walk(root);
  return found.toSorted((a, b) => a.name.localeCompare(b.name));
}

/**
 * Turbo restores the reports of what it need not run again; whatever else lies there is stale.
 *
 * @param {TestedPackage[]} packages
 */
export function removeReports(packages) {
  for (const { results } of packages) rmSync(results, { recursive: true, force: true });
}

/**
 * @param {TestedPackage} tested
 * @returns {PackageResult}
 */
export function readResult({ name, results }) {
  /** @type {PackageResult} */
  const result = { name, passed: 0, failed: 0, problems: [] };
  const reports = existsSync(results) ? readdirSync(results).filter((file) => file.endsWith(".json")) : [];
  if (reports.length === 0) fail(result, 1, "no test report");
  for (const report of reports) addReport(result, join(results, report));
  return result;
}

/**
 * @param {PackageResult} result
 * @param {string} file a report of vitest's JSON reporter
 */
function addReport(result, file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    fail(result, 1, `unreadable report ${file}: ${String(error)}`);
    return;
  }
  const before = result.failed;
  result.passed += report.numPassedTests;
  if (report.numFailedTests > 0) fail(result, report.numFailedTests, `${report.numFailedTests} failed`);
  for (const suite of report.testResults) {
    /** @type {{ fullName: string, status: string }[]} */
    const tests = suite.assertionResults;
    // A file that does not load, or whose hook fails, has no failed test to show for it.
    if (suite.status === "failed" && !tests.some((test) => test.status === "failed")) {
      fail(result, 1, `${suite.name}: ${suite.message || "failed outside its tests"}`);
    }
    for (const test of tests) {
      if (test.status !== "passed" && test.status !== "failed")
        fail(result, 1, `${test.status}: ${test.fullName}`);
    }
  }
  // An unhandled rejection belongs to no test.
  if (!report.success && result.failed === before)
    fail(result, 1, "vitest reports a failure outside the tests");
  if (report.numTotalTests === 0) fail(result, 1, "no test ran");
}

/**
 * @param {PackageResult} result
 * @param {number} count
 * @param {string} problem
 */
function fail(result, count, problem) {
  result.failed += count;
  result.problems.push(problem);
}
