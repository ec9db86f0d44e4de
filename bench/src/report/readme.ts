import { compareAll, verdict, type Comparison } from "../suite/compare.js";
import { ratio, spread, value } from "../suite/format.js";
import { MEASURES, type MeasureId } from "../suite/measures.js";
import type { Results } from "../suite/results.js";
import { subjectOf, type SubjectId } from "../subjects/registry.js";
import { pick } from "./plots.js";
import { reasonFor } from "./reasons.js";

const BEGIN = "<!-- figures: made by `pnpm bench:readme` from bench/results, not by hand -->";
const END = "<!-- end of figures -->";

type Row = [workload: string, measure: MeasureId, what: string, ours: SubjectId, peer: SubjectId];

const ROWS: Row[] = [
  ["chat-1k", "stored", "Chat of 300 turns, bytes stored", "file-sync", "sqlite-full"],
  ["chat-1k", "stored", "", "mongodb", "mongodb-official"],
  ["chat-1k", "stored", "Chat of 100 turns, bytes stored", "dynamodb", "dynamodb-dlcaio"],
  ["chat-1k", "last10", "Last ten turns of 300, every commit durable", "file-sync", "sqlite-full"],
  ["chat-1k", "last10", "", "file-sync", "memory-official"],
  ["chat-1k", "last10", "", "mongodb", "mongodb-official"],
  ["chat-1k", "time", "A turn of the 100", "dynamodb", "dynamodb-dlcaio"],
  ["chat-1k", "roundTrips", "Round trips of a turn", "dynamodb", "dynamodb-dlcaio"],
  ["chat-1k", "writeUnits", "Write units of a turn", "dynamodb", "dynamodb-dlcaio"],
  ["chat-1k", "getCold", "`getTuple` after 300 turns, cold saver", "file-sync", "sqlite-full"],
  ["chat-1k", "getCold", "", "mongodb", "mongodb-official"],
  ["chat-1k", "list50", "`list` of 50 checkpoints", "file-sync", "sqlite-full"],
  ["chat-1k", "list50", "", "mongodb", "mongodb-official"],
  ["chat-1k", "list50", "", "dynamodb", "dynamodb-dlcaio"],
  ["huge", "time", "A run beside a value of 8 MB that stays", "file-sync", "sqlite-full"],
  ["huge", "time", "", "mongodb", "mongodb-official"],
  ["puts-2k-1", "time", "One durable put of 2 KB", "file-group", "sqlite-full"],
  ["puts-2k-32", "time", "32 durable puts of 2 KB at once", "file-group", "sqlite-full"],
  ["puts-20k-1", "time", "One durable put of 20 KB", "file-group", "sqlite-full"],
  ["puts-2k-1", "time", "One put of 2 KB, not durable", "file-none", "sqlite"],
  ["puts-2k-1", "time", "One put of 2 KB", "mongodb", "mongodb-official"],
  ["codec", "load", "Loading 600 messages of 1 KB", "memory", "memory-official"],
  ["codec", "dump", "Storing them", "memory", "memory-official"],
  ["footprint", "import", "Importing the package", "dynamodb", "dynamodb-dlcaio"],
  ["footprint", "bundle", "Bundled for a function, driver included", "dynamodb", "dynamodb-dlcaio"],
];

/** What the README says of what is not ahead: its own table has the rest. */
const TOLD: MeasureId[] = ["time", "stored", "roundTrips", "getWarm", "getCold", "list50"];

/** The README with its figures made anew. Throws where the place for them is missing. */
export function withFigures(readme: string, results: Results): string {
  const [from, to] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`The README has no place for figures: "${BEGIN}" … "${END}".`);
  return `${readme.slice(0, from + BEGIN.length)}\n\n${figures(results)}\n\n${readme.slice(to)}`;
}

function figures(results: Results): string {
  const all = compareAll(results);
  return [
    "![Bytes stored by turn: the peers' grow with the square of the turns, ours in a line](bench/plots/storage.svg)",
    "![Time of a turn, by turn](bench/plots/turn-time.svg)",
    table(all),
    "![How many times faster than its peer, workload by workload](bench/plots/ratios.svg)",
    behind(all, results),
    source(results),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function table(all: readonly Comparison[]): string {
  const rows = ROWS.flatMap(([workload, measure, what, ours, peer]) => {
    const found = pick(all, workload, measure, ours, peer);
    if (found === undefined) return [];
    const { unit } = MEASURES[measure];
    const range = spread(found.ratio);
    return [
      [
        what,
        `${subjectOf(ours).label}: ${value(found.oursValue, unit)}`,
        `${subjectOf(peer).label}: ${value(found.peerValue, unit)}`,
        `**${ratio(found.ratio.median)}**${range === "" ? "" : ` (${range})`}`,
      ],
    ];
  });
  return markdownTable(["What", "Ours", "Beside", "Times better (spread)"], rows);
}

/** Padded as the formatter has it. */
export function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** A line for each reason; the report has every figure. */
function behind(all: readonly Comparison[], { workloads }: Results): string {
  const told = all.filter((each) => TOLD.includes(each.measure) && verdict(each.ratio) === "behind");
  if (told.length === 0) return "Ours is behind in none of the figures that were compared.";
  const items = [...byReason(told)].map(([why, group]) => {
    const listed = (name: (each: Comparison) => string) => [...new Set(group.map(name))].join(" · ");
    const medians = group.map(({ ratio: { median } }) => median);
    const range = [...new Set([Math.min(...medians), Math.max(...medians)].map(ratio))].join(" to ");
    const who = `${listed(({ ours }) => subjectOf(ours).label)} beside ${listed(({ peer }) => subjectOf(peer).label)}`;
    const where = listed(({ workload }) => workloads.find(({ id }) => id === workload)!.title);
    return `- **${range}**: ${who}; ${listed(({ measure }) => MEASURES[measure].label)}. ${where}. ${why}`;
  });
  return [
    "<details>",
    "<summary>Where ours is behind, of everything that was compared in time, bytes and round trips, and why</summary>",
    "",
    ...items,
    "",
    "</details>",
  ].join("\n");
}

function byReason(all: readonly Comparison[]): Map<string, Comparison[]> {
  const groups = new Map<string, Comparison[]>();
  for (const each of all) {
    const why = reasonFor(each);
    groups.set(why, [...(groups.get(why) ?? []), each]);
  }
  return groups;
}

function source({ command, machine, versions, date }: Results): string {
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return (
    `Measured by \`${command}\` on ${date}, side by side in one run: ${Object.values(machine).join(", ")}; ${packages.join(", ")}. ` +
    "Times are ratios because machines differ; run it on yours. [bench](bench/README.md) says how it is measured, " +
    "[bench/NOTES.md](bench/NOTES.md) where the time goes."
  );
}
