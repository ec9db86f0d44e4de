import { verdict, type Comparison } from "../suite/compare.js";
import { ratio } from "../suite/format.js";
import { MEASURES } from "../suite/measures.js";
import type { Results } from "../suite/results.js";
import { subjectOf } from "../subjects/registry.js";
import { reasonFor } from "./reasons.js";

export interface NotAhead {
  who: string;
  where: string;
  why: string;
}

/** What is behind, together where it has one reason: a list of hundreds would say nothing. */
export function notAhead(all: readonly Comparison[], { workloads }: Pick<Results, "workloads">): NotAhead[] {
  const groups = new Map<string, { who: string; why: string; places: Map<string, string[]> }>();
  for (const each of all) {
    if (verdict(each.ratio) !== "behind") continue;
    const who = `${subjectOf(each.ours).label} beside ${subjectOf(each.peer).label}`;
    const why = reasonFor(each);
    const group = groups.get(`${who} ${why}`) ?? { who, why, places: new Map<string, string[]>() };
    const title = workloads.find(({ id }) => id === each.workload)!.title;
    const places = group.places.get(title) ?? [];
    places.push(`${MEASURES[each.measure].label} ${ratio(each.ratio.median)}`);
    group.places.set(title, places);
    groups.set(`${who} ${why}`, group);
  }
  return [...groups.values()].map(({ who, why, places }) => ({
    who,
    why,
    where: [...places].map(([title, figures]) => `${title}: ${figures.join(", ")}`).join("; "),
  }));
}
