import { paints, printable } from "@langgraph-savers/command/terminal";
import type { PrunePolicy, PruneReport, ThreadPruneReport } from "@langgraph-savers/core";

import type { Call } from "../command/call.js";
import { confirm } from "../command/confirm.js";
import { CommandError, UsageError } from "../command/errors.js";
import { NEGATIVE, OK } from "../command/exit-codes.js";
import { print, printJson, printSentences, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, YES_OPTION, type CommandSpec } from "../command/spec.js";
import { progress } from "../render/progress.js";
import { table, type Column } from "../render/table.js";
import { formatBytes, formatCount, plural } from "../render/units.js";
import { withStore } from "../stores/open.js";
import { isPackSaver, type OpenStore, type PackSaver } from "../stores/store.js";

const MOST_SHOWN = 20;

export const prune: CommandSpec = {
  name: "prune",
  summary: "Deletes old checkpoints, of all threads or of those that are named.",
  args: [STORE, { name: "THREAD", about: "Only these threads; default: all", optional: true, rest: true }],
  options: {
    "keep-last": {
      value: "COUNT",
      about: "Keep so many of the newest checkpoints of each namespace, 1 without it",
    },
    "older-than": { value: "TIME", about: "Only what was put longer ago than 90s, 15m, 12h, 30d" },
    "keep-finished": { about: "Keep the newest checkpoint at which the graph was finished" },
    "drop-interrupted": { about: "Also delete checkpoints that wait for a human's answer" },
    "delete-threads": {
      about: "Delete whole threads instead: those without a checkpoint since --older-than",
    },
    "dry-run": { about: "Only look: what would go, and what would stay" },
    ...YES_OPTION,
    ...JSON_OPTION,
  },
  details: [
    "The newest checkpoint of each namespace stays, and so does what others need to be read. Graphs may be running " +
      "meanwhile. The space of values is given back by a later run, when nothing has needed them for an hour.",
  ],
  examples: [
    "prune file:./checkpoints --keep-last 10 --dry-run",
    "prune mongodb://host/app --delete-threads --older-than 90d",
  ],
  run: (call, io) => {
    const policy = policyOf(call);
    const threads = call.rest.length > 0 ? call.rest : "all";
    return withStore(call.arg("STORE"), "read", io, async (store) => {
      const saver = packSaverOf(store);
      if (policy.dryRun !== true && !call.flag("yes")) {
        // Whoever is asked is to know what for; where nobody can be, nothing need be read.
        const what =
          io.ask && consequences(await pruned(saver, threads, { ...policy, dryRun: true }, io), store);
        await confirm(io, false, what ?? `Checkpoints of ${store.label} would be deleted for good.`);
      }
      const report = await pruned(saver, threads, policy, io);
      const failed = report.failed.map(({ threadId, error }) => ({ threadId, error: error.message }));
      if (call.flag("json")) printJson(io, { ...report, failed, dryRun: policy.dryRun === true });
      else show(report, policy.dryRun === true, io);
      return failed.length > 0 ? NEGATIVE : OK;
    });
  },
};

function policyOf(call: Call): PrunePolicy {
  const keepLast = call.count("keep-last", 1);
  const olderThan = call.duration("older-than");
  const deleteThreads = call.flag("delete-threads");
  if (keepLast === undefined && olderThan === undefined && !deleteThreads)
    throw new UsageError("Say what goes: --keep-last, --older-than or --delete-threads.");
  if (deleteThreads && keepLast !== undefined)
    throw new UsageError("--delete-threads keeps none of a thread's checkpoints: leave out --keep-last.");
  if (deleteThreads && olderThan === undefined && call.rest.length === 0)
    throw new UsageError("That would delete every thread. Name threads, or say how old: --older-than 90d.");
  return {
    ...(deleteThreads ? { strategy: "delete" } : {}),
    ...(keepLast === undefined ? {} : { keepLast }),
    ...(olderThan === undefined ? {} : { olderThan }),
    keepFinished: call.flag("keep-finished"),
    keepInterrupted: !call.flag("drop-interrupted"),
    dryRun: call.flag("dry-run"),
  };
}

function packSaverOf({ saver, label }: OpenStore): PackSaver {
  if (isPackSaver(saver)) return saver;
  throw new CommandError(
    `${label} is not a store of this pack, and cannot be pruned. Copy it to one that is.`,
  );
}

async function pruned(
  saver: PackSaver,
  threads: readonly string[] | "all",
  policy: PrunePolicy,
  io: Io,
): Promise<PruneReport> {
  const bar = progress(io.err, "threads");
  const total = threads === "all" ? undefined : threads.length;
  let done = 0;
  try {
    return await saver.prune(threads, policy, ({ threadId }) => bar.update((done += 1), total, threadId));
  } finally {
    bar.end();
  }
}

function consequences({ deleted, threads }: PruneReport, { label }: OpenStore): string {
  return `${plural(deleted, "checkpoint")} of ${plural(threads.filter(isTouched).length, "thread")} in ${label} will be deleted for good.`;
}

function isTouched({ deleted }: ThreadPruneReport): boolean {
  return deleted.length > 0;
}

function show({ deleted, kept, bytes, threads, failed }: PruneReport, dryRun: boolean, io: Io): void {
  const paint = paints(io.out.colour);
  const touched = threads.filter(isTouched).toSorted((a, b) => b.deleted.length - a.deleted.length);
  if (touched.length > 0) {
    const columns: Column<ThreadPruneReport>[] = [
      { title: "thread", text: ({ threadId }) => printable(threadId), atLeast: 16, paint: paint.bold },
      {
        title: dryRun ? "would go" : "deleted",
        text: (each) => formatCount(each.deleted.length),
        align: "right",
      },
      {
        title: dryRun ? "would stay" : "stayed",
        text: (each) => formatCount(each.kept.length),
        align: "right",
      },
      { title: "because", text: reasons, atLeast: 12 },
    ];
    print(io.out, table(touched.slice(0, MOST_SHOWN), columns, io.out.columns, paint));
    if (touched.length > MOST_SHOWN)
      print(io.out, paint.dim(`… and ${touched.length - MOST_SHOWN} more threads`));
    print(io.out, "");
  }
  const freed = dryRun ? "" : `, ${formatBytes(bytes)} given back`;
  const verb = dryRun ? "would be deleted" : "deleted";
  print(
    io.out,
    `${paint.green("✓")} ${plural(deleted, "checkpoint")} ${verb}, ${formatCount(kept)} kept${freed}.`,
  );
  for (const { error } of failed.slice(0, MOST_SHOWN))
    printSentences(io.out, paint.red("✗"), printable(error.message));
  if (failed.length > 0)
    print(io.out, `${plural(failed.length, "thread")} cannot be read, and stayed as they are.`);
}

/** `2 last, 1 needed`: why what stayed did. */
function reasons({ kept }: ThreadPruneReport): string {
  const counts = new Map<string, number>();
  for (const reason of kept.flatMap((each) => each.reasons))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => `${count} ${reason}`).join(", ");
}
