import {
  displayWidth,
  padEnd,
  paints,
  printable,
  truncate,
  type Paint,
} from "@langgraph-savers/command/terminal";

import { OK } from "../command/exit-codes.js";
import { print, printJson, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, THREAD, type CommandSpec } from "../command/spec.js";
import { noThread } from "../inspect/find-checkpoint.js";
import { groupBy } from "../inspect/group-by.js";
import { checkpointRow, uniquePrefix, type CheckpointRow } from "../inspect/checkpoint-row.js";
import { drawTree, type TreeLine } from "../render/tree.js";
import { formatAge, formatBytes, formatTime, plural } from "../render/units.js";
import { errorText, oneLine } from "../render/value.js";
import { withStore } from "../stores/open.js";

const DEFAULT_LIMIT = 100;
const WIDE = 120;

export const history: CommandSpec = {
  name: "history",
  summary: "Draws the checkpoints of a thread as a tree, the newest first.",
  args: [STORE, THREAD],
  options: {
    ns: {
      value: "NAMESPACE",
      about: "Only this checkpoint namespace; default: all of them, one after the other",
    },
    limit: {
      short: "n",
      value: "COUNT",
      about: `At most so many checkpoints, ${DEFAULT_LIMIT} without it; 0: all`,
    },
    ...JSON_OPTION,
  },
  details: ["Sizes are those of the whole state, as if nothing were shared with the checkpoints before it."],
  examples: ["history file:./checkpoints chat-1", "history mongodb://localhost/app chat-1 --limit 0 --json"],
  async run(call, io) {
    const threadId = call.arg("THREAD");
    const limit = call.count("limit") ?? DEFAULT_LIMIT;
    const namespace = call.text("ns");
    const { rows, more } = await withStore(call.arg("STORE"), "read", io, async (store) => {
      const found: CheckpointRow[] = [];
      const configurable = {
        thread_id: threadId,
        ...(namespace === undefined ? {} : { checkpoint_ns: namespace }),
      };
      for await (const tuple of store.saver.list({ configurable })) {
        if (limit > 0 && found.length === limit) return { rows: found, more: true };
        found.push(checkpointRow(tuple));
      }
      return { rows: found, more: false };
    });
    if (rows.length === 0) throw noThread(threadId, namespace);
    if (call.flag("json")) printJson(io, rows);
    else print(io.out, screen(rows, more, io));
    return OK;
  },
};

function screen(rows: readonly CheckpointRow[], more: boolean, io: Io): string {
  const paint = paints(io.out.colour);
  const namespaces = groupBy(rows, ({ namespace }) => namespace);
  const trees = [...namespaces.keys()]
    .toSorted()
    .map((name) => ({ name, lines: drawTree(namespaces.get(name)!.map(nodeOf)) }));
  const layout = layoutOf(
    rows,
    trees.flatMap(({ lines }) => lines),
    io,
  );
  const blocks = trees.map(({ name, lines }) => {
    const tree = lines.map((line) => lineText(line, layout, paint)).join("\n");
    return name === "" ? tree : `${paint.dim("namespace")} ${paint.bold(printable(name))}\n${tree}`;
  });
  if (more) blocks.push(paint.dim(`Older checkpoints are left out, --limit 0 shows all.`));
  else blocks.push(paint.dim(plural(rows.length, "checkpoint")));
  return blocks.join("\n\n");
}

type Line = TreeLine<CheckpointRow & { id: string }>;

function nodeOf(row: CheckpointRow): CheckpointRow & { id: string } {
  return { ...row, id: row.checkpointId };
}

/** The same for all namespaces, so that their columns stand below each other. */
interface Layout {
  rails: number;
  id: number;
  step: number;
  source: number;
  times: number;
  note: number;
  time(made: Date): string;
}

const BYTES_WIDTH = 7;
const LEAST_NOTE = 8;

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0);
}

function layoutOf(rows: readonly CheckpointRow[], lines: readonly Line[], io: Io): Layout {
  const { columns } = io.out;
  const isWide = columns >= WIDE;
  const time = (made: Date) => (isWide ? formatTime(made) : formatAge(made, io.now()));
  const width = {
    rails: widest(lines.map(({ rails }) => rails)),
    id: isWide ? widest(rows.map(({ checkpointId }) => checkpointId)) : uniquePrefix(rows),
    step: Math.max(2, widest(rows.map(({ step }) => String(step ?? "")))),
    source: widest(rows.map(({ source }) => printable(source))),
    times: widest(rows.map(({ made }) => time(made))),
  };
  const used = Object.values(width).reduce((sum, each) => sum + each + 2, BYTES_WIDTH + 2);
  // Behind its sign.
  return { ...width, time, note: Math.max(LEAST_NOTE, columns - used - 2) };
}

function lineText({ rails, node }: Line, width: Layout, paint: Paint): string {
  if (node === undefined) return paintRails(rails, paint);
  const drawn = rails.padEnd(width.rails).replace("●", markOf(node, paint));
  const { sign, text } = noteOf(node, paint);
  return [
    paintRails(drawn, paint),
    paint.bold(padEnd(printable(node.checkpointId).slice(0, width.id), width.id)),
    String(node.step ?? "").padStart(width.step),
    padEnd(printable(node.source), width.source),
    paint.dim(width.time(node.made).padEnd(width.times)),
    formatBytes(node.bytes).padStart(BYTES_WIDTH),
    `${sign} ${truncate(text, width.note)}`.trimEnd(),
  ].join("  ");
}

/** What happens after a checkpoint, in the few words that are left on its line; only the sign has a colour. */
function noteOf(
  { next, interrupts, errors, writes }: CheckpointRow,
  paint: Paint,
): { sign: string; text: string } {
  if (errors.length > 0) return { sign: paint.red("✗"), text: errorText(errors[0]) };
  if (interrupts.length > 0) return { sign: paint.yellow("?"), text: oneLine(interrupts[0]) };
  if (next.length > 0) return { sign: "→", text: next.map(printable).join(", ") };
  return { sign: paint.green("✓"), text: writes > 0 ? plural(writes, "write") : "finished" };
}

function markOf({ errors, interrupts }: CheckpointRow, paint: Paint): string {
  if (errors.length > 0) return paint.red("●");
  return interrupts.length > 0 ? paint.yellow("●") : "●";
}

function paintRails(rails: string, paint: Paint): string {
  return rails.replace(/[│├─┴┼╯]+/g, (line) => paint.dim(line));
}
