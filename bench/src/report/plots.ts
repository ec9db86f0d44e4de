import { compareAll, find, type Comparison } from "../suite/compare.js";
import type { Unit } from "../suite/measures.js";
import type { Results, SeriesId, WorkloadResult } from "../suite/results.js";
import { subjectOf, type SubjectId } from "../subjects/registry.js";
import { lineChart, type Curve } from "./charts/line-chart.js";
import type { Chart, Role } from "./charts/palette.js";
import { ratioChart } from "./charts/ratio-chart.js";

interface Panel {
  title: string;
  subjects: [SubjectId, Role][];
}

const PANELS: Panel[] = [
  {
    title: "Files",
    subjects: [
      ["file-sync", "ours"],
      ["sqlite-full", "peer"],
      ["memory-official", "other"],
    ],
  },
  {
    title: "MongoDB",
    subjects: [
      ["mongodb", "ours"],
      ["mongodb-official", "peer"],
    ],
  },
  {
    title: "DynamoDB",
    subjects: [
      ["dynamodb", "ours"],
      ["dynamodb-dlcaio", "peer"],
    ],
  },
];

/** Bytes stored, turn by turn: what grows with the square of the turns, and what in a line. */
export function storageCharts(results: Results, workload = "chat-1k"): Chart[] {
  return growth(results, workload, "stored", "bytes", "bytes stored");
}

export function timeCharts(results: Results, workload = "chat-1k"): Chart[] {
  return growth(results, workload, "time", "ms", "time of a turn");
}

function growth(results: Results, id: string, series: SeriesId, unit: Unit, what: string): Chart[] {
  const workload = results.workloads.find((each) => each.id === id);
  if (workload === undefined) return [];
  return PANELS.flatMap(({ title, subjects }) => {
    const curves = subjects.flatMap(([subject, role]) => curve(workload, subject, role, series));
    if (curves.length === 0) return [];
    return [lineChart({ title: `${title}: ${what}`, xLabel: workload.step, unit, curves })];
  });
}

function curve(workload: WorkloadResult, subject: SubjectId, role: Role, series: SeriesId): Curve[] {
  const points = find(workload.outcomes, subject)?.series[series];
  if (points === undefined || points.length === 0) return [];
  const smooth = series === "time" ? rolling(points) : points;
  return [{ label: subjectOf(subject).label, role, points: smooth }];
}

/** Medians of neighbours: single turns that were interrupted do not hide the curve. */
function rolling(points: [number, number][]): [number, number][] {
  const reach = Math.max(1, Math.round(points.length / 25));
  return points.map(([step], at) => {
    const near = points.slice(Math.max(0, at - reach), at + reach + 1).map(([, value]) => value);
    return [step, near.toSorted((a, b) => a - b)[(near.length - 1) >> 1]!];
  });
}

/** One for each pair: how each workload compares. */
const RATIO_PAIRS: readonly { ours: SubjectId; peer: SubjectId }[] = [
  { ours: "file-sync", peer: "sqlite-full" },
  { ours: "mongodb", peer: "mongodb-official" },
  { ours: "dynamodb", peer: "dynamodb-dlcaio" },
  { ours: "memory", peer: "memory-official" },
];

export function speedCharts(results: Results): Chart[] {
  const all = compareAll(results);
  return RATIO_PAIRS.flatMap(({ ours, peer }) => {
    const bars = results.workloads.flatMap(({ id, title, main }) => {
      const found = pick(all, id, main, ours, peer);
      return found === undefined ? [] : [{ label: shortTitle(title), ratio: found.ratio }];
    });
    if (bars.length === 0) return [];
    const subtitle = `times better than ${subjectOf(peer).label}; left of 1× is worse`;
    return [ratioChart(subjectOf(ours).label, subtitle, bars)];
  });
}

export function pick(
  all: readonly Comparison[],
  workload: string,
  measure: string,
  ours: SubjectId,
  peer: SubjectId,
): Comparison | undefined {
  return all.find(
    (each) =>
      each.workload === workload && each.measure === measure && each.ours === ours && each.peer === peer,
  );
}

function shortTitle(title: string): string {
  return title.replace(" messages", "").replace(" at once", "").replace("Growing c", "C");
}
