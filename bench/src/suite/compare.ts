import { PAIRS, type SubjectId } from "../subjects/registry.js";
import type { MeasureId } from "./measures.js";
import { median } from "./numbers.js";
import type { Outcome, Results } from "./results.js";

/** The peer's figure over ours: above 1, ours is that many times smaller or faster. With its spread over repetitions. */
export interface Ratio {
  median: number;
  low: number;
  high: number;
}

export interface Comparison {
  workload: string;
  measure: MeasureId;
  ours: SubjectId;
  peer: SubjectId;
  /** Medians of the repetitions. */
  oursValue: number;
  peerValue: number;
  ratio: Ratio;
}

export type Verdict = "ahead" | "level" | "behind";

/** Closer than this to 1, machines disagree on who is first. */
const LEVEL = 0.05;

/** Repetition by repetition: both sides of one had the same noise. */
export function ratioOf(ours: readonly number[], peer: readonly number[]): Ratio {
  const count = Math.min(ours.length, peer.length);
  const ratios = Array.from({ length: count }, (_, at) => quotient(peer[at]!, ours[at]!));
  return { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}

/** Nothing beside nothing is level. */
function quotient(peer: number, ours: number): number {
  return peer === ours ? 1 : peer / ours;
}

export function verdict({ median: middle }: Ratio): Verdict {
  if (middle > 1 + LEVEL) return "ahead";
  return middle < 1 - LEVEL ? "behind" : "level";
}

/** All pairs in all workloads, in all measures that both sides have. */
export function compareAll({ workloads }: Pick<Results, "workloads">): Comparison[] {
  return workloads.flatMap(({ id, outcomes }) =>
    PAIRS.flatMap(({ ours, peer, measures }) => {
      const [a, b] = [find(outcomes, ours), find(outcomes, peer)];
      if (a === undefined || b === undefined) return [];
      const names = Object.keys(a.measures) as MeasureId[];
      return names
        .filter((name) => b.measures[name] !== undefined && (measures?.includes(name) ?? true))
        .map((measure): Comparison => {
          const [oursValues, peerValues] = [a.measures[measure]!, b.measures[measure]!];
          return {
            workload: id,
            measure,
            ours,
            peer,
            oursValue: median(oursValues),
            peerValue: median(peerValues),
            ratio: ratioOf(oursValues, peerValues),
          };
        });
    }),
  );
}

export function find(outcomes: readonly Outcome[], id: SubjectId): Outcome | undefined {
  return outcomes.find(({ subject }) => subject === id);
}
