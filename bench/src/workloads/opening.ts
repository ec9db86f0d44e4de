import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { median, rounded } from "../suite/numbers.js";
import { outcome, type Outcome } from "../suite/results.js";
import type { Context, Workload } from "../suite/workload.js";
import type { Subject } from "../subjects/registry.js";
import type { Place } from "../subjects/subject.js";
import { putOne } from "./puts.js";
import { noise } from "./text.js";

const THREADS = { full: 1000, quick: 100 };
const CHECKPOINTS = 10;
const config = { configurable: { thread_id: "thread-500" } };

/** What the size of a directory adds to the first read. */
export const opening: Workload = {
  id: "opening",
  title: "Opening a large store",
  about: (scale) =>
    `${THREADS[scale]} threads with 10 checkpoints each; a new saver opens it and reads one checkpoint, beside an empty one.`,
  step: "opening",
  main: "opening",
  takes: ({ id }) => id === "file-sync" || id === "sqlite-full",
  seconds: { file: 20 },
  async run(context) {
    const stores: { subject: Subject; large: Place; empty: Place }[] = [];
    for (const [at, subject] of context.subjects.entries()) {
      const [large, empty] = [context.place(subject), context.place(subject)];
      await fill(subject, large, THREADS[context.scale], (done) =>
        context.progress(((at + done) / context.subjects.length) * 0.8, "filling"),
      );
      stores.push({ subject, large, empty });
    }
    const repetitions = context.scale === "full" ? 3 : 2;
    const outcomes = new Map(context.subjects.map(({ id }) => [id, outcome(id)]));
    for (let at = 0; at < repetitions; at++) await repeat(context, stores, outcomes);
    return [...outcomes.values()];
  },
};

async function repeat(
  { scale }: Context,
  stores: { subject: Subject; large: Place; empty: Place }[],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const times = new Map(
    stores.map(({ subject }) => [subject.id, { large: [] as number[], empty: [] as number[] }]),
  );
  const rounds = scale === "full" ? 20 : 8;
  for (let round = -2; round < rounds; round++) {
    for (const { subject, ...places } of stores) {
      for (const size of ["large", "empty"] as const) {
        const start = performance.now();
        const { saver, close } = await subject.open(places[size]);
        await saver.getTuple(config);
        const time = performance.now() - start;
        await close();
        if (round >= 0) times.get(subject.id)![size].push(time);
      }
    }
  }
  for (const [id, { large, empty }] of times) {
    const { measures } = outcomes.get(id)!;
    (measures.opening ??= []).push(rounded(median(large)));
    (measures.overEmpty ??= []).push(rounded(Math.max(0.01, median(large) - median(empty))));
  }
}

async function fill(
  subject: Subject,
  place: Place,
  threads: number,
  progress: (done: number) => void,
): Promise<void> {
  const { saver, close } = await subject.open(place);
  for (let thread = 0; thread < threads; thread++) {
    await fillThread(saver, `thread-${thread}`);
    progress(thread / threads);
  }
  await close();
}

async function fillThread(saver: BaseCheckpointSaver, thread: string): Promise<void> {
  let parent: string | undefined;
  for (let step = 1; step <= CHECKPOINTS; step++)
    parent = await putOne(saver, thread, parent, step, noise(500, step));
}
