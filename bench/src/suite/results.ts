import type { SubjectId } from "../subjects/registry.js";
import type { MeasureId } from "./measures.js";

export type Scale = "quick" | "full";

/** `[step, value]`, with the medians of the repetitions as values. */
export type Points = [number, number][];

export type SeriesId = "time" | "stored" | "written" | "requests" | "roundTrips" | "writeUnits" | "readUnits";

/** One subject in one workload. */
export interface Outcome {
  subject: SubjectId;
  /** One value for each repetition. */
  measures: Partial<Record<MeasureId, number[]>>;
  series: Partial<Record<SeriesId, Points>>;
  /** Attempts that threw, in all repetitions, with the first message. From step `stoppedAt` on it was not asked again. */
  failed?: { attempts: number; of: number; stoppedAt?: number; message: string };
}

export interface WorkloadResult {
  id: string;
  title: string;
  about: string;
  /** What a step is: "turn", "round". */
  step: string;
  /** The measure that stands for it where there is room for one. */
  main: MeasureId;
  outcomes: Outcome[];
}

/** What a run leaves: all that the table, the report, the plots and the README are made of. */
export interface Results {
  format: 1;
  scale: Scale;
  command: string;
  date: string;
  seconds: number;
  machine: Record<string, string>;
  versions: Record<string, string>;
  /** What could not be compared here, and why. */
  leftOut: string[];
  workloads: WorkloadResult[];
}

export function outcome(subject: SubjectId): Outcome {
  return { subject, measures: {}, series: {} };
}
