import type { ConformanceReport, ScenarioResult } from "../../report.js";

/** What the command tells the process that judges a saver, once, at its start. */
export interface Assignment {
  target: string;
  folder: string;
  scratch: string;
  /** Ids of the scenarios to try, in this order. */
  only: string[];
  timeoutScale: number;
}

/** What that process tells the command. */
export type JudgeMessage =
  /** The target cannot be loaded. */
  | { type: "refused"; message: string }
  | { type: "loaded"; name: string }
  | { type: "result"; result: ScenarioResult }
  | { type: "note"; note: string }
  /** The event loop turns: nothing blocks it. */
  | { type: "alive" }
  | { type: "done"; report: ConformanceReport };
