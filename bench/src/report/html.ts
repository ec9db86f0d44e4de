import type { BudgetLine } from "../suite/budget.js";
import { compareAll, verdict, type Comparison } from "../suite/compare.js";
import { ratio, spread, value } from "../suite/format.js";
import { MEASURES, type MeasureId } from "../suite/measures.js";
import { median } from "../suite/numbers.js";
import type { Results, WorkloadResult } from "../suite/results.js";
import { PAIRS, subjectOf, type Pair } from "../subjects/registry.js";
import { barChart } from "./charts/bar-chart.js";
import { escaped } from "./charts/markup.js";
import { inline, type Chart } from "./charts/palette.js";
import { pick, speedCharts, storageCharts, timeCharts } from "./plots.js";
import { notAhead } from "./not-ahead.js";
import { PAGE_STYLE } from "./page-style.js";

/** Everything of a run on one page that needs nothing else: no script, no font, no server. */
export function htmlReport(results: Results, budget: readonly BudgetLine[]): string {
  const all = compareAll(results);
  const title = "langgraph-savers: benchmarks";
  const parts = [
    `<header><h1>${title}</h1><p class="muted">${escaped(runLine(results))}</p></header>`,
    cards(results, all),
    section(
      "Storage grows with what is said, not with its square",
      storageText(results),
      charts(storageCharts(results)),
    ),
    section(
      "The time of a turn",
      "The same chat: median of the repetitions, neighbouring turns smoothed.",
      charts(timeCharts(results)),
    ),
    section(
      "Times better than the peer",
      "Bars are medians, lines the spread over the repetitions. Blue: ahead. Orange: behind.",
      charts(speedCharts(results)),
    ),
    section(
      "All workloads",
      "How many times less time and bytes, and fewer round trips, than the peer on the same disk or server.",
      matrix(results, all),
    ),
    section("Where ours is not ahead, and why", "", behindTable(all, results)),
    failures(results),
    budgetTable(budget),
    section(
      "Every figure",
      "Less is better in each of them. The ratio is the peer's figure over ours.",
      results.workloads.map((each) => details(each, all)).join(""),
    ),
    about(results),
  ];
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>${PAGE_STYLE}</style></head><body><main>${parts.join("\n")}</main></body></html>\n`
  );
}

function section(title: string, text: string, content: string): string {
  if (content === "") return "";
  const lead = text === "" ? "" : `<p class="muted">${escaped(text)}</p>`;
  return `<section><h2>${escaped(title)}</h2>${lead}${content}</section>`;
}

function charts(list: readonly Chart[]): string {
  if (list.length === 0) return "";
  return `<div class="charts">${list.map((chart) => `<figure>${inline(chart)}</figure>`).join("")}</div>`;
}

function runLine({ command, date, machine, scale, seconds }: Results): string {
  const took = seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`;
  return `${command} on ${date}: ${Object.values(machine).join(", ")}; ${scale} sizes, ${took}.`;
}

function storageText({ workloads }: Results): string {
  return `${workloads.find(({ id }) => id === "chat-1k")?.about ?? ""} Each turn makes three checkpoints; a saver that stores every state whole stores all messages three times a turn.`;
}

/** The few figures that people come for. */
function cards(results: Results, all: readonly Comparison[]): string {
  const chosen: [Pair, MeasureId, string][] = [
    [{ ours: "file-sync", peer: "sqlite-full" }, "stored", "fewer bytes"],
    [{ ours: "mongodb", peer: "mongodb-official" }, "stored", "fewer bytes"],
    [{ ours: "dynamodb", peer: "dynamodb-dlcaio" }, "writeUnits", "fewer write units"],
    [{ ours: "file-sync", peer: "sqlite-full" }, "last10", "faster last ten turns"],
    [{ ours: "mongodb", peer: "mongodb-official" }, "last10", "faster last ten turns"],
    [{ ours: "dynamodb", peer: "dynamodb-dlcaio" }, "last10", "faster last ten turns"],
  ];
  const list = chosen.flatMap(([{ ours, peer }, measure, what]) => {
    const found = pick(all, "chat-1k", measure, ours, peer);
    if (found === undefined) return [];
    const names = `${subjectOf(ours).label} beside ${subjectOf(peer).label}`;
    return [
      `<div class="card"><b class="${verdict(found.ratio)}">${ratio(found.ratio.median)}</b><span>${what}</span><small class="muted">${escaped(names)}</small></div>`,
    ];
  });
  const counts = { ahead: 0, level: 0, behind: 0 };
  for (const each of all) counts[verdict(each.ratio)] += 1;
  const sum = `Of ${all.length} figures, ours is ahead in ${counts.ahead}, level in ${counts.level} and behind in ${counts.behind}.`;
  const chat = results.workloads.some(({ id }) => id === "chat-1k")
    ? "The growing chat with 1 KB messages: "
    : "";
  return `<p>${chat}${sum}</p><div class="cards">${list.join("")}</div>`;
}

