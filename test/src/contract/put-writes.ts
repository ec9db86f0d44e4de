import {
  ERROR,
  INTERRUPT,
  RESUME,
  SCHEDULED,
  TASKS,
  type CheckpointPendingWrite,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import {
  configOf,
  getOne,
  listAll,
  listIds,
  newId,
  putOne,
  writesOf,
  type PutWritesWithPath,
  type Savers,
} from "./support.js";

export function putWritesContract(savers: Savers): void {
  describe("putWrites", () => {
    /** Each array is one batch of the same task; what is read afterwards. */
    const afterBatches = async (...batches: PendingWrite[][]): Promise<CheckpointPendingWrite[]> => {
      const id = await putOne(savers(), "t");
      for (const batch of batches) await savers().putWrites(configOf("t", id), batch, "k");
      return writesOf(savers(), "t", id);
    };

    it("writes that arrive before the put of their checkpoint are there when it lands", async () => {
      const saver = savers();
      const id = newId();
      await saver.putWrites(configOf("t", id), [["a", 1]], "k");
      expect(await saver.getTuple(configOf("t", id))).toBeUndefined();
      expect(await saver.getTuple(configOf("t"))).toBeUndefined();
      expect(await listIds(saver, {})).toEqual([]);
      await putOne(saver, "t", { id });
      expect(await writesOf(saver, "t", id)).toEqual([["k", "a", 1]]);
    });

    it("writes and the put of their checkpoint at once both land", async () => {
      const saver = savers();
      const id = newId();
      await Promise.all([
        saver.putWrites(configOf("t", id), [["a", 1]], "k"),
        putOne(saver, "t", { id, values: { b: 2 } }),
      ]);
      const tuple = await getOne(saver, "t", id);
      expect(tuple.pendingWrites).toEqual([["k", "a", 1]]);
      expect(tuple.checkpoint.channel_values).toEqual({ b: 2 });
    });

    it("writes belong to one checkpoint: not to another id, namespace or thread", async () => {
      const saver = savers();
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
        expect(await writesOf(saver, thread, at, namespace)).toEqual([["k", "a", [thread, at, namespace]]]);
      }
    });

    it("a regular write that is there already wins over a later one", async () => {
      expect(await afterBatches([["a", "first"]], [["a", "second"]])).toEqual([["k", "a", "first"]]);
      expect(await afterBatches([["a", "first"]], [["b", "same position"]])).toEqual([["k", "a", "first"]]);
    });

    it("a later special write replaces the earlier one", async () => {
      for (const channel of [ERROR, SCHEDULED, INTERRUPT, RESUME]) {
        expect(await afterBatches([[channel, "first"]], [[channel, "second"]])).toEqual([
          ["k", channel, "second"],
        ]);
      }
    });

    it("decides per write, not per batch", async () => {
      expect(
        await afterBatches(
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
      ).toEqual([
        ["k", RESUME, 3],
        ["k", "a", 1],
        ["k", "b", 2],
        ["k", "d", 3],
      ]);
    });

    it("a special write in a later batch does not hide behind a regular one that is there", async () => {
      expect(
        await afterBatches(
          [
            ["a", 1],
            [INTERRUPT, "old"],
          ],
          [
            [INTERRUPT, "new"],
            ["b", 2],
          ],
        ),
      ).toEqual([
        ["k", INTERRUPT, "new"],
        ["k", "a", 1],
        ["k", "b", 2],
      ]);
    });

    it("position counts all entries, special ones too", async () => {
      // `b` is at 1 in both batches, since the special write takes position 0.
      expect(
        await afterBatches(
          [
            [ERROR, "e"],
            ["b", "first"],
          ],
          [
            ["a", "at 0"],
            ["c", "at 1, taken"],
          ],
        ),
      ).toEqual([
        ["k", ERROR, "e"],
        ["k", "a", "at 0"],
        ["k", "b", "first"],
      ]);
    });

    it("one channel may be written several times in a batch", async () => {
      expect(
        await afterBatches([
          ["a", 1],
          ["a", 2],
          [TASKS, "x"],
          [TASKS, "y"],
        ]),
      ).toEqual([
        ["k", "a", 1],
        ["k", "a", 2],
        ["k", TASKS, "x"],
        ["k", TASKS, "y"],
      ]);
    });

    it("the same key twice in one batch: the last wins", async () => {
      expect(
        await afterBatches([
          [RESUME, 1],
          [RESUME, 2],
          ["a", 3],
          [RESUME, 4],
        ]),
      ).toEqual([
        ["k", RESUME, 4],
        ["k", "a", 3],
      ]);
    });

    it("an empty batch stores nothing and is no error", async () => {
      expect(await afterBatches([])).toEqual([]);
      expect(await afterBatches([["a", 1]], [])).toEqual([["k", "a", 1]]);
    });

    it("a batch may hold hundreds of writes", { timeout: 60_000 }, async () => {
      const batch = Array.from({ length: 500 }, (_, at): PendingWrite => [
        `c${at % 7}`,
        { at, text: "w".repeat(at * 4) },
      ]);
      expect(await afterBatches(batch)).toEqual(batch.map(([channel, value]) => ["k", channel, value]));
    });

    it("the same batch twice, also at once, is one batch", async () => {
      const saver = savers();
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
      expect(await writesOf(saver, "t", id)).toEqual([
        ["k", INTERRUPT, 2],
        ["k", "a", 1],
        ["k", "b", 3],
      ]);
    });

    it("batches of many tasks at once all land", async () => {
      const saver = savers();
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
      expect(await writesOf(saver, "t", id)).toEqual(
        tasks.flatMap((task) => [
          [task, "a", task],
          [task, "b", "s".repeat(2000)],
        ]),
      );
    });

    it("batches of one task at once do not lose each other's writes", async () => {
      const saver = savers();
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
      expect(await writesOf(saver, "t", id)).toEqual([
        ["k", RESUME, "r"],
        ["k", ERROR, "e"],
        ["k", "a", 1],
        ["k", "b", 2],
        ["k", "c", 3],
      ]);
    });

    it("batches of one task at once do not mix: each batch is atomic", async () => {
      const saver = savers();
      for (let round = 0; round < 10; round += 1) {
        const id = await putOne(saver, "t");
        const batch = (from: string) => Array.from({ length: 5 }, (_, at): PendingWrite => [`c${at}`, from]);
        await Promise.all(
          ["left", "right"].map((from) => saver.putWrites(configOf("t", id), batch(from), "k")),
        );
        expect(new Set((await writesOf(saver, "t", id)).map(([, , from]) => from)).size).toBe(1);
      }
    });

    it("a reader sees all of a batch or none of it", { timeout: 60_000 }, async () => {
      const saver = savers();
      const id = await putOne(saver, "t");
      const batch = Array.from({ length: 200 }, (_, at): PendingWrite => ["a", `${at}:${"w".repeat(300)}`]);
      let done = false;
      const writing = saver.putWrites(configOf("t", id), batch, "k").finally(() => (done = true));
      const seen = new Set<number>();
      do seen.add((await writesOf(saver, "t", id)).length);
      while (!done);
      await writing;
      seen.add((await writesOf(saver, "t", id)).length);
      expect([...seen].filter((count) => count !== 0)).toEqual([200]);
    });

    it("reading order is by task id, then numeric idx", async () => {
      const saver = savers();
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
      expect(await writesOf(saver, "t", id)).toEqual(expected);
      expect((await listAll(saver, configOf("t")))[0]?.pendingWrites).toEqual(expected);
    });

    it("with a taskPath, reading order is (taskPath, taskId, idx)", async () => {
      const saver = savers();
      const id = await putOne(saver, "t");
      const put: PutWritesWithPath = saver.putWrites.bind(saver);
      await put(
        configOf("t", id),
        [
          ["a", 1],
          ["b", 2],
        ],
        "k1",
        "~__pregel_pull, z",
      );
      await put(configOf("t", id), [["a", 3]], "k3", "~__pregel_pull, a");
      await put(
        configOf("t", id),
        [
          ["a", 4],
          [RESUME, 5],
        ],
        "k2",
        "~__pregel_pull, a",
      );
      await put(configOf("t", id), [["a", 6]], "k9");
      expect(await writesOf(saver, "t", id)).toEqual([
        ["k9", "a", 6],
        ["k2", RESUME, 5],
        ["k2", "a", 4],
        ["k3", "a", 3],
        ["k1", "a", 1],
        ["k1", "b", 2],
      ]);
    });

    it("channels named like members of Object are ordinary channels", async () => {
      const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
      expect(
        await afterBatches(
          names.map((name): PendingWrite => [name, 1]),
          names.map((name): PendingWrite => [name, 2]),
        ),
      ).toEqual(names.map((name) => ["k", name, 1]));
    });
  });
}
