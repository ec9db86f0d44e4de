import type { Comparison } from "../suite/compare.js";
import type { MeasureId } from "../suite/measures.js";
import type { SubjectId } from "../subjects/registry.js";

interface Reason {
  ours: SubjectId[];
  workloads: RegExp;
  measures: MeasureId[];
  why: string;
}

/** Where ours is not ahead, and why; what was found by profiles is in NOTES.md. */
const REASONS: Reason[] = [];

export function reasonFor({ ours, workload, measure }: Comparison): string {
  const found = REASONS.find(
    (each) => each.ours.includes(ours) && each.measures.includes(measure) && each.workloads.test(workload),
  );
  return found?.why ?? "Not explained yet.";
}
