import { printable } from "@langgraph-savers/command/terminal";

import type { ScenarioResult } from "../report.js";
import { gradeOf } from "./grade.js";
import type { ReportInput, Reporter, TargetRun } from "./reporter.js";
import {
  countWords,
  type Finding,
  findings,
  isFailure,
  type MatrixGroup,
  type MatrixRow,
  matrixOf,
  statusWords,
} from "./summary.js";

const marks: Record<ScenarioResult["status"], string> = {
  passed: "✅",
  failed: "❌",
  skipped: "➖",
  "expected-failure": "🟡",
  "unexpected-pass": "❗",
};

/** Tables for a README, a pull request or a job summary; failures explained below them. */
export const markdown: Reporter = (input) => {
  const { runs } = input;
  const groups = matrixOf(input);
  const used = new Set(runs.flatMap(({ report }) => report.results.map(({ status }) => status)));
  const legend = Object.entries(marks)
    .filter(([status]) => used.has(status as ScenarioResult["status"]))
    .map(([status, mark]) => `${mark} ${statusWords[status as ScenarioResult["status"]]}`);
  return `${[
    overview(input),
    legend.join(" · "),
    ...groups.map((group) => groupTable(group, runs)),
    ...explanations(groups, runs),
  ].join("\n\n")}\n`;
};

function overview(input: ReportInput): string {
  const { runs } = input;
  const rows = runs.map(({ report, notes }) => [
    `**${cell(report.name)}**`,
    gradeOf(report, input).level,
    countWords(report).join(", "),
    notes.map(cell).join("<br>"),
  ]);
  const noted = runs.some(({ notes }) => notes.length > 0);
  const header = ["Saver", "Level", "Scenarios", "Noticed"];
  return table(noted ? header : header.slice(0, 3), noted ? rows : rows.map((row) => row.slice(0, 3)));
}

function groupTable({ name, rows }: MatrixGroup, runs: readonly TargetRun[]): string {
  const header = ["Scenario", "Rule", ...runs.map(({ report }) => cell(report.name))];
  const body = rows.map(({ scenario, results }) => [
    `\`${scenario.id}\``,
    cell(scenario.rule),
    ...results.map((result) => (result === undefined ? "" : marks[result.status])),
  ]);
  return `### ${name}\n\n${table(header, body)}`;
}

function explanations(groups: readonly MatrixGroup[], runs: readonly TargetRun[]): string[] {
  const wanting = groups.flatMap(({ rows }) => rows).filter((row) => row.results.some(needsWords));
  if (wanting.length === 0) return [];
  return ["## What fails, and what it breaks", ...wanting.map((row) => explanation(row, runs))];
}

function explanation({ scenario, results }: MatrixRow, runs: readonly TargetRun[]): string {
  const told = results.flatMap((result, column) => {
    if (result === undefined || !needsWords(result)) return [];
    const saver = runs[column]?.report.name ?? "";
    return [`- ${marks[result.status]} **${cell(saver)}**`, ...findings(result).map(findingItem)];
  });
  return [`### \`${scenario.id}\``, `${scenario.rule} ${scenario.why}`.trim(), told.join("\n")].join("\n\n");
}

function findingItem({ label, text: said, verbatim }: Finding): string {
  const text = printable(said);
  if (!verbatim) return `  - ${label}: ${escapeProse(text).replaceAll(/\s*\n\s*/g, " ")}`;
  if (!text.includes("\n")) return `  - ${label}: ${codeSpan(text)}`;
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return [`  - ${label}:`, fence, ...text.split("\n"), fence]
    .map((line, index) => (index === 0 ? line : `    ${line}`))
    .join("\n");
}

function needsWords(result: ScenarioResult | undefined): boolean {
  return result !== undefined && (isFailure(result.status) || result.status === "expected-failure");
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Text inside a table: one line, and no character that ends a cell or starts markup. */
function cell(text: string): string {
  return escapeProse(text)
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ");
}

/** Code spans stay as they are: an escape inside one would show. So does `_` inside a word, which marks nothing up. */
function escapeProse(text: string): string {
  return printable(text).replaceAll(
    /(`[^`]*`)|[\\<>*[\]]|(?<!\w)_|_(?!\w)/g,
    (found, code?: string) => code ?? `\\${found}`,
  );
}

/** A code span whose fence is longer than any run of backticks inside it. */
function codeSpan(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  const padding = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${padding}${text}${padding}${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}
