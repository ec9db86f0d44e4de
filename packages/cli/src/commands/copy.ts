import { resolve } from "node:path";

import { print, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, type CommandSpec } from "../command/spec.js";
import { UsageError } from "../command/errors.js";
import { copyAll } from "../copy/copy-all.js";
import { Journal, journalPath } from "../copy/journal.js";
import { reportCopy } from "../copy/report.js";
import { storeSource } from "../copy/store-source.js";
import { progress } from "../render/progress.js";
import { plural } from "../render/units.js";
import { openIfThere, withStore } from "../stores/open.js";
import type { OpenStore } from "../stores/store.js";
import type { Call } from "../command/call.js";

const DEFAULT_CONCURRENCY = 8;

export const copy: CommandSpec = {
  name: "copy",
  summary: "Copies threads from one store to another, of whatever kinds, and compares every checkpoint.",
  args: [
    { ...STORE, name: "SOURCE", about: "Where from: a URL, or the path of a module. It is only read" },
    { ...STORE, name: "TARGET", about: "Where to" },
    { name: "THREAD", about: "Only these threads", optional: true, rest: true },
  ],
  options: {
    prefix: { value: "TEXT", about: "Only threads whose id begins so" },
    "dry-run": { about: "Only look: what would be copied, what is there already, what stands in the way" },
    merge: { about: "Also into threads that have checkpoints which the source has not" },
    concurrency: {
      short: "c",
      value: "COUNT",
      about: `Threads at a time, ${DEFAULT_CONCURRENCY} without it`,
    },
    journal: {
      value: "FILE",
      about: "Where to note what is done, to go on from there after an interruption",
    },
    restart: { about: "Look at every thread again, also at those that an interrupted run has done" },
    ...JSON_OPTION,
  },
  details: [
    "Thread by thread, oldest checkpoint first: values, metadata, parents and the writes of tasks. Then the thread is " +
      "read back from the target and compared with what was read from the source.",
    "Interrupted, even by kill -9, run it again: it goes on with the next thread. Run again when it is done, it copies " +
      "what has changed since. Stop the graphs that write to the source before the last run.",
  ],
  examples: [
    "copy official-sqlite:./old.db file:./checkpoints --dry-run",
    "copy official-mongodb://localhost/app mongodb://localhost/app",
  ],
  async run(call, io) {
    if (call.arg("SOURCE") === call.arg("TARGET"))
      throw new UsageError("SOURCE and TARGET are the same store.");
    const dryRun = call.flag("dry-run");
    return withStore(call.arg("SOURCE"), "read", io, async (source) => {
      const target = await openIfThere(call.arg("TARGET"), dryRun ? "absent-is-empty" : "write", io);
      try {
        return await copyStore(call, source, target, dryRun, io);
      } finally {
        await target?.close();
      }
    });
  },
};

async function copyStore(
  call: Call,
  from: OpenStore,
  target: OpenStore | undefined,
  dryRun: boolean,
  io: Io,
): Promise<number> {
  const prefix = call.text("prefix");
  if (call.rest.length > 0 && prefix !== undefined)
    throw new UsageError("Name threads, or give --prefix, not both.");
  const journal =
    dryRun || target === undefined ? undefined : await openJournal(call, from.identity, target.identity, io);
  const listing = progress(io.err, "threads");
  listing.update(0, undefined, "being listed");
  let bar = progress(io.err, "threads");
  const start = performance.now();
  let done = 0;
  const report = await io.untilInterrupted((signal) =>
    copyAll(storeSource(from, { prefix, only: call.rest }), target, {
      dryRun,
      merge: call.flag("merge"),
      concurrency: call.count("concurrency", 1) ?? DEFAULT_CONCURRENCY,
      signal,
      journal,
      onListed: (count) => {
        listing.update(count, undefined, "listed");
        // The rate of the copy is counted from when the last thread was listed.
        bar = progress(io.err, "threads");
      },
      onThread: ({ problems }, total, threadId) => {
        done += 1;
        const words = problems.length > 0 ? `${plural(problems.length, "problem")} · ${threadId}` : threadId;
        bar.update(done, total, words);
      },
    }).finally(() => bar.end()),
  );
  // What is not as it should be is to be looked at again by the next run, and so is all the rest.
  if (!report.interrupted) await journal?.remove();
  return reportCopy(report, { dryRun, json: call.flag("json"), ms: performance.now() - start }, io);
}

async function openJournal(call: Call, source: string, target: string, io: Io): Promise<Journal> {
  const named = call.text("journal");
  const path = named === undefined ? journalPath(source, target, io.env) : resolve(io.folder, named);
  const journal = await Journal.open(path, source, target);
  if (call.flag("restart")) {
    await journal.remove();
    return Journal.open(path, source, target);
  }
  if (journal.done.size > 0)
    print(io.err, `Going on after ${plural(journal.done.size, "thread")} of an interrupted copy.`);
  return journal;
}
