import type { Subject } from "../subjects/registry.js";
import type { Opened } from "../subjects/subject.js";
import type { MeasureId } from "./measures.js";
import { mean, median, quantile, rounded, thinned } from "./numbers.js";
import { outcome, type Outcome, type Points, type SeriesId } from "./results.js";
import type { Session, Steps } from "./workload.js";

const CURVE_POINTS = 100;

export type Track = Partial<Record<SeriesId | "delay" | "cpu", number[]>>;

/** One subject in one repetition. Lists are by step, of its attempt that succeeded. */
export interface Runner {
  subject: Subject;
  opened: Opened;
  session: Session;
  steps: number;
  track: Track;
  looks: [number, number][];
  failures: string[];
  attempts: number;
  stoppedAt: number | undefined;
  probes: Partial<Record<MeasureId, number[]>>;
  ends: Partial<Record<MeasureId, number>>;
}

/** One subject over all repetitions; `repetitions` hold all subjects, since they are compared as far as all came. */
export function summary(workload: Steps, subject: Subject, repetitions: Runner[][]): Outcome {
  const result = outcome(subject.id);
  const own = repetitions.map((runners) => runners.find((runner) => runner.subject === subject)!);
  repetitions.forEach((runners, at) => {
    // Where one gave up, all are compared up to there.
    const common = Math.min(...runners.map(({ steps, stoppedAt }) => (stoppedAt ?? steps + 1) - 1));
    const complete = runners.every(({ stoppedAt }) => stoppedAt === undefined);
    for (const [name, value] of Object.entries(figures(workload, own[at]!, common, complete))) {
      if (Number.isFinite(value)) (result.measures[name as MeasureId] ??= []).push(rounded(value));
    }
  });
  if (workload.curves === true) addCurves(result, own);
  const failures = own.flatMap((runner) => runner.failures);
  if (failures.length > 0) {
    const stopped = own.map(({ stoppedAt }) => stoppedAt).filter((step) => step !== undefined);
    const of = own.reduce((sum, { attempts }) => sum + attempts, 0);
    result.failed = { attempts: failures.length, of, message: failures[0]!.slice(0, 200) };
    if (stopped.length > 0) result.failed.stoppedAt = Math.min(...stopped);
  }
  return result;
}

function figures(
  workload: Steps,
  { track, probes, ends, looks }: Runner,
  common: number,
  complete: boolean,
): Partial<Record<MeasureId, number>> {
  const skipped = workload.first === undefined ? 0 : 1;
  const some = (name: keyof Track) => (track[name] ?? []).slice(skipped, common);
  const averages: Partial<Record<MeasureId, number>> = {};
  for (const name of ["written", "requests", "roundTrips", "readUnits", "writeUnits"] as const)
    if (some(name).length > 0) averages[name] = mean(some(name));
  const times = some("time");
  const written = some("written");
  return {
    ...(workload.first === undefined ? {} : { [workload.first]: track.time?.[0] ?? Number.NaN }),
    time: median(times),
    p95: quantile(times, 0.95),
    ...(workload.curves === true ? { last10: median(times.slice(-10)) } : {}),
    cpu: median(some("cpu")),
    delay: median(some("delay").slice(-10)),
    ...averages,
    // The first turns fill caches and files; from the fifth on a turn is like the next.
    ...(workload.curves === true && written.length >= 30
      ? { growth: mean(written.slice(-10)) / mean(written.slice(5, 15)) }
      : {}),
    ...(complete ? ends : storedAt(looks, common)),
    ...Object.fromEntries(Object.entries(probes).map(([name, values]) => [name, median(values)])),
  };
}

function storedAt(looks: [number, number][], step: number): { stored?: number } {
  const last = looks.findLast(([at]) => at <= step);
  return last === undefined ? {} : { stored: last[1] };
}

function addCurves(result: Outcome, own: Runner[]): void {
  for (const name of ["time", "written", "requests", "roundTrips", "writeUnits", "readUnits"] as const) {
    const curve = medians(own.map(({ track }) => (track[name] ?? []).map((value, at) => [at + 1, value])));
    if (curve.length > 0) result.series[name] = rounding(thinned(curve, CURVE_POINTS));
  }
  result.series.stored = rounding(medians(own.map(({ looks }) => looks)));
}

/** Point by point over the repetitions, as far as the first one came. */
function medians([first = [], ...others]: Points[]): Points {
  return first.map(([step, value], at) => {
    const values = others.flatMap((points) => points[at]?.[1] ?? []);
    return [step, median([value, ...values])];
  });
}

function rounding(points: Points): Points {
  return points.map(([step, value]) => [step, rounded(value)]);
}
