// The process that prunes, copies, forks and deletes what others are working on.
// By its file: the core's own tests use this package, so it cannot depend on the core.
import { isSaverError, withRetention } from "../../../packages/core/dist/index.mjs";

import { elapsed, speedUp } from "./clock.mjs";
import { configOf, IDLE_MS, notesGraph, randomFrom, wrongState } from "./notes.mjs";

/** @type {import("./stress.js").Job} */
const job = JSON.parse(String(process.argv[2]));
speedUp(job.epoch, job.speed);
/** @type {import("./stress.js").OpenModule} */
const { open } = await import(job.openModule);
const saver = await open(job.place);
const graph = notesGraph(saver);
const random = randomFrom(job.seed);
const threads = job.threads.flat();
/** Copies that stay, with how many notes they have. @type {Map<string, { origin: string, count: number }>} */
const copies = new Map();
const report = { counts: /** @type {Record<string, number>} */ ({}), problems: /** @type {string[]} */ ([]) };
const retention = withRetention(saver, { maxCheckpoints: 3, intervalMs: 2 ** 30 - 1 });
const expiry = withRetention(saver, {
  idleThreadMs: IDLE_MS,
  intervalMs: 2 ** 30 - 1,
  onThread: ({ threadId, deleted, kept }) => {
    if (deleted.length > 0 && kept.length === 0) copies.delete(threadId);
  },
});
let made = 0;

/** What may come of the thread being deleted at the same time. */
const EXPECTED = new Set(["NOT_FOUND", "THREAD_DELETED"]);

/** @param {string} thread @param {string} origin @returns {Promise<number>} */
async function countNotes(thread, origin) {
  const { values } = await graph.getState(configOf(thread));
  const problem = wrongState(origin, values);
  if (problem !== undefined) report.problems.push(`${thread}, from ${origin}: ${problem}`);
  return values.notes?.length ?? 0;
}

/** @param {string} thread */
async function oldIds(thread) {
  const ids = [];
  const runs = [];
  for await (const { checkpoint, metadata } of saver.list(configOf(thread), { limit: 8 })) {
    ids.push(checkpoint.id);
    runs.push(/** @type {{ run_id?: string }} */ (metadata ?? {}).run_id);
  }
  return { ids: ids.slice(1), runs: runs.filter((run) => run !== undefined && run !== runs[0]) };
}

/** @type {Record<string, (thread: string) => Promise<void>>} */
const operations = {
  prune: async (thread) => {
    await saver.prune([thread], { keepLast: 1 + random(3), keepFinished: random(2) === 0 });
  },
  pruneOld: async (thread) => {
    await saver.prune([thread], { olderThan: random(600_000) });
  },
  pruneAll: async () => {
    await saver.prune("all", { keepLast: 2 });
  },
  sweep: async () => {
    await retention.sweep();
  },
  expire: async () => {
    const { deletedThreads } = await expiry.sweep();
    report.counts["expired"] = (report.counts["expired"] ?? 0) + deletedThreads;
  },
  copyThread: async (thread) => {
    const copy = `copy ${(made += 1)} of ${thread}`;
    await saver.copyThread(thread, copy);
    copies.set(copy, { origin: thread, count: await countNotes(copy, thread) });
  },
  fork: async (thread) => {
    const config = await saver.fork(configOf(thread), { history: random(2) === 0 });
    const fork = String(config.configurable?.["thread_id"]);
    const before = await countNotes(fork, thread);
    await graph.invoke({}, configOf(fork, thread));
    const after = await countNotes(fork, thread);
    // A fork from the middle of a run finishes that run.
    if (after <= before) report.problems.push(`a fork of ${thread} did not go on`);
    copies.set(fork, { origin: thread, count: after });
  },
  deleteCheckpoints: async (thread) => {
    const { ids } = await oldIds(thread);
    await saver.deleteCheckpoints(thread, ids.slice(random(ids.length + 1)));
  },
  deleteForRuns: async (thread) => {
    const { runs } = await oldIds(thread);
    // Copies have the runs of their origin, and lose them with it.
    for (const [copy, { origin }] of copies) if (origin === thread) copies.delete(copy);
    await saver.deleteForRuns(/** @type {string[]} */ (runs.slice(-1)));
  },
  getAtOrBefore: async (thread) => {
    const tuple = await saver.getAtOrBefore(thread, { step: random(50) });
    const problem = wrongState(thread, tuple?.checkpoint.channel_values);
    if (problem !== undefined) report.problems.push(`${thread} at a step: ${problem}`);
  },
  deleteCopy: async () => {
    const [copy] = copies.keys();
    if (copy === undefined || copies.size < 5) return;
    await saver.deleteThread(copy);
    copies.delete(copy);
    if (await saver.exists(copy)) report.problems.push(`${copy} is there although it was deleted`);
  },
};

const names = Object.keys(operations);
const end = elapsed() + job.seconds * 1000;
/** Longest that is waited for those that have not been done yet. */
const last = end + 60_000;
// Each of them at least once, however slow the machine is; then at random.
const first = names.slice();
while ((elapsed() < end || (first.length > 0 && elapsed() < last)) && report.problems.length === 0) {
  const name = first.shift() ?? names[random(names.length)];
  const thread = threads[random(threads.length)];
  try {
    await operations[name]?.(thread);
    report.counts[name] = (report.counts[name] ?? 0) + 1;
  } catch (error) {
    if (isSaverError(error) && EXPECTED.has(error.code)) {
      // It came before the thread did, or after it was gone: that is not to have done it.
      if (report.counts[name] === undefined) first.push(name);
      continue;
    }
    report.problems.push(
      `${name} of ${thread}: ${error instanceof Error ? String(error.stack) : String(error)}`,
    );
  }
}
await Promise.all([retention.stop(), expiry.stop()]);
for (const [copy, { origin, count }] of copies) {
  const now = await countNotes(copy, origin);
  if (now !== count) report.problems.push(`${copy} has ${now} notes instead of ${count}`);
}
await saver.close();
process.stdout.write(JSON.stringify(report));
