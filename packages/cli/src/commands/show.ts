import {
  displayWidth,
  padEnd,
  paints,
  printable,
  truncate,
  type Paint,
} from "@langgraph-savers/command/terminal";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { OK } from "../command/exit-codes.js";
import { print, printJson, type Io } from "../command/io.js";
import {
  JSON_OPTION,
  NAMESPACE_OPTION,
  STORE,
  THREAD,
  VALUE_OPTIONS,
  type CommandSpec,
} from "../command/spec.js";
import { findCheckpoint } from "../inspect/find-checkpoint.js";
import { groupBy } from "../inspect/group-by.js";
import { isInternal, nextTasks, stopsOf } from "../inspect/next-tasks.js";
import { plain } from "../inspect/plain.js";
import { stateBytes } from "../inspect/state-size.js";
import { fields } from "../render/table.js";
import { formatAge, formatBytes, formatTime, plural } from "../render/units.js";
import { errorText, oneLine, renderValue } from "../render/value.js";
import { withStore } from "../stores/open.js";
import { nameOf } from "../stores/store.js";

const LINES = 12;
const WIDEST_CHANNEL = 30;

export const show: CommandSpec = {
  name: "show",
  summary: "Shows a checkpoint: its state, what runs next, and the writes that wait.",
  args: [
    STORE,
    THREAD,
    {
      name: "CHECKPOINT",
      about: "Its id, the beginning of it, or ~2 for the second before the newest; default: the newest",
      optional: true,
    },
  ],
  options: {
    ...NAMESPACE_OPTION,
    ...VALUE_OPTIONS,
    ...JSON_OPTION,
  },
  details: [
    "What runs next is told as far as the checkpoint itself tells it, without the graph. " +
      "--json is for looking at; to read values back, use export.",
  ],
  examples: ["show file:./checkpoints chat-1", "show file:./checkpoints chat-1 ~3 --full"],
  async run(call, io) {
    const tuple = await withStore(call.arg("STORE"), "read", io, (store) =>
      findCheckpoint(store, call.arg("THREAD"), call.optionalArg("CHECKPOINT"), call.text("ns")),
    );
    if (call.flag("json")) printJson(io, published(tuple));
    else print(io.out, screen(tuple, { full: call.flag("full"), all: call.flag("all") }, io));
    return OK;
  },
};

function published(tuple: CheckpointTuple): object {
  const { checkpoint, metadata, parentConfig, pendingWrites = [] } = tuple;
  const { interrupts, errors } = stopsOf(tuple);
  return {
    threadId: tuple.config.configurable?.["thread_id"] as unknown,
    ...nameOf(tuple),
    parentId: (parentConfig?.configurable?.["checkpoint_id"] as unknown) ?? null,
    ts: checkpoint.ts,
    metadata: plain(metadata ?? {}),
    next: nextTasks(tuple),
    interrupts: plain(interrupts),
    errors: plain(errors),
    versions: checkpoint.channel_versions,
    state: plain(checkpoint.channel_values),
    writes: pendingWrites.map(([taskId, channel, value]) => ({ taskId, channel, value: plain(value) })),
  };
}

function screen(tuple: CheckpointTuple, { full, all }: { full: boolean; all: boolean }, io: Io): string {
  const paint = paints(io.out.colour);
  const style = { columns: io.out.columns, paint, lines: full ? Infinity : LINES };
  const values = Object.entries(tuple.checkpoint.channel_values);
  const shown = all ? values : values.filter(([channel]) => !isInternal(channel));
  const hidden = values.length - shown.length;
  const blocks = [
    head(tuple, io, paint),
    section("State", paint, [
      ...shown.map(([channel, value]) => labelled(channel, value, style)),
      ...(shown.length === 0 ? [`  ${paint.dim("no values")}`] : []),
      ...(hidden > 0
        ? [`  ${paint.dim(`${plural(hidden, "channel")} of LangGraph's own, --all shows them`)}`]
        : []),
    ]),
    writes(tuple, style),
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

function head(tuple: CheckpointTuple, io: Io, paint: Paint): string {
  const { checkpoint, metadata, parentConfig } = tuple;
  const { namespace, checkpointId } = nameOf(tuple);
  const made = new Date(checkpoint.ts);
  const parent: unknown = parentConfig?.configurable?.["checkpoint_id"];
  const next = nextTasks(tuple);
  const { interrupts, errors } = stopsOf(tuple);
  const { source, step } = metadata ?? {};
  const threadId = String(tuple.config.configurable?.["thread_id"]);
  const rows: [string, string][] = [
    ["thread", paint.bold(printable(threadId))],
    ["checkpoint", printable(checkpointId)],
    ["parent", typeof parent === "string" ? printable(parent) : "none"],
    ...(namespace === "" ? [] : [["namespace", printable(namespace)] as [string, string]]),
    ["step", [step, source].filter((part) => part !== undefined).join(" · ")],
    ["made", Number.isNaN(made.getTime()) ? "" : `${formatTime(made)} UTC · ${formatAge(made, io.now())}`],
    ["state", formatBytes(stateBytes(tuple))],
    [
      "next",
      next.length === 0 ? `${paint.green("✓")} nothing, it is finished` : next.map(printable).join(", "),
    ],
    ...interrupts.map((asked): [string, string] => [
      "waits for",
      `${paint.yellow("?")} an answer to ${oneLine(plain(asked))}`,
    ]),
    ...errors.map((error): [string, string] => ["failed", `${paint.red("✗")} ${errorText(plain(error))}`]),
  ];
  return fields(
    rows.filter(([, text]) => text !== ""),
    io.out.columns,
    paint,
  );
}

function section(title: string, paint: Paint, lines: readonly string[]): string {
  return [paint.bold(title), ...lines].join("\n");
}

/** Beside its name where it fits, else below it. */
function labelled(name: string, value: unknown, style: Parameters<typeof renderValue>[1]): string {
  const { paint, columns } = style;
  const label = paint.bold(printable(name));
  const lines = renderValue(plain(value), { ...style, columns: columns - 4 });
  const [first = ""] = lines;
  const isShort = lines.length === 1 && displayWidth(name + first) + 4 <= columns;
  return isShort ? `  ${label}  ${first}` : [`  ${label}`, ...lines.map((line) => `    ${line}`)].join("\n");
}

function writes({ pendingWrites = [] }: CheckpointTuple, style: Parameters<typeof renderValue>[1]): string {
  if (pendingWrites.length === 0) return "";
  const { paint, columns } = style;
  const byTask = groupBy(pendingWrites, ([taskId]) => taskId);
  const widest = Math.max(...pendingWrites.map(([, channel]) => displayWidth(printable(channel))));
  const width = Math.min(WIDEST_CHANNEL, widest) + 2;
  const lines = Array.from(byTask, ([taskId, ofTask]) => [
    `  ${paint.dim(`task ${printable(taskId)}`)}`,
    ...ofTask.map(([, channel, value]) => {
      const label = printable(channel);
      const [line = "", ...more] = renderValue(plain(value), { ...style, columns: columns - width - 4 });
      return [
        `    ${paint.bold(padEnd(truncate(label, width - 2), width))}${line}`,
        ...more.map((each) => " ".repeat(width + 4) + each),
      ].join("\n");
    }),
  ]);
  return section(`Writes that wait (${pendingWrites.length})`, paint, lines.flat());
}
