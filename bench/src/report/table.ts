import type { BudgetLine } from "../suite/budget.js";
import { compareAll, verdict, type Comparison } from "../suite/compare.js";
import { ratio, spread, value } from "../suite/format.js";
import { MEASURES } from "../suite/measures.js";
import type { Results } from "../suite/results.js";
import { PAIRS, subjectOf, type SubjectId } from "../subjects/registry.js";
import { notAhead } from "./not-ahead.js";
import { paint } from "./paint.js";

const COLORS = { ahead: "green", level: "yellow", behind: "red" } as const;
/** So many workloads fit a screen with all that was measured. */
const DETAILED = 2;

/** What a run shows in the terminal. */
export function terminalReport(results: Results, budget: readonly BudgetLine[]): string {
  const all = compareAll(results);
  const parts = results.workloads.length <= DETAILED ? details(results, all) : matrix(results, all);
  return [
    ...parts,
    ...failures(results),
    ...behind(all, results),
    ...budgetLines(budget),
    ...results.leftOut.map((text) => `Left out: ${text}`),
  ].join("\n");
}

function details(results: Results, all: readonly Comparison[]): string[] {
  return results.workloads.flatMap(({ id, title, about }) => {
    const own = all.filter(({ workload }) => workload === id);
    return [
      "",
      paint("bold", title),
      about,
      ...PAIRS.flatMap(({ ours, peer }) => {
        const pair = own.filter((each) => each.ours === ours && each.peer === peer);
        if (pair.length === 0) return [];
        return ["", `  ${beside(ours, peer)}`, ...pair.map(detailLine)];
      }),
    ];
  });
}

function detailLine(each: Comparison): string {
  const { label, unit } = MEASURES[each.measure];
  const figures = [each.oursValue, each.peerValue].map((amount) => value(amount, unit).padStart(10));
  const shown = paint(COLORS[verdict(each.ratio)], ratio(each.ratio.median).padStart(8));
  return `    ${label.padEnd(46)}${figures.join("")}${shown}  ${spread(each.ratio)}`;
}

/** Rows are workloads, columns are pairs; the time of each and the bytes that it stores. */
function matrix(results: Results, all: readonly Comparison[]): string[] {
  const pairs = PAIRS.filter((pair) =>
    all.some((each) => each.ours === pair.ours && each.peer === pair.peer),
  );
  const width = 18;
  const head = ["ours", "peer"].map((side) => {
    const names = pairs.map((pair) => subjectOf(pair[side as "ours" | "peer"]).label);
    return `${(side === "ours" ? "times better:" : "than").padEnd(38)}${names.map((name) => name.slice(0, width - 2).padStart(width)).join("")}`;
  });
  const rows = results.workloads.flatMap(({ id, title, main }) => {
    const measures = [main, "stored", "roundTrips"] as const;
    return measures.flatMap((measure, at) => {
      const cells = pairs.map(({ ours, peer }) => {
        const found = all.find(
          (each) =>
            each.workload === id && each.measure === measure && each.ours === ours && each.peer === peer,
        );
        return found === undefined
          ? "".padStart(width)
          : paint(COLORS[verdict(found.ratio)], ratio(found.ratio.median).padStart(width));
      });
      if (cells.every((cell) => cell.trim() === "")) return [];
      const name = at === 0 ? title : `  ${MEASURES[measure].label}`;
      return [`${name.slice(0, 37).padEnd(38)}${cells.join("")}`];
    });
  });
  return ["", ...head.map((text) => paint("bold", text)), ...rows];
}

function failures({ workloads }: Results): string[] {
  const lines = workloads.flatMap(({ title, step, outcomes }) =>
    outcomes.flatMap(({ subject, failed }) => {
      if (failed === undefined) return [];
      const stopped =
        failed.stoppedAt === undefined ? "" : `, and could not go on from ${step} ${failed.stoppedAt}`;
      return [
        `  ${subjectOf(subject).label}, ${title}: ${failed.attempts} of ${failed.of} failed${stopped}: ${failed.message}`,
      ];
    }),
  );
  return lines.length === 0 ? [] : ["", paint("bold", "Failures"), ...lines];
}

function behind(all: readonly Comparison[], results: Results): string[] {
  const groups = notAhead(all, results);
  if (groups.length === 0) return [];
  const lines = groups.flatMap(({ who, where, why }) => [`  ${who}. ${where}`, paint("dim", `    ${why}`)]);
  return ["", paint("bold", "Not ahead"), ...lines];
}

function budgetLines(budget: readonly BudgetLine[]): string[] {
  if (budget.length === 0) return [];
  const lines = budget.map(({ what, found, wanted, holds }) => {
    if (found === undefined) return `  ${paint("dim", `--    ${what}: not measured in this run`)}`;
    return `  ${holds ? paint("green", "ok  ") : paint("red", "MISS")}  ${what}: ${found}, ${wanted}`;
  });
  return ["", paint("bold", "Budget"), ...lines];
}

function beside(ours: SubjectId, peer: SubjectId): string {
  return `${subjectOf(ours).label} beside ${subjectOf(peer).label}`;
}
