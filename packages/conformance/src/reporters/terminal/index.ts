import { paints, printable, truncate, wrap } from "@langgraph-savers/command/terminal";

import { gradeOf } from "../grade.js";
import type { Reporter, ReportInput, ReportStyle, TargetRun } from "../reporter.js";
import { absentWords, countWords, formatDuration, matrixOf } from "../summary.js";
import { failures } from "./failures.js";
import { groupList, groupMatrix } from "./groups.js";

/** Sentences wider than this are tiring to read, however wide the screen. */
const WIDEST_PROSE = 110;

/** The summary on the screen: levels, groups, and each failure in words. */
export const terminal: Reporter = (input, style) => {
  const { runs } = input;
  const groups = matrixOf(input);
  const paint = paints(style.colour);
  const prose = { ...style, columns: Math.min(style.columns, WIDEST_PROSE) };
  const overview =
    runs.length === 1
      ? groupList(groups, style.columns, paint)
      : groupMatrix(
          groups,
          runs.map(({ report }) => printable(report.name)),
          style.columns,
          paint,
        );
  const blocks = [
    failures(groups, runs, prose.columns, paint),
    overview,
    runs.map((run) => verdict(run, input, prose)).join("\n"),
  ];
  return `\n${blocks.filter((block) => block !== "").join("\n\n")}\n`;
};

/** Comes last, where the eye is when the command has ended. */
function verdict({ report, notes }: TargetRun, input: ReportInput, { columns, colour }: ReportStyle): string {
  const paint = paints(colour);
  const { level, meaning, good } = gradeOf(report, input);
  const tone = good ? paint.green : paint.red;
  const absent = absentWords(report);
  const name = truncate(printable(report.name), columns - level.length - 4);
  const lines = [
    `${tone(good ? "✓" : "✗")} ${paint.bold(name)}  ${tone(paint.bold(level))}`,
    ...wrap(meaning, columns - 2)
      .map(indent)
      .map(paint.dim),
    ...wrap(`${countWords(report).join(", ")} in ${formatDuration(report.durationMs)}`, columns - 2).map(
      indent,
    ),
  ];
  if (absent.length > 0)
    lines.push(
      ...wrap(`Not there, so not judged: ${absent.join(", ")}`, columns - 2)
        .map(indent)
        .map(paint.dim),
    );
  for (const note of notes)
    lines.push(
      ...wrap(`! ${printable(note)}`, columns - 2)
        .map(indent)
        .map(paint.yellow),
    );
  return lines.join("\n");
}

function indent(line: string): string {
  return `  ${line}`;
}
