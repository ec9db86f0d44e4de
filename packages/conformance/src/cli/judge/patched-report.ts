import { everyCapability, operations } from "../../capabilities.js";
import type { Capability, ConformanceReport, ScenarioResult } from "../../report.js";
import type { CatalogueEntry } from "../../reporters/reporter.js";

/**
 * The report of a saver that ended the process it ran in: no process has seen all of it, and there is no level for a
 * saver that does such a thing.
 */
export function patchedReport(
  name: string,
  results: ScenarioResult[],
  scenarios: readonly CatalogueEntry[],
  durationMs: number,
): ConformanceReport {
  const count = (...statuses: ScenarioResult["status"][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  return {
    name,
    level: "not conformant",
    passed: count("passed"),
    failed: count("failed", "unexpected-pass"),
    skipped: count("skipped"),
    expectedFailures: count("expected-failure"),
    durationMs: Math.round(durationMs),
    capabilities: seenCapabilities(results, scenarios),
    results,
  };
}

/** Present is what some scenario that needs it was tried with. */
function seenCapabilities(
  results: readonly ScenarioResult[],
  scenarios: readonly CatalogueEntry[],
): Record<Capability, boolean> {
  const tried = new Set(results.flatMap(({ id, status }) => (status === "skipped" ? [] : [id])));
  const has = (capability: Capability) =>
    scenarios.some(({ id, needs }) => tried.has(id) && needs?.includes(capability) === true);
  return { ...everyCapability(has), threads: operations.some(has) };
}
