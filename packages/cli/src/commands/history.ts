import { paints, printable, truncate, type Paint } from "@langgraph-savers/command/terminal";

import { OK } from "../command/exit-codes.js";
import { print, printJson, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, THREAD, type CommandSpec } from "../command/spec.js";
import { noThread } from "../inspect/find-checkpoint.js";
import { groupBy } from "../inspect/group-by.js";
import { checkpointRow, uniquePrefix, type CheckpointRow } from "../inspect/checkpoint-row.js";
import { drawTree } from "../render/tree.js";
import { formatAge, formatBytes, formatTime, plural } from "../render/units.js";
import { oneLine } from "../render/value.js";
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
  const names = [...namespaces.keys()].toSorted();
  const blocks = names.map((name) => {
    const tree = treeOf(namespaces.get(name)!, io, paint);
    return name === "" ? tree : `${paint.dim("namespace")} ${paint.bold(printable(name))}\n${tree}`;
  });
  if (more) blocks.push(paint.dim(`Older checkpoints are left out, --limit 0 shows all.`));
  else blocks.push(paint.dim(plural(rows.length, "checkpoint")));
  return blocks.join("\n\n");
}

function treeOf(rows: readonly CheckpointRow[], io: Io, paint: Paint): string {
  const { columns } = io.out;
  const isWide = columns >= WIDE;
  const lines = drawTree(rows.map((row) => ({ ...row, id: row.checkpointId })));
  const width = {
    rails: Math.max(...lines.map(({ rails }) => rails.length)),
    id: isWide ? Math.max(...rows.map(({ checkpointId }) => checkpointId.length)) : uniquePrefix(rows),
    step: Math.max(2, ...rows.map(({ step }) => String(step ?? "").length)),
    source: Math.max(...rows.map(({ source }) => source.length)),
  };
  const time = (made: Date) => (isWide ? formatTime(made) : formatAge(made, io.now()));
  const times = Math.max(...rows.map(({ made }) => time(made).length));
  return lines
    .map(({ rails, node }) => {
      const drawn = rails.padEnd(width.rails).replace("●", node === undefined ? "●" : markOf(node, paint));
      if (node === undefined) return paintRails(rails, paint);
      const cells = [
        paintRails(drawn, paint),
        paint.bold(printable(node.checkpointId).slice(0, width.id).padEnd(width.id)),
        String(node.step ?? "").padStart(width.step),
        printable(node.source).padEnd(width.source),
        paint.dim(time(node.made).padEnd(times)),
        formatBytes(node.bytes).padStart(7),
      ].join("  ");
      const used = width.rails + width.id + width.step + width.source + times + 7 + 12;
      const { sign, text } = noteOf(node, paint);
      return `${cells}  ${sign} ${truncate(text, Math.max(8, columns - used - 2))}`.trimEnd();
    })
    .join("\n");
}

/** What happens after a checkpoint, in the few words that are left on its line; only the sign has a colour. */
function noteOf(
  { next, interrupts, errors, writes }: CheckpointRow,
  paint: Paint,
): { sign: string; text: string } {
  if (errors.length > 0) return { sign: paint.red("✗"), text: saidBy(errors[0]) };
  if (interrupts.length > 0) return { sign: paint.yellow("?"), text: oneLine(interrupts[0]) };
  if (next.length > 0) return { sign: "→", text: next.map(printable).join(", ") };
  return { sign: paint.green("✓"), text: writes > 0 ? plural(writes, "write") : "finished" };
}

/** An error by its message, where it has one. */
function saidBy(error: unknown): string {
  const said = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  return typeof said === "string" ? printable(said) : oneLine(error);
}

function markOf({ errors, interrupts }: CheckpointRow, paint: Paint): string {
  if (errors.length > 0) return paint.red("●");
  return interrupts.length > 0 ? paint.yellow("●") : "●";
}

function paintRails(rails: string, paint: Paint): string {
  return rails.replace(/[│├─┴┼╯]+/g, (line) => paint.dim(line));
}
