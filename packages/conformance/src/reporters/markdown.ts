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

/** In a list a value has one line; the other reports have it whole. */
const LONGEST_VALUE = 240;

const anId = /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;

/**
 * For a README, a pull request or a job summary: levels, groups in figures, then each group with what was not passed by
 * all, and why.
 */
export const markdown: Reporter = (input) => {
  const { runs } = input;
  const groups = matrixOf(input);
  const used = new Set(runs.flatMap(({ report }) => report.results.map(({ status }) => status)));
  const legend = Object.entries(marks)
    .filter(([status]) => used.has(status as ScenarioResult["status"]))
    .map(([status, mark]) => `${mark} ${statusWords[status as ScenarioResult["status"]]}`);
  return `${[
    overview(input),
    groupFigures(groups, runs),
    legend.join(" · "),
    ...groups.flatMap((group) => groupSection(group, runs)),
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

function groupFigures(groups: readonly MatrixGroup[], runs: readonly TargetRun[]): string {
  const body = groups.map(({ name, rows }) => [
    name,
    ...runs.map((_, column) => figures(rows.flatMap(({ results }) => results[column] ?? []))),
  ]);
  return table(["Group", ...runs.map(({ report }) => cell(report.name))], body);
}

/** Of those that could be tried: `✅ 12`, or `❌ 11 of 12`. */
function figures(results: readonly ScenarioResult[]): string {
  const tried = results.filter(({ status }) => status !== "skipped");
  if (tried.length === 0) return results.length === 0 ? "" : marks.skipped;
  const passed = tried.filter(({ status }) => status === "passed").length;
  if (passed === tried.length) return `${marks.passed} ${passed}`;
  const mark = tried.some(({ status }) => isFailure(status)) ? marks.failed : marks["expected-failure"];
  return `${mark} ${passed} of ${tried.length}`;
}

function groupSection({ name, rows }: MatrixGroup, runs: readonly TargetRun[]): string[] {
  const clean = rows.filter(({ results }) => results.every((result) => result?.status === "passed"));
  const others = rows.filter((row) => !clean.includes(row));
  const wanting = others.filter((row) => row.results.some(needsWords));
  const ids = clean.map(({ scenario }) => `\`${scenario.id}\``).join(", ");
  return [
    `### ${name}`,
    ...(others.length > 0 ? [scenarioTable(others, runs)] : []),
    ...(clean.length > 0 ? [`${marks.passed} ${runs.length > 1 ? "by all" : "passed"}: ${ids}`] : []),
    ...wanting.map((row) => explanation(row, runs)),
  ];
}

function scenarioTable(rows: readonly MatrixRow[], runs: readonly TargetRun[]): string {
  const header = ["Scenario", ...runs.map(({ report }) => cell(report.name))];
  const body = rows.map(({ scenario, results }) => [
    `\`${scenario.id}\``,
    ...results.map((result) => (result === undefined ? "" : marks[result.status])),
  ]);
  return table(header, body);
}

/** Savers that fail in the same way are named together. */
function explanation({ scenario, results }: MatrixRow, runs: readonly TargetRun[]): string {
  const told = new Map<string, { mark: string; savers: string[]; words: string }>();
  for (const [column, result] of results.entries()) {
    if (result === undefined || !needsWords(result)) continue;
    const mark = marks[result.status];
    const words = findings(result).map(findingWords).join("; ");
    // Ids are other ones in every run, and say nothing about what went wrong.
    const alike = told.get(`${mark}${words.replaceAll(anId, "")}`) ?? { mark, savers: [], words };
    told.set(`${mark}${words.replaceAll(anId, "")}`, alike);
    alike.savers.push(`**${cell(runs[column]?.report.name ?? "")}**`);
  }
  const { id, rule, why } = scenario;
  const items = Array.from(
    told.values(),
    ({ mark, savers, words }) => `- ${mark} ${savers.join(", ")}: ${words}`,
  );
  const head = [`**\`${id}\`**`, prose(rule), ...(why === "" ? [] : [`_Otherwise:_ ${prose(why)}`])];
  return `${head.join(" ").trim()}\n\n${items.join("\n")}`;
}

function findingWords({ label, text: said, verbatim }: Finding): string {
  const text = printable(said).replaceAll(/\s*\n\s*/g, " ");
  if (!verbatim)
    return label === "Found" ? escapeProse(text) : `${label.toLowerCase()}: ${escapeProse(text)}`;
  const shown = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
  return `${label.toLowerCase()} ${codeSpan(shown)}`;
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
  return prose(text).replaceAll("|", "\\|");
}

function prose(text: string): string {
  return escapeProse(text).replaceAll(/\s*\n\s*/g, " ");
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
