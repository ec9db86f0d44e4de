import { styleOf } from "@langgraph-savers/command/terminal";

import type { CatalogueEntry, TargetRun } from "../reporters/reporter.js";
import { gradeOf } from "../reporters/grade.js";
import { TargetError } from "../targets/target-error.js";
import { catalogueText } from "./catalogue.js";
import { helpText } from "./help.js";
import { judgeTarget } from "./judge/judge-target.js";
import { parseCommand, type RunOptions } from "./options.js";
import { barProgress, plainProgress, type Progress } from "./progress.js";
import { selectScenarios } from "./selection.js";
import { UsageError } from "./usage-error.js";
import { version } from "./version.js";
import { writeReports } from "./write-reports.js";

/** Carries out the command, and gives its exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    const command = parseCommand(args);
    switch (command.action) {
      case "help":
        process.stdout.write(helpText());
        return 0;
      case "version":
        process.stdout.write(`${version}\n`);
        return 0;
      case "list":
        await listScenarios(command.only);
        return 0;
      case "run":
        return await judgeAll(command);
    }
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof TargetError)) throw error;
    process.stderr.write(`${error.message}\n`);
    if (error instanceof UsageError) process.stderr.write("See --help.\n");
    return 2;
  }
}

async function listScenarios(only: readonly string[]): Promise<void> {
  // Not at the top: it loads LangGraph, and most of what the command does needs none.
  const { scenarios } = await import("../scenarios/index.js");
  process.stdout.write(catalogueText(selectScenarios(scenarios, only), styleOf(process.stdout, process.env)));
}

async function judgeAll(options: RunOptions): Promise<number> {
  const { targets, only, timeoutScale } = options;
  const progress = progressOnScreen();
  const runs: TargetRun[] = [];
  let catalogue: ReadonlyMap<string, CatalogueEntry> = new Map();
  try {
    // One after the other: savers that share a machine's disk or server would disturb each other's races.
    for (const target of targets) {
      const judgement = await judgeTarget(target, { folder: process.cwd(), only, timeoutScale, progress });
      runs.push(judgement.run);
      catalogue = new Map(judgement.catalogue.map((scenario) => [scenario.id, scenario]));
    }
  } finally {
    progress.end();
  }
  await writeReports({ runs: namedApart(runs), catalogue, version }, options);
  return runs.every(({ report }) => gradeOf(report, { catalogue }).good) ? 0 : 1;
}

function progressOnScreen(): Progress {
  const style = styleOf(process.stderr, process.env);
  return process.stderr.isTTY ? barProgress(process.stderr, style) : plainProgress(process.stderr, style);
}

/** Two targets may go by the same name; a reader must be able to tell their columns apart. */
function namedApart(runs: readonly TargetRun[]): TargetRun[] {
  const seen = new Map<string, number>();
  return runs.map(({ report, notes }) => {
    const times = (seen.get(report.name) ?? 0) + 1;
    seen.set(report.name, times);
    return { notes, report: times === 1 ? report : { ...report, name: `${report.name} (${times})` } };
  });
}
