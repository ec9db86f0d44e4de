import { padEnd, type Paint, printable, wrap } from "@langgraph-savers/command/terminal";

import type { ScenarioResult } from "../../report.js";
import type { CatalogueEntry, TargetRun } from "../reporter.js";
import { type Finding, findings, isFailure, type MatrixGroup, statusGlyph } from "../summary.js";

const LABEL_WIDTH = 10;
/** The other reports name them all. */
const MOST_NAMED = 8;

interface Failure {
  scenario: CatalogueEntry;
  result: ScenarioResult;
  saver: string;
}

/** Each failure: the rule, what was found, and what it breaks. */
export function failures(
  groups: readonly MatrixGroup[],
  runs: readonly TargetRun[],
  columns: number,
  paint: Paint,
): string {
  const failed = groups
    .flatMap(({ rows }) => rows)
    .flatMap(({ scenario, results }) =>
      results.flatMap((result, column): Failure[] =>
        result !== undefined && isFailure(result.status)
          ? [{ scenario, result, saver: runs[column]?.report.name ?? "" }]
          : [],
      ),
    );
  return sameFindings(failed)
    .map((alike) => explain(alike, runs.length > 1, columns, paint))
    .join("\n\n");
}

/**
 * Failures that found word for word the same go together: a `create` that throws fails every scenario, and need not
 * be told a hundred times.
 */
function sameFindings(failed: readonly Failure[]): Failure[][] {
  const alike = new Map<string, Failure[]>();
  for (const failure of failed) {
    const key = JSON.stringify([failure.saver, findings(failure.result)]);
    alike.set(key, [...(alike.get(key) ?? []), failure]);
  }
  return Array.from(alike.values());
}

function explain(alike: readonly Failure[], nameSaver: boolean, columns: number, paint: Paint): string {
  const [first, ...others] = alike;
  if (first === undefined) return "";
  const { scenario, result, saver } = first;
  const title = `${statusGlyph[result.status]} ${paint.bold(scenario.id)}`;
  const lines = [
    paint.red(title),
    ...(nameSaver ? entry({ label: "Saver", text: saver, verbatim: false }, columns, paint) : []),
    ...entry({ label: "Rule", text: scenario.rule, verbatim: false }, columns, paint),
    ...findings(result).flatMap((finding) => entry(finding, columns, paint)),
    ...entry({ label: "Breaks", text: scenario.why, verbatim: false }, columns, paint),
  ];
  if (others.length > 0) {
    const ids = others.slice(0, MOST_NAMED).map((other) => other.scenario.id);
    if (others.length > MOST_NAMED) ids.push(`and ${others.length - MOST_NAMED} more`);
    const text = `the same in ${ids.join(", ")}`;
    lines.push(...entry({ label: "Also", text, verbatim: false }, columns, paint));
  }
  return lines.join("\n");
}

function entry({ label, text, verbatim }: Finding, columns: number, paint: Paint): string[] {
  if (text === "") return [];
  return wrap(printable(text), columns - LABEL_WIDTH - 2).map((line, index) => {
    const margin = paint.dim(padEnd(index === 0 ? label : "", LABEL_WIDTH));
    return `  ${margin}${verbatim ? paint.cyan(line) : line}`;
  });
}
