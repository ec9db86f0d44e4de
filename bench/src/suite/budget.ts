import { readFileSync } from "node:fs";

import { SUBJECTS, subjectOf, type SubjectId } from "../subjects/registry.js";
import { find, ratioOf } from "./compare.js";
import { ratio as ratioText, value as valueText } from "./format.js";
import { MEASURES, type MeasureId } from "./measures.js";
import { median } from "./numbers.js";
import type { Results, Scale } from "./results.js";

/** A ratio to a peer that must hold. Of several of ours, the best counts: they make the same promise. */
interface RatioBudget {
  workload: string;
  measure: MeasureId;
  ours: SubjectId[];
  peer: SubjectId;
  atLeast: number;
  /** Where the promise is about a size that the other scale does not reach. */
  scale?: Scale;
}

/** A figure of one subject that must not be exceeded. */
interface LimitBudget {
  workload: string;
  measure: MeasureId;
  subject: SubjectId;
  atMost: number;
  scale?: Scale;
}

export interface Budget {
  ratios: RatioBudget[];
  limits: LimitBudget[];
}

export interface BudgetLine {
  what: string;
  /** Undefined where it was not measured in this run. */
  found: string | undefined;
  wanted: string;
  holds: boolean;
}

export function readBudget(path: string): Budget {
  return JSON.parse(readFileSync(path, "utf8")) as Budget;
}

export function checkBudget(budget: Budget, results: Results): BudgetLine[] {
  return [
    ...budget.ratios.map((each) => checkRatio(each, results)),
    ...budget.limits.map((each) => checkLimit(each, results)),
  ];
}

function checkRatio(budget: RatioBudget, results: Results): BudgetLine {
  const { workload, measure, ours, peer, atLeast } = budget;
  const peerValues = values(results, budget, peer);
  const ratios = ours.flatMap((id) => {
    const own = values(results, budget, id);
    return own === undefined || peerValues === undefined ? [] : [ratioOf(own, peerValues).median];
  });
  const best = Math.max(...ratios);
  return {
    what: `${workload}: ${MEASURES[measure].label}, ${ours.map(label).join(" or ")} beside ${label(peer)}`,
    found: ratios.length === 0 ? undefined : ratioText(best),
    wanted: `at least ${ratioText(atLeast)}`,
    holds: ratios.length === 0 || best >= atLeast,
  };
}

function checkLimit(budget: LimitBudget, results: Results): BudgetLine {
  const { workload, measure, subject, atMost } = budget;
  const { label: name, unit } = MEASURES[measure];
  const own = values(results, budget, subject);
  const found = own === undefined ? undefined : median(own);
  return {
    what: `${workload}: ${name}, ${label(subject)}`,
    found: found === undefined ? undefined : valueText(found, unit),
    wanted: `at most ${valueText(atMost, unit)}`,
    holds: found === undefined || found <= atMost,
  };
}

function values(
  { scale, workloads }: Results,
  budget: RatioBudget | LimitBudget,
  subject: SubjectId,
): number[] | undefined {
  if (budget.scale !== undefined && budget.scale !== scale) return undefined;
  const result = workloads.find(({ id }) => id === budget.workload);
  return result && find(result.outcomes, subject)?.measures[budget.measure];
}

function label(id: SubjectId): string {
  return SUBJECTS.some((each) => each.id === id) ? subjectOf(id).label : id;
}
