import { everyCapability } from "../../src/capabilities.js";
import type { ConformanceReport, ScenarioResult } from "../../src/report.js";
import type { CatalogueEntry, ReportInput, TargetRun } from "../../src/reporters/reporter.js";

const entries: CatalogueEntry[] = [
  {
    id: "put.same-id-is-one-checkpoint",
    group: "put",
    rule: "The same `put` twice is one checkpoint.",
    why: "LangGraph retries a put; a second copy would show up twice in the history.",
  },
  {
    id: "put.keeps-the-parent",
    group: "put",
    rule: "A `put` whose parent is itself keeps the parent it had.",
    why: "An ancestor walk over a checkpoint that is its own parent never ends.",
  },
  {
    id: "putWrites.regular-first-wins",
    group: "putWrites",
    rule: "A regular write that is there already wins over a later one.",
    why: "A task that is retried after a crash would change writes that another task has read already.",
  },
  {
    id: "faults.outage-rejects",
    group: "faults",
    rule: "An outage rejects, and never reads as an empty history.",
    why: "The graph would silently start over, and the user's conversation is gone.",
  },
];

const catalogue = new Map(entries.map((entry) => [entry.id, entry]));

export function result(id: string, more: Partial<ScenarioResult> = {}): ScenarioResult {
  return { id, group: catalogue.get(id)?.group ?? "other", status: "passed", durationMs: 12, ...more };
}

export function runOf(
  name: string,
  results: ScenarioResult[],
  more: { level?: ConformanceReport["level"]; notes?: string[] } = {},
): TargetRun {
  const count = (...statuses: ScenarioResult["status"][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const failed = count("failed", "unexpected-pass");
  return {
    notes: more.notes ?? [],
    report: {
      name,
      level: more.level ?? (failed > 0 ? "not conformant" : "durable"),
      passed: count("passed"),
      failed,
      skipped: count("skipped"),
      expectedFailures: count("expected-failure"),
      durationMs: 1234,
      capabilities: { ...everyCapability(() => true), faults: false },
      results,
    },
  };
}

const noFaults = result("faults.outage-rejects", {
  status: "skipped",
  reason: "no faults supplied",
  durationMs: 0,
});

export const goodRun = runOf("GoodSaver", [
  result("put.same-id-is-one-checkpoint"),
  result("put.keeps-the-parent"),
  result("putWrites.regular-first-wins"),
  noFaults,
]);

/** With everything that a saver may say and a format may stumble over. */
export const badRun = runOf(
  'Bad "Saver" <v2> & co',
  [
    result("put.same-id-is-one-checkpoint", {
      status: "expected-failure",
      reason: "upserts are planned for 2.0",
    }),
    result("put.keeps-the-parent", {
      status: "unexpected-pass",
      reason: "said to point at itself",
      error: { message: "It is listed as a known gap, and passes: take it off the list" },
    }),
    result("putWrites.regular-first-wins", {
      status: "failed",
      error: {
        message: "the later write replaced the earlier one | <b>not bold</b> \u0000\u001b[31m ]]>",
        expected: '["task", "channel", "first"]',
        actual: '[\n  "task",\n  "channel",\n  "`second`"\n]',
        stack: "AssertionError: the later write\n    at run (scenario.ts:1:2)",
      },
    }),
    noFaults,
  ],
  { notes: ["left open after cleanup: 2 × TCPSocketWrap"] },
);

export function inputOf(...runs: TargetRun[]): ReportInput {
  return { runs, catalogue, version: "1.2.3" };
}
