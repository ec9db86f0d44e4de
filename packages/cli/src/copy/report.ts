import { paints, printable } from "@langgraph-savers/command/terminal";

import { INTERRUPTED, NEGATIVE, OK } from "../command/exit-codes.js";
import { print, printJson, printSentences, type Io } from "../command/io.js";
import { formatBytes, formatDuration, plural } from "../render/units.js";
import type { CopyReport } from "./copy-all.js";

const MOST_PROBLEMS = 20;

interface ReportOptions {
  dryRun: boolean;
  json: boolean;
  ms: number;
}

/** Tells what a copy did, or would do, and gives the exit code. */
export function reportCopy(report: CopyReport, { dryRun, json, ms }: ReportOptions, io: Io): number {
  const { problems, interrupted } = report;
  if (json) printJson(io, { ...report, dryRun, seconds: Math.round(ms) / 1000 });
  else show(report, dryRun, ms, io);
  if (interrupted) return INTERRUPTED;
  return problems.length === 0 ? OK : NEGATIVE;
}

function show(report: CopyReport, dryRun: boolean, ms: number, io: Io): void {
  const paint = paints(io.out.colour);
  const { copied, same, resumed, problems, interrupted } = report;
  for (const { threadId, problem } of problems.slice(0, MOST_PROBLEMS))
    printSentences(io.out, paint.red("✗"), `${paint.bold(printable(threadId))}: ${printable(problem)}`);
  if (problems.length > MOST_PROBLEMS)
    print(io.out, paint.dim(`  … and ${problems.length - MOST_PROBLEMS} more`));
  const sentences = [
    headline(report, dryRun, ms),
    ...(same > 0 && copied > 0 ? [`${plural(same, "thread")} ${were(same)} there already.`] : []),
    ...(resumed > 0 ? [`${plural(resumed, "thread")} ${were(resumed)} done before the interruption.`] : []),
    ...ending(report, dryRun),
  ];
  const sign = interrupted ? paint.yellow("!") : problems.length > 0 ? paint.red("✗") : paint.green("✓");
  printSentences(io.out, sign, ...sentences);
}

function headline(
  { copied, same, checkpoints, writes, bytes }: CopyReport,
  dryRun: boolean,
  ms: number,
): string {
  const sizes = `${plural(checkpoints, "checkpoint")}, ${plural(writes, "write")}, ${formatBytes(bytes)} of state`;
  if (copied === 0)
    return same === 0
      ? "No threads to copy."
      : `${plural(same, "thread")} ${were(same)} there already, the same: ${sizes}.`;
  if (dryRun) return `Would copy ${plural(copied, "thread")}: ${sizes}.`;
  const rate = copied / (ms / 1000);
  return `Copied ${plural(copied, "thread")} in ${formatDuration(ms)}, ${rate.toFixed(rate < 10 ? 1 : 0)} a second: ${sizes}.`;
}

function ending(report: CopyReport, dryRun: boolean): string[] {
  if (report.interrupted) return ["Interrupted: run the same command again to go on."];
  if (report.problems.length > 0) return [advice(report)];
  return dryRun || report.copied === 0
    ? []
    : ["All of it was read back from the target, and is the same as in the source."];
}

function were(count: number): string {
  return count === 1 ? "was" : "were";
}

function advice({ problems }: CopyReport): string {
  const threads = new Set(problems.map(({ threadId }) => threadId)).size;
  const conflicts = problems.some(({ problem }) => problem.includes("that the source has not"));
  return (
    `${plural(threads, "thread")} ${threads === 1 ? "is" : "are"} not as in the source.` +
    (conflicts ? " --merge copies also into threads that have checkpoints of their own." : "")
  );
}
