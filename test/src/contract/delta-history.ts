import {
  DeltaSnapshot,
  ERROR,
  INTERRUPT,
  isDeltaSnapshot,
  type DeltaChannelHistory,
} from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import { configOf, newId, putOne, type PutOptions, type Savers } from "./support.js";

export function deltaHistoryContract(savers: Savers): void {
  describe("getDeltaChannelHistory", () => {
    /** Puts a checkpoint of thread `t` and its writes to channel `d`, one task `k`. */
    const step = async (options: PutOptions, ...writes: unknown[]): Promise<string> => {
      const id = await putOne(savers(), "t", options);
      const config = configOf("t", id, options.namespace ?? "");
      if (writes.length > 0)
        await savers().putWrites(
          config,
          writes.map((value) => ["d", value]),
          "k",
        );
      return id;
    };
    const history = async (
      id: string | undefined,
      channels = ["d"],
      namespace = "",
    ): Promise<Record<string, DeltaChannelHistory>> =>
      savers().getDeltaChannelHistory({ config: configOf("t", id, namespace), channels });
    const written = (...values: unknown[]) => values.map((value) => ["k", "d", value]);

    it("starts at the target's parent and excludes the target's own writes", async () => {
      const root = await step({}, "root");
      const middle = await step({ parent: root }, "middle");
      const target = await step({ parent: middle }, "target");
      expect(await history(target)).toEqual({ d: { writes: written("root", "middle") } });
      expect(await history(root)).toEqual({ d: { writes: [] } });
    });

    it("the seed is omitted when the walk reaches the root", async () => {
      const root = await step({}, "root");
      const target = await step({ parent: root });
      expect((await history(target))["d"]).not.toHaveProperty("seed");
    });

    it("stops at the first ancestor that holds a value, with the writes stored at it", async () => {
      const root = await step({ values: { d: "too old" } }, "too old");
      const seeded = await step({ parent: root, values: { d: "seed" }, versions: { d: 2 } }, "at the seed");
      const middle = await step({ parent: seeded, versions: { d: 3 } }, "middle");
      const target = await step({ parent: middle, versions: { d: 4 }, values: { d: "of the target" } });
      expect(await history(target)).toEqual({
        d: { seed: "seed", writes: written("at the seed", "middle") },
      });
    });

    it("stops per channel, each at its own ancestor", async () => {
      const root = await step({ values: { e: "seed of e" } });
      await savers().putWrites(
        configOf("t", root),
        [
          ["d", 1],
          ["e", 2],
          ["f", 3],
        ],
        "k",
      );
      const seeded = await step({ parent: root, values: { d: "seed of d" }, versions: { d: 2, e: 2 } });
      await savers().putWrites(
        configOf("t", seeded),
        [
          ["d", 4],
          ["e", 5],
          ["f", 6],
        ],
        "k",
      );
      const target = await step({ parent: seeded, versions: { d: 3, e: 3 } });
      expect(await history(target, ["d", "e", "f", "never"])).toEqual({
        d: { seed: "seed of d", writes: [["k", "d", 4]] },
        e: {
          seed: "seed of e",
          writes: [
            ["k", "e", 2],
            ["k", "e", 5],
          ],
        },
        f: {
          writes: [
            ["k", "f", 3],
            ["k", "f", 6],
          ],
        },
        never: { writes: [] },
      });
    });

    it("null, zero, false and the empty string are seeds", async () => {
      for (const seed of [null, 0, false, ""]) {
        const seeded = await step({ values: { d: seed } });
        const target = await step({ parent: seeded, versions: { d: 2 } });
        expect(await history(target)).toEqual({ d: { seed, writes: [] } });
      }
    });

    it("within one checkpoint the order is (task id, idx)", async () => {
      const root = await step({});
      const put = (task: string, values: unknown[]) =>
        savers().putWrites(
          configOf("t", root),
          [[ERROR, "e"], ...values.map((value): [string, unknown] => ["d", value])],
          task,
        );
      const twelve = Array.from({ length: 12 }, (_, at) => at);
      await put("z", ["z"]);
      await put("b", twelve);
      await put("a", ["a"]);
      await put("B", ["B"]);
      const target = await step({ parent: root });
      expect((await history(target, ["d"]))["d"]?.writes).toEqual([
        ["B", "d", "B"],
        ["a", "d", "a"],
        ...twelve.map((at) => ["b", "d", at]),
        ["z", "d", "z"],
      ]);
    });

    it("special writes are a channel like another", async () => {
      const root = await step({});
      await savers().putWrites(
        configOf("t", root),
        [
          ["d", 1],
          [INTERRUPT, "i"],
        ],
        "k",
      );
      const target = await step({ parent: root });
      expect(await history(target, [INTERRUPT, "d"])).toEqual({
        [INTERRUPT]: { writes: [["k", INTERRUPT, "i"]] },
        d: { writes: written(1) },
      });
    });

    it("walks the parent chain, never list order: other branches do not count", async () => {
      const root = await step({ values: { d: "seed" } }, "root");
      const left = await step({ parent: root, versions: { d: 2 } }, "left");
      const right = await step({ parent: root, versions: { d: 2 } }, "right");
      const leftEnd = await step({ parent: left, versions: { d: 3 } });
      const rightEnd = await step({ parent: right, versions: { d: 3 } });
      expect(await history(leftEnd)).toEqual({ d: { seed: "seed", writes: written("root", "left") } });
      expect(await history(rightEnd)).toEqual({ d: { seed: "seed", writes: written("root", "right") } });
    });

    it("the chain need not follow the order of ids", async () => {
      const [a, b, c] = [newId(), newId(), newId()];
      await step({ id: c, values: { d: "seed" } }, "at c");
      await step({ id: a, parent: c, versions: { d: 2 } }, "at a");
      await step({ id: b, parent: a, versions: { d: 3 } });
      expect(await history(b)).toEqual({ d: { seed: "seed", writes: written("at c", "at a") } });
    });

    it("stays in the namespace and the thread", async () => {
      const root = newId();
      await step({ id: root }, "here");
      await step({ id: root, namespace: "n", values: { d: "elsewhere" } }, "elsewhere");
      await putOne(savers(), "u", { id: root, values: { d: "elsewhere" } });
      const target = await step({ parent: root, versions: { d: 2 } });
      expect(await history(target)).toEqual({ d: { writes: written("here") } });
    });

    it("stops at a parent that is not stored", async () => {
      const missing = newId();
      await savers().putWrites(configOf("t", missing), [["d", "of nobody"]], "k");
      const middle = await step({ parent: missing, versions: { d: 1 } }, "middle");
      const target = await step({ parent: middle, versions: { d: 2 } });
      expect(await history(target)).toEqual({ d: { writes: written("middle") } });
    });

    it("a cycle of parents ends the walk: nothing is visited twice", async () => {
      const [a, b, c] = [newId(), newId(), newId()];
      await step({ id: a, parent: c }, "a");
      await step({ id: b, parent: a }, "b");
      await step({ id: c, parent: b }, "c");
      expect(await history(c)).toEqual({ d: { writes: written("a", "b") } });
      const outside = await step({ parent: c });
      expect(await history(outside)).toEqual({ d: { writes: written("a", "b", "c") } });
    });

    it("without a checkpoint_id the target is the latest", async () => {
      const root = await step({}, "root");
      await step({ parent: root }, "latest");
      expect(await history(undefined)).toEqual({ d: { writes: written("root") } });
    });

    it("an unknown target, thread or namespace has no writes and no seed", async () => {
      const root = await step({ values: { d: 1 } }, "root");
      for (const config of [
        configOf("t", newId()),
        configOf("u"),
        configOf("u", root),
        configOf("t", root, "n"),
        {},
      ]) {
        expect(await savers().getDeltaChannelHistory({ config, channels: ["d"] })).toEqual({
          d: { writes: [] },
        });
      }
    });

    it("no channels: an empty answer; a channel asked twice: one entry", async () => {
      const root = await step({}, "root");
      const target = await step({ parent: root });
      expect(await history(target, [])).toEqual({});
      expect(await history(target, ["d", "d"])).toEqual({ d: { writes: written("root") } });
    });

    it("DeltaSnapshot round-trips, as seed and in writes", async () => {
      const value = { list: [1, new Map([["k", new Date(0)]])], text: "s".repeat(30_000) };
      const seeded = await step({ values: { d: new DeltaSnapshot(value) } }, new DeltaSnapshot("in a write"));
      const target = await step({ parent: seeded, versions: { d: 2 } });
      const { seed, writes } = (await history(target))["d"]!;
      expect(isDeltaSnapshot(seed)).toBe(true);
      expect(seed).toStrictEqual(new DeltaSnapshot(value));
      expect(writes).toStrictEqual([["k", "d", new DeltaSnapshot("in a write")]]);
    });

    it("__proto__, constructor and toString are ordinary channels", async () => {
      const channels = ["__proto__", "constructor", "toString"];
      const root = await putOne(savers(), "t", {
        values: Object.fromEntries(channels.map((channel) => [channel, `seed ${channel}`])),
      });
      await savers().putWrites(
        configOf("t", root),
        channels.map((channel) => [channel, 1]),
        "k",
      );
      const target = await step({ parent: root });
      expect(Object.entries(await history(target, [...channels, "valueOf"]))).toEqual([
        ...channels.map((channel) => [channel, { seed: `seed ${channel}`, writes: [["k", channel, 1]] }]),
        ["valueOf", { writes: [] }],
      ]);
    });

    it("a chain of 300 checkpoints is walked to its root", { timeout: 120_000 }, async () => {
      let parent = await step({ values: { d: "seed" } });
      for (let at = 0; at < 300; at += 1) parent = await step({ parent, versions: { d: at + 2 } }, at);
      const target = await step({ parent, versions: { d: 400 } });
      expect(await history(target)).toEqual({
        d: { seed: "seed", writes: written(...Array.from({ length: 300 }, (_, at) => at)) },
      });
    });
  });
}
