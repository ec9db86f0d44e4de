// One of the processes that run graphs, each on threads of its own, while another one manages those threads.
import { elapsed, speedUp } from "./clock.mjs";
import { configOf, IDLE_MS, notesGraph, randomFrom, wrongState } from "./notes.mjs";

/** @type {import("./stress.js").Job} */
const job = JSON.parse(String(process.argv[2]));
speedUp(job.epoch, job.speed);
/** @type {import("./stress.js").OpenModule} */
const { open } = await import(job.openModule);
const saver = await open(job.place);
const graph = notesGraph(saver);
const random = randomFrom(job.worker * 7_919 + job.seed);
/** How many notes each thread has. @type {Map<string, number>} */
const expected = new Map(job.threads[job.worker]?.map((thread) => [thread, 0]));
/** When the run of the thread began that put to it last. @type {Map<string, number>} */
const active = new Map();
const report = {
  counts: { runs: 0, reads: 0, deletions: 0, expired: 0 },
  problems: /** @type {string[]} */ ([]),
};

/** @param {string} thread @param {string | undefined} problem */
const check = (thread, problem) => {
  report.counts.reads += 1;
  if (problem !== undefined) report.problems.push(`${thread}: ${problem}`);
};

/**
 * How many notes a thread has, where that many may be there: none, if it was idle for so long that it has expired.
 *
 * @param {string} thread @param {number} count @param {number} found @param {number} since
 */
const countOf = (thread, count, found, since) => {
  const isExpired = since - (active.get(thread) ?? since) >= IDLE_MS && found < count;
  if (isExpired) report.counts.expired += 1;
  return isExpired ? 0 : count;
};

/** @param {{ notes?: unknown[] }} state */
const notesOf = (state) => state.notes?.length ?? 0;

const end = elapsed() + job.seconds * 1000;
try {
  while (elapsed() < end && report.problems.length === 0) {
    const [thread, count] = [...expected][random(expected.size)];
    const config = configOf(thread);
    switch (random(12)) {
      case 0:
        await saver.deleteThread(thread);
        expected.set(thread, 0);
        report.counts.deletions += 1;
        check(thread, (await saver.exists(thread)) ? "is there although it was deleted" : undefined);
        break;
      case 1:
      case 2:
        // What pruning left of the history is as it was.
        for await (const { values } of graph.getStateHistory(config))
          check(thread, wrongState(thread, values));
        break;
      case 3: {
        const { values } = await graph.getState(config);
        const there = countOf(thread, count, notesOf(values), Date.now());
        expected.set(thread, there);
        check(thread, wrongState(thread, values, there));
        break;
      }
      default: {
        const metadata = { run_id: `${thread} ${count}` };
        const start = Date.now();
        const state = await graph.invoke({}, { ...config, metadata });
        const there = countOf(thread, count, notesOf(state) - 2, Date.now()) + 2;
        expected.set(thread, there);
        active.set(thread, start);
        report.counts.runs += 1;
        check(thread, wrongState(thread, state, there));
      }
    }
    // Long enough without use that what it knows is no longer trusted, now and then.
    if (random(60) === 0) await new Promise((resolve) => setTimeout(resolve, 1500));
  }
  for (const [thread, count] of expected) {
    const { values } = await graph.getState(configOf(thread));
    check(thread, wrongState(thread, values, countOf(thread, count, notesOf(values), Date.now())));
  }
} catch (error) {
  report.problems.push(error instanceof Error ? String(error.stack) : String(error));
}
await saver.close();
process.stdout.write(JSON.stringify(report));
