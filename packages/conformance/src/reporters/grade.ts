import type { ConformanceReport, Level } from "../report.js";
import type { ReportInput } from "./reporter.js";
import { isFailure } from "./summary.js";

/** What a run comes to, in words for a reader. */
export interface Grade {
  level: Level | "not graded";
  meaning: string;
  /** What the exit code of the command says. */
  good: boolean;
}

const meanings: Record<Exclude<Level, "not conformant">, string> = {
  core: "whatever a graph does, its state, writes and history are right",
  extended: "core, and bad input is refused, rich values and delta channels are kept",
  durable: "extended, and what is stored is there for another process",
  "fault-tested": "durable, and seen to survive failures of its storage",
};

/** A run of a part of the catalogue says nothing about the levels: it is good when what was tried did not fail. */
export function gradeOf(report: ConformanceReport, { catalogue }: Pick<ReportInput, "catalogue">): Grade {
  const failed = report.results.some(({ status }) => isFailure(status));
  const tried = report.results.length;
  if (tried < catalogue.size)
    return {
      level: "not graded",
      meaning: `only ${tried} of ${catalogue.size} scenarios were asked for`,
      good: !failed,
    };
  if (report.level !== "not conformant")
    return { level: report.level, meaning: meanings[report.level], good: !failed };
  const meaning = failed
    ? "breaks a rule that LangGraph relies on"
    : "a scenario of the core was not seen to pass";
  return { level: report.level, meaning, good: false };
}
