import { paints, printable } from "@langgraph-savers/command/terminal";

import { OK } from "../command/exit-codes.js";
import { print, printJson, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, type CommandSpec } from "../command/spec.js";
import { table, type Column } from "../render/table.js";
import { formatAge, formatBytes, formatCount, formatTime, plural } from "../render/units.js";
import { listThreads } from "../stores/each-thread.js";
import { withStore } from "../stores/open.js";
import type { ThreadRow } from "../stores/store.js";

const SORTS = ["updated", "created", "id", "checkpoints", "bytes"] as const;
type Sort = (typeof SORTS)[number];

export const threads: CommandSpec = {
  name: "threads",
  summary: "Lists the threads of a store: their size, their age and where they stand.",
  args: [STORE],
  options: {
    prefix: { value: "TEXT", about: "Only threads whose id begins so" },
    since: { value: "TIME", about: "Only threads with a checkpoint in the last 90s, 15m, 12h, 30d" },
    sort: { value: "KEY", about: `${SORTS.join(", ")}; default: updated, the latest first` },
    reverse: { short: "r", about: "The other way round" },
    limit: { short: "n", value: "COUNT", about: "At most so many" },
    ...JSON_OPTION,
  },
  examples: ["threads file:./checkpoints", "threads mongodb://localhost/app --since 1d --sort bytes"],
  async run(call, io) {
    const sort = call.choice("sort", SORTS) ?? "updated";
    const since = call.duration("since");
    const limit = call.count("limit") ?? Infinity;
    const prefix = call.text("prefix");
    const all = await withStore(call.arg("STORE"), "read", io, (store) => listThreads(store, { prefix }, io));
    const rows = since === undefined ? all : all.filter((row) => isWithin(row, io.now(), since));
    const sorted = rows.toSorted(order(sort));
    const shown = (call.flag("reverse") ? sorted.toReversed() : sorted).slice(0, limit);
    if (call.flag("json")) printJson(io, shown.map(published));
    else show(shown, rows, io);
    return OK;
  },
};

function time(date: Date | undefined): number {
  return date?.getTime() ?? 0;
}

function isWithin({ updatedAt }: ThreadRow, now: Date, since: number): boolean {
  return updatedAt !== undefined && now.getTime() - updatedAt.getTime() <= since;
}

function order(sort: Sort): (a: ThreadRow, b: ThreadRow) => number {
  switch (sort) {
    case "id":
      return (a, b) => (a.threadId < b.threadId ? -1 : 1);
    case "updated":
      return (a, b) => time(b.updatedAt) - time(a.updatedAt);
    case "created":
      return (a, b) => time(b.createdAt) - time(a.createdAt);
    case "checkpoints":
      return (a, b) => b.checkpoints - a.checkpoints;
    case "bytes":
      return (a, b) => (b.bytes ?? 0) - (a.bytes ?? 0);
  }
}

/** `stamp` is the copy's own. */
function published({ stamp: _stamp, ...row }: ThreadRow): object {
  return row;
}

function show(shown: readonly ThreadRow[], all: readonly ThreadRow[], io: Io): void {
  const paint = paints(io.out.colour);
  if (all.length === 0) {
    print(io.out, "No threads.");
    return;
  }
  const now = io.now();
  const columns: Column<ThreadRow>[] = [
    { title: "thread", text: ({ threadId }) => printable(threadId), atLeast: 16, paint: paint.bold },
    { title: "checkpoints", text: ({ checkpoints }) => formatCount(checkpoints), align: "right" },
    {
      title: "namespaces",
      text: ({ namespaces }) => formatCount(namespaces),
      align: "right",
      from: 110,
    },
    {
      title: "size",
      text: ({ bytes }) => (bytes === undefined ? "" : formatBytes(bytes)),
      align: "right",
    },
    {
      title: "step",
      text: ({ lastStep }) => (lastStep === undefined ? "" : String(lastStep)),
      align: "right",
    },
    { title: "source", text: ({ lastSource = "" }) => printable(lastSource), atLeast: 6 },
    {
      title: "created (UTC)",
      text: ({ createdAt }) => (createdAt === undefined ? "" : formatTime(createdAt)),
      from: 110,
    },
    {
      title: "updated (UTC)",
      text: ({ updatedAt }) => (updatedAt === undefined ? "" : formatTime(updatedAt)),
      from: 110,
    },
    { title: "updated", text: ({ updatedAt }) => (updatedAt === undefined ? "" : formatAge(updatedAt, now)) },
  ];
  print(io.out, table(shown, columns, io.out.columns, paint));
  const bytes = shown.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
  const checkpoints = shown.reduce((sum, row) => sum + row.checkpoints, 0);
  const count = shown.length < all.length ? `${formatCount(shown.length)} of ` : "";
  print(
    io.out,
    `\n${paint.dim(`${count}${plural(all.length, "thread")}, ${plural(checkpoints, "checkpoint")}, ${formatBytes(bytes)}`)}`,
  );
}
