import {
  ERROR,
  INTERRUPT,
  RESUME,
  SCHEDULED,
  TASKS,
  type BaseCheckpointSaver,
  type CheckpointPendingWrite,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";

import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { newId, configOf, putOne, sameWrites, writesOf, listAll, listIds } from "./calls.js";
const scenario = inGroup("putWrites");

/** Each array is one batch of the same task; what is read afterwards. */
const afterBatches = async (
  saver: BaseCheckpointSaver,
  ...batches: PendingWrite[][]
): Promise<CheckpointPendingWrite[]> => {
  const id = await putOne(saver, "t");
  for (const batch of batches) await saver.putWrites(configOf("t", id), batch, "k");
  return writesOf(saver, "t", id);
};

export const putWritesScenarios: readonly Scenario[] = [
  scenario("before-the-put", {
    rule: "Writes that arrive before the put of their checkpoint are there when it lands, and make no checkpoint of their own.",
    why: "With async durability putWrites often overtakes put: finished tasks would run again, or an empty state be read.",
    run: async ({ saver }) => {
      const id = newId();
      await saver.putWrites(configOf("t", id), [["a", 1]], "k");
      equal(await saver.getTuple(configOf("t", id)), undefined);
      equal(await saver.getTuple(configOf("t")), undefined);
      equal(await listIds(saver, {}), []);
      await putOne(saver, "t", { id });
      equal(await writesOf(saver, "t", id), [["k", "a", 1]]);
    },
  }),

  scenario("belong-to-one-checkpoint", {
    rule: "Writes belong to one checkpoint: not to another id, namespace or thread.",
    why: "A task would take another step's, or another user's, result for its own.",
    run: async ({ saver }) => {
      const [id, other] = [newId(), newId()];
      const places = [
        ["t", id, ""],
        ["t", other, ""],
        ["t", id, "n"],
        ["u", id, ""],
      ] as const;
      for (const [thread, at, namespace] of places) {
        await putOne(saver, thread, { id: at, namespace });
        await saver.putWrites(configOf(thread, at, namespace), [["a", [thread, at, namespace]]], "k");
      }
      for (const [thread, at, namespace] of places) {
        equal(await writesOf(saver, thread, at, namespace), [["k", "a", [thread, at, namespace]]]);
      }
    },
  }),

  scenario("regular-first-wins", {
    rule: "A regular write that is there already wins over a later one.",
    why: "A task that runs twice after a crash would change results that other tasks have already used.",
    run: async ({ saver }) => {
      equal(await afterBatches(saver, [["a", "first"]], [["a", "second"]]), [["k", "a", "first"]]);
      equal(await afterBatches(saver, [["a", "first"]], [["b", "same position"]]), [["k", "a", "first"]]);
    },
  }),

  scenario("special-last-wins", {
    rule: "A later special write (error, scheduled, interrupt, resume) replaces the earlier one.",
    why: "The second interrupt of a node would show the first one's question, and its resume the first answer.",
    run: async ({ saver }) => {
      for (const channel of [ERROR, SCHEDULED, INTERRUPT, RESUME]) {
        equal(await afterBatches(saver, [[channel, "first"]], [[channel, "second"]]), [
          ["k", channel, "second"],
        ]);
      }
    },
  }),

  scenario("decided-per-write", {
    rule: "Which write wins is decided per write, not per batch.",
    why: "A batch that mixes a resume value with results would lose one or the other.",
    run: async ({ saver }) => {
      sameWrites(
        await afterBatches(
          saver,
          [["a", 1]],
          [
            ["a", 2],
            ["b", 2],
            [RESUME, 2],
          ],
          [
            ["a", 3],
            ["c", 3],
            [RESUME, 3],
            ["d", 3],
          ],
        ),
        [
          ["k", RESUME, 3],
          ["k", "a", 1],
          ["k", "b", 2],
          ["k", "d", 3],
        ],
      );
    },
  }),

  scenario("special-beside-regular", {
    rule: "A special write in a later batch does not hide behind a regular one that is there.",
    why: "A node that wrote, then was interrupted again, would never be resumed with the new answer.",
    run: async ({ saver }) => {
      sameWrites(
        await afterBatches(
          saver,
          [
            ["a", 1],
            [INTERRUPT, "old"],
          ],
          [
            [INTERRUPT, "new"],
            ["b", 2],
          ],
        ),
        [
          ["k", INTERRUPT, "new"],
          ["k", "a", 1],
          ["k", "b", 2],
        ],
      );
    },
  }),

  scenario("position-counts-all", {
    rule: "A write's position counts all entries of its batch, special ones too.",
    why: "Replayed batches would line up differently from the first time: writes doubled or dropped.",
    run: async ({ saver }) => {
      // `b` is at 1 in both batches, since the special write takes position 0.
      sameWrites(
        await afterBatches(
          saver,
          [
            [ERROR, "e"],
            ["b", "first"],
          ],
          [
            ["a", "at 0"],
            ["c", "at 1, taken"],
          ],
        ),
        [
          ["k", ERROR, "e"],
          ["k", "a", "at 0"],
          ["k", "b", "first"],
        ],
      );
    },
  }),

  scenario("channel-twice-in-a-batch", {
    rule: "One channel may be written several times in a batch.",
    why: "A node that sends several packets, or appends twice, would keep only one of them.",
    run: async ({ saver }) => {
      equal(
        await afterBatches(saver, [
          ["a", 1],
          ["a", 2],
          [TASKS, "x"],
          [TASKS, "y"],
        ]),
        [
          ["k", "a", 1],
          ["k", "a", 2],
          ["k", TASKS, "x"],
          ["k", TASKS, "y"],
        ],
      );
    },
  }),

  scenario("same-key-last-wins", {
    rule: "The same special key twice in one batch: the last wins.",
    why: "A batch with a corrected resume value would be refused, or keep the wrong one.",
    run: async ({ saver }) => {
      sameWrites(
        await afterBatches(saver, [
          [RESUME, 1],
          [RESUME, 2],
          ["a", 3],
          [RESUME, 4],
        ]),
        [
          ["k", RESUME, 4],
          ["k", "a", 3],
        ],
      );
    },
  }),

  scenario("empty-batch", {
    rule: "An empty batch stores nothing and is no error.",
    why: "Nodes that write nothing would fail the run.",
    run: async ({ saver }) => {
      equal(await afterBatches(saver, []), []);
      equal(await afterBatches(saver, [["a", 1]], []), [["k", "a", 1]]);
    },
  }),

  scenario("hundreds-in-a-batch", {
    rule: "A batch may hold hundreds of writes.",
    why: "A wide fan-out would fail, or lose its tail, at some driver's batch limit.",
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const batch = Array.from({ length: 500 }, (_, at): PendingWrite => [
        `c${at % 7}`,
        { at, text: "w".repeat(at * 4) },
      ]);
      equal(
        await afterBatches(saver, batch),
        batch.map(([channel, value]) => ["k", channel, value]),
      );
    },
  }),

  scenario("reading-order", {
    rule: "Writes are read by task id, then by numeric idx (…, -1, 0, 1, 2, 10).",
    why: "Replay would apply updates in another order than the first run: reducers give another state.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      const eleven = Array.from({ length: 12 }, (_, at): PendingWrite => ["a", at]);
      await saver.putWrites(configOf("t", id), [["a", "z"]], "z");
      await saver.putWrites(configOf("t", id), eleven, "b");
      await saver.putWrites(
        configOf("t", id),
        [
          [ERROR, -1],
          [SCHEDULED, -2],
          [INTERRUPT, -3],
          [RESUME, -4],
        ],
        "b",
      );
      await saver.putWrites(configOf("t", id), [["a", "a"]], "a");
      await saver.putWrites(configOf("t", id), [["a", "B"]], "B");
      const expected: CheckpointPendingWrite[] = [
        ["B", "a", "B"],
        ["a", "a", "a"],
        ["b", RESUME, -4],
        ["b", INTERRUPT, -3],
        ["b", SCHEDULED, -2],
        ["b", ERROR, -1],
        ...Array.from({ length: 12 }, (_, at): CheckpointPendingWrite => ["b", "a", at]),
        ["z", "a", "z"],
      ];
      equal(await writesOf(saver, "t", id), expected);
      equal((await listAll(saver, configOf("t")))[0]?.pendingWrites, expected);
    },
  }),

  scenario("names-of-object-members", {
    rule: "Channels named like members of Object are ordinary channels.",
    why: "A write to a channel `constructor` or `__proto__` would be lost, or taken for a special one.",
    run: async ({ saver }) => {
      const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
      sameWrites(
        await afterBatches(
          saver,
          names.map((name): PendingWrite => [name, 1]),
          names.map((name): PendingWrite => [name, 2]),
        ),
        names.map((name) => ["k", name, 1]),
      );
    },
  }),
];
