import {
  ERROR,
  INTERRUPT,
  RESUME,
  type CheckpointPendingWrite,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";

import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { newId, configOf, putOne, sameWrites, getOne, writesOf } from "./calls.js";
const scenario = inGroup("concurrency");

export const concurrentWritesScenarios: readonly Scenario[] = [
  scenario("writes-beside-their-put", {
    rule: "Writes and the put of their checkpoint at once both land.",
    why: "With async durability one of the two would be lost at random.",
    run: async ({ saver }) => {
      const id = newId();
      await Promise.all([
        saver.putWrites(configOf("t", id), [["a", 1]], "k"),
        putOne(saver, "t", { id, values: { b: 2 } }),
      ]);
      const tuple = await getOne(saver, "t", id);
      equal(tuple.pendingWrites, [["k", "a", 1]]);
      equal(tuple.checkpoint.channel_values, { b: 2 });
    },
  }),

  scenario("same-batch-twice", {
    rule: "The same batch twice, also at once, is one batch.",
    why: "A driver's retry would double the writes: reducers would append everything twice.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      const again = () =>
        saver.putWrites(
          configOf("t", id),
          [
            ["a", 1],
            [INTERRUPT, 2],
            ["b", 3],
          ],
          "k",
        );
      await Promise.all([again(), again(), again()]);
      await again();
      sameWrites(await writesOf(saver, "t", id), [
        ["k", INTERRUPT, 2],
        ["k", "a", 1],
        ["k", "b", 3],
      ]);
    },
  }),

  scenario("many-tasks", {
    rule: "Batches of many tasks at once all land.",
    why: "Parallel nodes finish together: some of them would run again after a resume.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      const tasks = Array.from({ length: 40 }, (_, at) => `task-${String(at).padStart(2, "0")}`);
      await Promise.all(
        tasks.map((task) =>
          saver.putWrites(
            configOf("t", id),
            [
              ["a", task],
              ["b", "s".repeat(2000)],
            ],
            task,
          ),
        ),
      );
      sameWrites(
        await writesOf(saver, "t", id),
        tasks.flatMap((task): CheckpointPendingWrite[] => [
          [task, "a", task],
          [task, "b", "s".repeat(2000)],
        ]),
      );
    },
  }),

  scenario("one-tasks-batches", {
    rule: "Batches of one task at once do not lose each other's writes.",
    why: "A read-modify-write of the task's record would drop an interrupt or a resume value.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      const put = (batch: PendingWrite[]) => saver.putWrites(configOf("t", id), batch, "k");
      await Promise.all([
        put([["a", 1]]),
        put([[ERROR, "e"]]),
        put([
          ["a", 1],
          ["b", 2],
        ]),
        put([[RESUME, "r"]]),
        put([
          ["a", 1],
          ["b", 2],
          ["c", 3],
        ]),
      ]);
      sameWrites(await writesOf(saver, "t", id), [
        ["k", RESUME, "r"],
        ["k", ERROR, "e"],
        ["k", "a", 1],
        ["k", "b", 2],
        ["k", "c", 3],
      ]);
    },
  }),

  scenario("batches-do-not-mix", {
    rule: "Batches of one task at once do not mix: each batch is atomic.",
    why: "A task that ran twice would leave half of one result and half of the other.",
    run: async ({ saver }) => {
      for (let round = 0; round < 10; round += 1) {
        const id = await putOne(saver, "t");
        const batch = (from: string) => Array.from({ length: 5 }, (_, at): PendingWrite => [`c${at}`, from]);
        await Promise.all(
          ["left", "right"].map((from) => saver.putWrites(configOf("t", id), batch(from), "k")),
        );
        const batches = new Set((await writesOf(saver, "t", id)).map(([, , from]) => from));
        equal(batches.size, 1, "the number of batches that the writes of the task come from");
      }
    },
  }),

  scenario("batch-all-or-nothing", {
    rule: "A reader sees all of a batch or none of it.",
    why: "A resume in the middle of a write would take a half-written task for a finished one.",
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      const batch = Array.from({ length: 200 }, (_, at): PendingWrite => ["a", `${at}:${"w".repeat(300)}`]);
      const progress = { done: false };
      const writing = saver.putWrites(configOf("t", id), batch, "k").finally(() => (progress.done = true));
      const seen = new Set<number>();
      do seen.add((await writesOf(saver, "t", id)).length);
      while (!progress.done);
      await writing;
      seen.add((await writesOf(saver, "t", id)).length);
      equal(
        [...seen].filter((count) => count !== 0),
        [200],
      );
    },
  }),
];
