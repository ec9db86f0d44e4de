import type { Plan } from "../suite/workload.js";
import type { Scale } from "../suite/results.js";
import type { Backend } from "../subjects/registry.js";

export interface Sizes {
  full: number;
  quick: number;
  /** Fewer where every request takes milliseconds. */
  dynamodb?: { full: number; quick: number };
  /** Rounds of readings after the last step. */
  rounds?: { full: number; quick: number };
}

export function stepsOf(sizes: Sizes, scale: Scale, backend: Backend): number {
  return (backend === "dynamodb" ? (sizes.dynamodb ?? sizes) : sizes)[scale];
}

/** Two repetitions are the fewest that show a spread. */
export function planOf(sizes: Sizes): (scale: Scale, backend: Backend) => Plan {
  return (scale, backend) => ({
    steps: stepsOf(sizes, scale, backend),
    repetitions: scale === "full" ? 3 : 2,
    ...(sizes.rounds === undefined ? {} : { rounds: sizes.rounds[scale] }),
  });
}
