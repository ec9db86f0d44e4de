import { allCapabilities, operations } from "../capabilities.js";
import type { Capability, ConformanceReport, ScenarioResult } from "../report.js";
import type { CatalogueEntry, ReportInput, TargetRun } from "./reporter.js";

export type Status = ScenarioResult["status"];

/** A scenario beside what each saver made of it; a saver it was not tried on has a gap. */
export interface MatrixRow {
  scenario: CatalogueEntry;
  results: readonly (ScenarioResult | undefined)[];
}

export interface MatrixGroup {
  name: string;
  rows: readonly MatrixRow[];
}

export const statusGlyph: Record<Status, string> = {
  passed: "✓",
  failed: "✗",
  skipped: "–",
  "expected-failure": "≈",
  "unexpected-pass": "!",
};

export const statusWords: Record<Status, string> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  "expected-failure": "known gap",
  "unexpected-pass": "known gap that passes now",
};

const capabilityWords: Partial<Record<Capability, string>> = {
  serde: "a serializer of one's own",
  reopen: "a second instance on the same storage",
  deltaHistory: "delta channel history",
  threads: "thread management",
};

/** What the saver does not have, in words; nothing where that kept no scenario from being tried. */
export function absentWords({ capabilities, skipped }: ConformanceReport): string[] {
  if (skipped === 0) return [];
  return allCapabilities
    .filter((capability) => !capabilities[capability])
    .filter((capability) => capabilities.threads || !isOperation(capability))
    .map((capability) => capabilityWords[capability] ?? capability);
}

function isOperation(capability: Capability): boolean {
  return (operations as readonly Capability[]).includes(capability);
}

/** Whether a status counts against the saver. */
export function isFailure(status: Status): boolean {
  return status === "failed" || status === "unexpected-pass";
}

/** Scenarios by savers, grouped, in the order of the catalogue. */
export function matrixOf({ runs, catalogue }: ReportInput): MatrixGroup[] {
  const byRun = runs.map(({ report }) => new Map(report.results.map((result) => [result.id, result])));
  const groups = new Map<string, MatrixRow[]>();
  for (const scenario of orderedScenarios(runs, catalogue)) {
    const rows = groups.get(scenario.group) ?? [];
    rows.push({ scenario, results: byRun.map((results) => results.get(scenario.id)) });
    groups.set(scenario.group, rows);
  }
  return Array.from(groups, ([name, rows]) => ({ name, rows }));
}

function orderedScenarios(
  runs: readonly TargetRun[],
  catalogue: ReadonlyMap<string, CatalogueEntry>,
): CatalogueEntry[] {
  const tried = new Map<string, CatalogueEntry>();
  for (const { report } of runs)
    for (const { id, group } of report.results)
      tried.set(id, catalogue.get(id) ?? { id, group, rule: "", why: "" });
  const position = new Map(Array.from(catalogue.keys(), (id, index) => [id, index]));
  return Array.from(tried.values()).toSorted(
    (a, b) => (position.get(a.id) ?? Infinity) - (position.get(b.id) ?? Infinity) || 0,
  );
}

/** `12 passed, 1 failed, 3 skipped`: what is zero is left out, save what passed. */
export function countWords(report: ConformanceReport): string[] {
  const words = [`${report.passed} passed`];
  if (report.failed > 0) words.push(`${report.failed} failed`);
  if (report.expectedFailures > 0)
    words.push(`${report.expectedFailures} known ${report.expectedFailures === 1 ? "gap" : "gaps"}`);
  if (report.skipped > 0) words.push(`${report.skipped} skipped`);
  return words;
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** What a scenario's result has to say for itself, without the rule and the reason that its catalogue entry gives. */
export interface Finding {
  label: string;
  text: string;
  /** A value rather than a sentence: shown as it is, line breaks kept. */
  verbatim: boolean;
}

export function findings(result: ScenarioResult): Finding[] {
  const { error, reason, status } = result;
  const found: Finding[] = [];
  if (reason !== undefined)
    found.push({ label: status === "skipped" ? "Skipped" : "Declared", text: reason, verbatim: false });
  if (error === undefined) return found;
  found.push({ label: "Found", text: error.message, verbatim: false });
  if (error.expected !== undefined) found.push({ label: "Expected", text: error.expected, verbatim: true });
  if (error.actual !== undefined) found.push({ label: "Came", text: error.actual, verbatim: true });
  return found;
}
