import type { ConformanceReport, ScenarioResult } from "../../report.js";
import type { CatalogueEntry } from "../../reporters/reporter.js";

/** What the command tells the process that judges a saver, once, at its start. */
export interface Assignment {
  target: string;
  folder: string;
  scratch: string;
  /** Patterns of the scenarios to try; all without any. */
  only: string[];
  timeoutScale: number;
}

/** What that process tells the command. */
export type JudgeMessage =
  /** There is nothing to judge: the target cannot be had, or what was asked for cannot be meant. */
  | { type: "refused"; because: "target" | "usage"; message: string }
  /** Judging begins. The command knows the catalogue from here: loading LangGraph once takes long enough. */
  | { type: "loaded"; name: string; catalogue: CatalogueEntry[]; selected: string[] }
  | { type: "result"; result: ScenarioResult }
  | { type: "note"; note: string }
  /** The event loop turns: nothing blocks it. */
  | { type: "alive" }
  | { type: "done"; report: ConformanceReport };
