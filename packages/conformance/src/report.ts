import type { ThreadOperations } from "./thread-operations.js";

/** What one run of the kit found out about one saver. */
export interface ConformanceReport {
  name: string;
  level: Level;
  passed: number;
  failed: number;
  skipped: number;
  /** Known gaps that failed as declared; one that passes counts as failed, so that a fixed gap shows. */
  expectedFailures: number;
  durationMs: number;
  capabilities: Record<Capability, boolean>;
  results: ScenarioResult[];
}

/** From worst to best; each includes the ones before it. */
export type Level = "not conformant" | "core" | "extended" | "durable" | "fault-tested";

/** What a saver may or may not have. Detected from the saver and the target, or declared; never from names. */
export type Capability =
  | "serde"
  | "reopen"
  | "deltaHistory"
  | "faults"
  /** Any of the operations on threads. */
  | "threads"
  | ThreadOperation;

/** What some savers do with threads beside what LangGraph asks for: methods of these names. */
export type ThreadOperation = keyof ThreadOperations;

/** How a scenario ended. */
export interface ScenarioResult {
  id: string;
  group: string;
  status: "passed" | "failed" | "skipped" | "expected-failure" | "unexpected-pass";
  /** Why it was skipped: the capability that is absent. */
  reason?: string;
  error?: ScenarioFailure;
  durationMs: number;
}

/** A failure in words a saver's author can act on. */
export interface ScenarioFailure {
  message: string;
  expected?: string;
  actual?: string;
  stack?: string;
}