function matrix({ workloads }: Results, all: readonly Comparison[]): string {
  const pairs = PAIRS.filter((pair) =>
    all.some((each) => each.ours === pair.ours && each.peer === pair.peer),
  );
  const head = pairs.map(
    ({ ours, peer }) =>
      `<th>${escaped(subjectOf(ours).label)}<small>beside ${escaped(subjectOf(peer).label)}</small></th>`,
  );
  const rows = workloads.map(({ id, title, main }) => {
    const cells = pairs.map(({ ours, peer }) => {
      const measures: [MeasureId, string][] = [
        [main, main === "rss" ? "memory" : "time"],
        ["stored", "bytes"],
        ["roundTrips", "trips"],
      ];
      const chips = measures.flatMap(([measure, name]) => {
        const found = pick(all, id, measure, ours, peer);
        return found === undefined
          ? []
          : [`<span class="${verdict(found.ratio)}"><b>${ratio(found.ratio.median)}</b> ${name}</span>`];
      });
      return `<td>${chips.join("")}</td>`;
    });
    return `<tr><th>${escaped(title)}</th>${cells.join("")}</tr>`;
  });
  return `<div class="wide"><table class="matrix"><tr><th></th>${head.join("")}</tr>${rows.join("")}</table></div>`;
}

function behindTable(all: readonly Comparison[], results: Results): string {
  const groups = notAhead(all, results);
  if (groups.length === 0) return "<p>Nowhere in this run.</p>";
  const rows = groups.map(
    ({ who, where, why }) =>
      `<tr><td>${escaped(who)}</td><td>${escaped(where)}</td><td>${escaped(why)}</td></tr>`,
  );
  return `<div class="wide"><table><tr><th>Which</th><th>In what</th><th>Why</th></tr>${rows.join("")}</table></div>`;
}

function failures({ workloads, leftOut }: Results): string {
  const items = workloads.flatMap(({ title, step, outcomes }) =>
    outcomes.flatMap(({ subject, failed }) => {
      if (failed === undefined) return [];
      const stopped =
        failed.stoppedAt === undefined
          ? ""
          : `; it could not go on from ${step} ${failed.stoppedAt}, so both are compared up to there`;
      return [
        `${subjectOf(subject).label}, ${title}: ${failed.attempts} of ${failed.of} failed${stopped}. “${failed.message}”`,
      ];
    }),
  );
  const list = [...items, ...leftOut.map((text) => `Left out: ${text}`)].map(
    (text) => `<li>${escaped(text)}</li>`,
  );
  return section("What failed or was left out", "", list.length === 0 ? "" : `<ul>${list.join("")}</ul>`);
}

function budgetTable(budget: readonly BudgetLine[]): string {
  const rows = budget.map(({ what, found, wanted, holds }) => {
    const state = found === undefined ? "muted" : holds ? "ahead" : "behind";
    const mark = found === undefined ? "not measured" : holds ? "holds" : "missed";
    return `<tr><td>${escaped(what)}</td><td class="number">${found ?? ""}</td><td>${wanted}</td><td class="${state}">${mark}</td></tr>`;
  });
  const table = `<div class="wide"><table><tr><th>Ratio</th><th>Found</th><th>Wanted</th><th></th></tr>${rows.join("")}</table></div>`;
  return section("Budget", "The ratios that must hold: bench/budget.json.", rows.length === 0 ? "" : table);
}

function details(workload: WorkloadResult, all: readonly Comparison[]): string {
  const own = all.filter((each) => each.workload === workload.id);
  const rows = own.map((each) => {
    const { label, unit } = MEASURES[each.measure];
    return (
      `<tr><td>${escaped(subjectOf(each.ours).label)}</td><td>${escaped(subjectOf(each.peer).label)}</td><td>${label}</td>` +
      `<td class="number">${value(each.oursValue, unit)}</td><td class="number">${value(each.peerValue, unit)}</td>` +
      `<td class="number ${verdict(each.ratio)}"><b>${ratio(each.ratio.median)}</b></td><td class="muted">${spread(each.ratio)}</td></tr>`
    );
  });
  const head = ["Ours", "Peer", "Measure", "ours", "peer", "ratio", "spread"].map(
    (name) => `<th>${name}</th>`,
  );
  return (
    `<details><summary>${escaped(workload.title)}</summary><p class="muted">${escaped(workload.about)}</p>` +
    `${charts(bars(workload))}<div class="wide"><table><tr>${head.join("")}</tr>${rows.join("")}</table></div></details>`
  );
}

/** All subjects of the workload side by side, in its main measure and in bytes. */
function bars({ outcomes, main }: WorkloadResult): Chart[] {
  const measures: MeasureId[] = main === "time" ? [main, "stored"] : [main];
  const groups = new Set(outcomes.map(({ subject }) => subjectOf(subject).group));
  return [...groups].flatMap((group) =>
    measures.flatMap((measure) => {
      const list = outcomes.flatMap(({ subject, measures: values }) => {
        const { label, ours, group: its } = subjectOf(subject);
        const found = values[measure];
        if (its !== group || found === undefined) return [];
        return [{ label, role: ours ? ("ours" as const) : ("peer" as const), amount: median(found) }];
      });
      if (list.length === 0) return [];
      return [barChart(`${group}: ${MEASURES[measure].label}`, MEASURES[measure].unit, list)];
    }),
  );
}

function about({ versions, machine, command }: Results): string {
  const list = Object.entries({ ...machine, ...versions }).map(
    ([name, text]) => `<tr><th>${escaped(name)}</th><td>${escaped(text)}</td></tr>`,
  );
  const how =
    `Run by ${command}. All subjects of a backend run in one process, step by step in turns, so that noise of the machine falls ` +
    "on all alike; who comes first changes from step to step. A figure is the median over the steps of a repetition, a ratio " +
    "is made for each repetition, and shown as the median of these with the least and the greatest. Compared at equal durability: " +
    "files synced as SQLite with synchronous=FULL, MongoDB journaled on both sides.";
  return section("How it was measured", how, `<table>${list.join("")}</table>`);
}
