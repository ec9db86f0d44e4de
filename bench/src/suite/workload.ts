import type { Backend, Group, Subject } from "../subjects/registry.js";
import type { Opened, Place } from "../subjects/subject.js";
import type { MeasureId } from "./measures.js";
import type { Scale, WorkloadResult } from "./results.js";

/** What a workload gets to run with. */
export interface Context {
  scale: Scale;
  /** Those that were asked for and can be had, in no more than one group. */
  subjects: readonly Subject[];
  group: Group;
  /** A place of its own for each call. */
  place: (subject: Subject) => Place;
  /** The share of the workload that is done, 0 to 1. */
  progress: (done: number, detail: string) => void;
}

interface Described {
  id: string;
  title: string;
  /** One sentence for the report: what is done, how often, with what. */
  about(scale: Scale): string;
  step: string;
  /** The measure that stands for the workload where there is room for one. */
  main: MeasureId;
}

export interface Workload extends Described {
  /** Which of the subjects it is for; all, unless told. */
  takes?(subject: Subject): boolean;
  /** About how long it takes, for the progress bar: seconds for each group at full scale. */
  seconds: Partial<Record<Group, number>>;
  run(context: Context): Promise<WorkloadResult["outcomes"]>;
}

/** One timed reading: `prepare` is not timed. */
export interface Probe {
  measure: MeasureId;
  /** Run in every nth round only, because it takes long. */
  every?: number;
  prepare: () => Promise<{ run: () => Promise<unknown>; done?: () => Promise<void> }>;
}

/** A subject at work. */
export interface Session {
  /** Makes what the step needs; not timed. */
  before?: (at: number) => void;
  step: (at: number) => Promise<unknown>;
  /** Run after the last step, some rounds, each subject in turn. */
  probes?: Probe[];
}

/** A workload of many steps of one kind. */
export interface Steps extends Described {
  takes?(subject: Subject): boolean;
  seconds: Partial<Record<Group, number>>;
  plan(scale: Scale, backend: Backend): Plan;
  /** Keep what was measured by step, for a curve. */
  curves?: boolean;
  /** The first step is of another kind: it has a measure of its own, and is left out of the others. */
  first?: MeasureId;
  start(opened: Opened, scale: Scale): Promise<Session>;
}

export interface Plan {
  steps: number;
  repetitions: number;
  /** How often each probe is run, in each repetition. */
  rounds?: number;
}
