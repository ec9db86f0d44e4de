import type { Outcome, Results } from "../src/suite/results.js";
import type { SubjectId } from "../src/subjects/registry.js";

export function outcome(subject: SubjectId, measures: Outcome["measures"], turns = 0, bytes = 1): Outcome {
  const points = Array.from({ length: turns }, (_, at): [number, number] => [at + 1, (at + 1) * bytes]);
  return { subject, measures, series: turns === 0 ? {} : { stored: points, time: points } };
}

/** A run with one workload, as the report takes it. */
export function resultsOf(outcomes: Outcome[], changes: Partial<Results> = {}): Results {
  return {
    format: 1,
    scale: "full",
    command: "pnpm bench",
    date: "2026-01-01",
    seconds: 60,
    machine: { cpu: "2 × <fast>" },
    versions: { mongodb: "7.8.0" },
    leftOut: [],
    workloads: [
      { id: "chat-1k", title: "Growing chat", about: "A chat.", step: "turn", main: "time", outcomes },
    ],
    ...changes,
  };
}
