import type { ConformanceReport } from "../report.js";
import type { Scenario } from "../scenario.js";

/** One saver's report, and what the command noticed around it. */
export interface TargetRun {
  report: ConformanceReport;
  /** Open handles, unhandled rejections, a process that died: what no scenario owns. */
  notes: readonly string[];
}

/** What a reporter tells the reader of a scenario. */
export type CatalogueEntry = Pick<Scenario, "id" | "group" | "rule" | "why" | "needs">;

export interface ReportInput {
  /** In the order in which the savers were named. */
  runs: readonly TargetRun[];
  catalogue: ReadonlyMap<string, CatalogueEntry>;
  /** The kit's own version. */
  version: string;
}

export interface ReportStyle {
  columns: number;
  colour: boolean;
}

/** Turns the runs into the text of a file, or of the screen. */
export type Reporter = (input: ReportInput, style: ReportStyle) => string;
