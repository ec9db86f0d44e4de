import { paints, wrap } from "@langgraph-savers/command/terminal";

import type { Scenario } from "../scenario.js";
import type { ReportStyle } from "../reporters/reporter.js";

/** The catalogue for `--list`: each scenario with its rule and what it is for. */
export function catalogueText(scenarios: readonly Scenario[], { columns, colour }: ReportStyle): string {
  const paint = paints(colour);
  const width = Math.min(columns, 110) - 4;
  const lines: string[] = [];
  let group: string | undefined;
  for (const scenario of scenarios) {
    if (scenario.group !== group) {
      group = scenario.group;
      lines.push("", paint.bold(group));
    }
    const needs = scenario.needs ?? [];
    lines.push(
      `  ${scenario.id}${needs.length > 0 ? paint.dim(`  (needs ${needs.join(", ")})`) : ""}`,
      ...wrap(scenario.rule, width).map((line) => `    ${line}`),
      ...wrap(scenario.why, width).map((line) => paint.dim(`    ${line}`)),
    );
  }
  return `${lines.join("\n").trimStart()}\n\n${scenarios.length} scenarios\n`;
}
