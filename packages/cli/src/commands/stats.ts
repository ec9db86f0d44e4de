import { paints, printable } from "@langgraph-savers/command/terminal";

import { OK } from "../command/exit-codes.js";
import { print, printJson, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, type CommandSpec } from "../command/spec.js";
import { noThread } from "../inspect/find-checkpoint.js";
import { table, type Column } from "../render/table.js";
import { formatBytes, formatCount, plural } from "../render/units.js";
import { Counter, type ChannelStats, type Stats, type ThreadStats } from "../stats/count.js";
import { eachThread, listThreads } from "../stores/each-thread.js";
import { withStore } from "../stores/open.js";
import type { OpenStore } from "../stores/store.js";

const DEFAULT_TOP = 10;

export const stats: CommandSpec = {
  name: "stats",
  summary: "Counts what a store takes, by thread and by channel, and what sharing has saved.",
  args: [STORE, { name: "THREAD", about: "Only these threads; default: all", optional: true, rest: true }],
  options: {
    prefix: { value: "TEXT", about: "Only threads whose id begins so" },
    top: {
      value: "COUNT",
      about: `So many threads and channels, the largest first; ${DEFAULT_TOP} without it`,
    },
    ...JSON_OPTION,
  },
  details: [
    '"Stored" is what the store keeps, compressed and shared. "Whole" is what all states would take if every ' +
      'checkpoint were stored by itself, "distinct" what the values take that are not the same as another one of ' +
      "their channel and thread. Reads every checkpoint.",
  ],
  examples: ["stats file:./checkpoints", "stats mongodb://localhost/app --top 3 --json"],
  async run(call, io) {
    const top = call.count("top", 1) ?? DEFAULT_TOP;
    const prefix = call.text("prefix");
    const counted = await withStore(call.arg("STORE"), "read", io, (store) =>
      count(store, call.rest, prefix, io),
    );
    if (call.flag("json")) printJson(io, published(counted));
    else show(counted, top, io);
    return OK;
  },
};

async function count(
  store: OpenStore,
  only: readonly string[],
  prefix: string | undefined,
  io: Io,
): Promise<Stats> {
  const all = await listThreads(store, { prefix }, io);
  const rows = only.length === 0 ? all : all.filter(({ threadId }) => only.includes(threadId));
  const missing = only.find((id) => !rows.some(({ threadId }) => threadId === id));
  if (missing !== undefined) throw noThread(missing);
  const counter = new Counter();
  await eachThread(rows, io, (row) => counter.thread(store, row));
  return {
    threads: counter.threads.toSorted((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0)),
    channels: counter.channels.toSorted((a, b) => b.wholeBytes - a.wholeBytes),
  };
}

interface Totals {
  threads: number;
  checkpoints: number;
  /** Undefined where the store does not tell. */
  storedBytes: number | undefined;
  wholeBytes: number;
  distinctBytes: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function totalsOf({ threads, channels }: Stats): Totals {
  const isTold = threads.every(({ bytes }) => bytes !== undefined);
  return {
    threads: threads.length,
    checkpoints: sum(threads.map(({ checkpoints }) => checkpoints)),
    storedBytes: isTold ? sum(threads.map(({ bytes = 0 }) => bytes)) : undefined,
    wholeBytes: sum(threads.map(({ wholeBytes }) => wholeBytes)),
    distinctBytes: sum(channels.map(({ distinctBytes }) => distinctBytes)),
  };
}

function published(counted: Stats): object {
  const threads = counted.threads.map(({ threadId, checkpoints, bytes, wholeBytes }) => ({
    threadId,
    checkpoints,
    storedBytes: bytes ?? null,
    wholeBytes,
  }));
  return { total: totalsOf(counted), threads, channels: counted.channels };
}

function show(counted: Stats, top: number, io: Io): void {
  const paint = paints(io.out.colour);
  const total = totalsOf(counted);
  if (total.threads === 0) {
    print(io.out, "No threads.");
    return;
  }
  const { columns: width } = io.out;
  const threadColumns: Column<ThreadStats>[] = [
    { title: "thread", text: ({ threadId }) => printable(threadId), atLeast: 16, paint: paint.bold },
    { title: "checkpoints", text: ({ checkpoints }) => formatCount(checkpoints), align: "right" },
    { title: "whole", text: ({ wholeBytes }) => formatBytes(wholeBytes), align: "right" },
    {
      title: "stored",
      text: ({ bytes }) => (bytes === undefined ? "?" : formatBytes(bytes)),
      align: "right",
    },
    { title: "ratio", text: ({ wholeBytes, bytes }) => ratio(wholeBytes, bytes), align: "right" },
  ];
  const channelColumns: Column<ChannelStats>[] = [
    { title: "channel", text: ({ channel }) => printable(channel), atLeast: 16, paint: paint.bold },
    { title: "values", text: ({ values }) => formatCount(values), align: "right" },
    { title: "largest", text: ({ largest }) => formatBytes(largest), align: "right" },
    { title: "whole", text: ({ wholeBytes }) => formatBytes(wholeBytes), align: "right" },
    { title: "distinct", text: ({ distinctBytes }) => formatBytes(distinctBytes), align: "right" },
    { title: "share", text: ({ wholeBytes }) => share(wholeBytes, total.wholeBytes), align: "right" },
  ];
  print(io.out, table(counted.threads.slice(0, top), threadColumns, width, paint));
  if (counted.threads.length > top)
    print(io.out, paint.dim(`… and ${formatCount(counted.threads.length - top)} more`));
  print(io.out, `\n${table(counted.channels.slice(0, top), channelColumns, width, paint)}`);
  if (counted.channels.length > top)
    print(io.out, paint.dim(`… and ${formatCount(counted.channels.length - top)} more`));
  const whole = formatBytes(total.wholeBytes);
  print(
    io.out,
    `\n${plural(total.threads, "thread")}, ${plural(total.checkpoints, "checkpoint")}: ${whole} of state, writes and metadata.`,
  );
  if (total.storedBytes !== undefined)
    print(
      io.out,
      `Stored in ${formatBytes(total.storedBytes)}: ${comparison(total.wholeBytes, total.storedBytes)}.`,
    );
}

function ratio(whole: number, stored: number | undefined): string {
  return stored === undefined || stored === 0 ? "" : `${(whole / stored).toFixed(1)}×`;
}

function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  return percent > 0 && percent < 1 ? "<1 %" : `${Math.round(percent)} %`;
}

function comparison(whole: number, stored: number): string {
  if (stored === 0) return "nothing";
  if (Math.abs(whole - stored) < stored / 20) return "about as much";
  return stored <= whole
    ? `${(whole / stored).toFixed(1)} times less, by sharing and compression`
    : `${(stored / whole).toFixed(1)} times more`;
}
