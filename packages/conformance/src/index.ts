import { badge as badgeOfRuns } from "./reporters/badge.js";
import type { ConformanceReport } from "./report.js";

export type { ConformanceErrorCode } from "./error-codes.js";
export { ConformanceError } from "./errors.js";
export { groups, type Group } from "./levels.js";
export type {
  Capability,
  ConformanceReport,
  Level,
  ScenarioFailure,
  ScenarioResult,
  ThreadOperation,
} from "./report.js";
export { runConformance, type ConformanceOptions } from "./runner.js";
export type { ConformanceTarget, CreatedSaver, Faults, Scenario, World } from "./scenario.js";
export { scenarios } from "./scenarios/index.js";
export type * from "./thread-operations.js";

/** An SVG badge with the level that a saver reached. */
export function badge(report: ConformanceReport): string {
  const input = { runs: [{ report, notes: [] }], catalogue: new Map<string, never>(), version: "" };
  return badgeOfRuns(input, { columns: 80, colour: false });
}
