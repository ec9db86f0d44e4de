import { displayWidth, paints, printable, type Paint } from "@langgraph-savers/command/terminal";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { NEGATIVE, OK } from "../command/exit-codes.js";
import { print, printJson, type Io } from "../command/io.js";
import { JSON_OPTION, NAMESPACE_OPTION, STORE, VALUE_OPTIONS, type CommandSpec } from "../command/spec.js";
import { diff, type Change } from "../inspect/diff.js";
import { findCheckpoint } from "../inspect/find-checkpoint.js";
import { groupBy } from "../inspect/group-by.js";
import { isInternal } from "../inspect/next-tasks.js";
import { plain } from "../inspect/plain.js";
import { plural } from "../render/units.js";
import { oneLine, renderValue } from "../render/value.js";
import { withStore } from "../stores/open.js";
import { nameOf, type OpenStore } from "../stores/store.js";

const LINES = 8;

export const diffCommand: CommandSpec = {
  name: "diff",
  summary: "Compares the state of two checkpoints, of one thread or of two.",
  args: [
    STORE,
    { name: "A", about: "THREAD, or THREAD@CHECKPOINT; the checkpoint's id, the beginning of it, or ~2" },
    {
      name: "B",
      about: "The same; @CHECKPOINT alone is one of A's thread. Default: A's newest",
      optional: true,
    },
  ],
  options: {
    ...NAMESPACE_OPTION,
    ...VALUE_OPTIONS,
    ...JSON_OPTION,
  },
  examples: ["diff file:./checkpoints chat-1@~1", "diff file:./checkpoints chat-1@1f0a2b3c chat-2"],
  async run(call, io) {
    const namespace = call.text("ns");
    const [before, after] = await withStore(call.arg("STORE"), "read", io, async (store) => {
      const a = await checkpointAt(store, call.arg("A"), undefined, namespace);
      const b = await checkpointAt(store, call.optionalArg("B") ?? "@", a.threadId, namespace);
      return [a.tuple, b.tuple] as const;
    });
    const changes = diff(stateOf(before, call.flag("all")), stateOf(after, call.flag("all")));
    if (call.flag("json")) printJson(io, { before: nameOf(before), after: nameOf(after), changes });
    else print(io.out, screen(before, after, changes, call.flag("full"), io));
    return changes.length === 0 ? OK : NEGATIVE;
  },
};

async function checkpointAt(
  store: OpenStore,
  text: string,
  otherThread: string | undefined,
  namespace: string | undefined,
): Promise<{ threadId: string; tuple: CheckpointTuple }> {
  const at = text.lastIndexOf("@");
  // The id of a thread may have an @ of its own.
  const isThread = at === -1 || (at > 0 && (await isThere(store, text, namespace)));
  const threadId = isThread ? text : text.slice(0, at) || (otherThread ?? "");
  const name = isThread ? undefined : text.slice(at + 1) || undefined;
  return { threadId, tuple: await findCheckpoint(store, threadId, name, namespace) };
}

async function isThere(store: OpenStore, threadId: string, namespace = ""): Promise<boolean> {
  const configurable = { thread_id: threadId, checkpoint_ns: namespace };
  return (await store.saver.getTuple({ configurable })) !== undefined;
}

function stateOf({ checkpoint }: CheckpointTuple, all: boolean): unknown {
  const values = Object.entries(checkpoint.channel_values).filter(([name]) => all || !isInternal(name));
  return plain(Object.fromEntries(values));
}

function screen(
  before: CheckpointTuple,
  after: CheckpointTuple,
  changes: readonly Change[],
  full: boolean,
  io: Io,
): string {
  const paint = paints(io.out.colour);
  const title = (sign: string, tuple: CheckpointTuple) => {
    const { step, source } = tuple.metadata ?? {};
    const thread = printable(String(tuple.config.configurable?.["thread_id"]));
    const made = paint.dim(`step ${step ?? "?"} · ${printable(source ?? "?")}`);
    return `${sign} ${thread} ${paint.bold(printable(nameOf(tuple).checkpointId))} ${made}`;
  };
  const head = [title(paint.red("−"), before), title(paint.green("+"), after)].join("\n");
  if (changes.length === 0) return `${head}\n\nThe same state.`;
  const style = { columns: io.out.columns - 4, paint, lines: full ? Infinity : LINES };
  const byPlace = Array.from(
    groupBy(changes, ({ path }) => path),
    ([path, sides]) => placeText(path, sides, style),
  );
  return [head, blocksOf(byPlace), paint.dim(plural(changes.length, "change"))].join("\n\n");
}

/** What takes more than one line stands apart from the others. */
function blocksOf(texts: readonly string[]): string {
  return texts
    .map((text, at) => {
      const isApart = at > 0 && (text.includes("\n") || texts[at - 1]!.includes("\n"));
      return isApart ? `\n${text}` : text;
    })
    .join("\n");
}

/** What changed at one place: on its line where that is short, as in `count  1 → 2`, else below it. */
function placeText(
  path: string,
  changes: readonly Change[],
  style: { columns: number; paint: Paint; lines: number },
): string {
  const { paint, columns } = style;
  const label = paint.bold(printable(path));
  const sides = changes.flatMap((change) => [
    ...("before" in change ? [["−", change.before, paint.red] as const] : []),
    ...("after" in change ? [["+", change.after, paint.green] as const] : []),
  ]);
  const short = sides.map(([, value]) => oneLine(value));
  if (changes.length === 1 && sides.length === 2 && displayWidth(path + short.join("")) + 6 <= columns)
    return `${label}  ${short[0]} → ${short[1]}`;
  const drawn = sides.map(([sign, value, tone]) =>
    renderValue(value, style).map((line) => `${tone(sign)} ${line}`),
  );
  const [only = ""] = drawn[0] ?? [];
  if (sides.length === 1 && drawn[0]!.length === 1 && displayWidth(path + only) + 2 <= columns)
    return `${label}  ${only}`;
  return [label, ...drawn.flat().map((line) => `  ${line}`)].join("\n");
}
