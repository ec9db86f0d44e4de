import type { ScenarioResult } from "../report.js";
import type { CatalogueEntry, Reporter } from "./reporter.js";
import { findings, isFailure, matrixOf } from "./summary.js";
import { escapeXml } from "./xml.js";

/** The dialect that CI servers read: a suite for each saver and group, a case for each scenario. */
export const junit: Reporter = (input) => {
  const groups = matrixOf(input);
  const suites = input.runs.flatMap(({ report, notes }, column) =>
    groups.flatMap(({ name, rows }, index) => {
      const cases = rows.flatMap(({ scenario, results }) => {
        const result = results[column];
        return result === undefined ? [] : [{ scenario, result }];
      });
      if (cases.length === 0) return [];
      // JUnit has no place for what concerns the whole saver; its first suite is the nearest.
      const output =
        index === 0 && notes.length > 0
          ? [`    <system-err>${escapeXml(notes.join("\n"))}</system-err>`]
          : [];
      return [
        `  <testsuite ${attributes({ name: `${report.name} › ${name}`, ...totals(cases.map(({ result }) => result)) })}>`,
        ...cases.map(({ scenario, result }) => testCase(report.name, scenario, result)),
        ...output,
        "  </testsuite>",
      ];
    }),
  );
  const every = input.runs.flatMap(({ report }) => report.results);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name: "LangGraph checkpoint saver conformance", ...totals(every) })}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
};

function totals(results: readonly ScenarioResult[]) {
  return {
    tests: results.length,
    failures: results.filter(({ status }) => isFailure(status)).length,
    skipped: results.filter(({ status }) => isLeftOut(status)).length,
    time: seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function testCase(saver: string, { rule, why }: CatalogueEntry, result: ScenarioResult): string {
  const head = attributes({
    name: result.id,
    classname: `${saver}.${result.group}`,
    time: seconds(result.durationMs),
  });
  if (isFailure(result.status)) {
    const message = result.error?.message ?? findings(result)[0]?.text ?? "failed";
    const lines = [
      `Rule: ${rule}`,
      ...findings(result).map(({ label, text }) => `${label}: ${text}`),
      `Breaks: ${why}`,
      ...(result.error?.stack === undefined ? [] : ["", result.error.stack]),
    ];
    return `    <testcase ${head}><failure ${attributes({ message, type: result.status })}>${escapeXml(lines.join("\n"))}</failure></testcase>`;
  }
  if (isLeftOut(result.status))
    return `    <testcase ${head}><skipped ${attributes({ message: result.reason ?? result.status })}/></testcase>`;
  return `    <testcase ${head}/>`;
}

/** A known gap is neither passed nor a reason to turn a build red: JUnit calls that skipped. */
function isLeftOut(status: ScenarioResult["status"]): boolean {
  return status === "skipped" || status === "expected-failure";
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(" ");
}
