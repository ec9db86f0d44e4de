import {
  DeltaSnapshot,
  ERROR,
  INTERRUPT,
  isDeltaSnapshot,
  type BaseCheckpointSaver,
  type DeltaChannelHistory,
} from "@langchain/langgraph-checkpoint";

import { equal, identical, check } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { newId, configOf, putOne, type PutOptions } from "./calls.js";
const scenario = inGroup("deltaHistory");

/** Puts a checkpoint of thread `t` and its writes to channel `d`, one task `k`. */
const step = async (
  saver: BaseCheckpointSaver,
  options: PutOptions,
  ...writes: unknown[]
): Promise<string> => {
  const id = await putOne(saver, "t", options);
  const config = configOf("t", id, options.namespace ?? "");
  if (writes.length > 0)
    await saver.putWrites(
      config,
      writes.map((value) => ["d", value]),
      "k",
    );
  return id;
};

const history = async (
  saver: BaseCheckpointSaver,
  id: string | undefined,
  channels = ["d"],
  namespace = "",
): Promise<Record<string, DeltaChannelHistory>> =>
  saver.getDeltaChannelHistory({ config: configOf("t", id, namespace), channels });

const written = (...values: unknown[]) => values.map((value) => ["k", "d", value]);

export const deltaHistoryScenarios: readonly Scenario[] = [
  scenario("starts-at-parent", {
    rule: "The history starts at the target's parent and excludes the target's own writes.",
    why: "The last step's update would be applied twice.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, {}, "root");
      const middle = await step(saver, { parent: root }, "middle");
      const target = await step(saver, { parent: middle }, "target");
      equal(await history(saver, target), { d: { writes: written("root", "middle") } });
      equal(await history(saver, root), { d: { writes: [] } });
    },
  }),

  scenario("no-seed-at-root", {
    rule: "The seed is omitted when the walk reaches the root.",
    why: "A seed of undefined would be taken for a value: the channel starts from nothing instead of its default.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, {}, "root");
      const target = await step(saver, { parent: root });
      check(!("seed" in ((await history(saver, target))["d"] ?? {})), "no seed");
    },
  }),

  scenario("stops-at-first-value", {
    rule: "The walk stops at the first ancestor that holds a value, with the writes stored at it.",
    why: "Old updates would be applied on top of the snapshot that holds them already.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, { values: { d: "too old" } }, "too old");
      const seeded = await step(
        saver,
        { parent: root, values: { d: "seed" }, versions: { d: 2 } },
        "at the seed",
      );
      const middle = await step(saver, { parent: seeded, versions: { d: 3 } }, "middle");
      const target = await step(saver, {
        parent: middle,
        versions: { d: 4 },
        values: { d: "of the target" },
      });
      equal(await history(saver, target), {
        d: { seed: "seed", writes: written("at the seed", "middle") },
      });
    },
  }),

  scenario("stops-per-channel", {
    rule: "The walk stops per channel, each at its own ancestor.",
    why: "A channel with rare snapshots would lose the updates before another channel's snapshot.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, { values: { e: "seed of e" } });
      await saver.putWrites(
        configOf("t", root),
        [
          ["d", 1],
          ["e", 2],
          ["f", 3],
        ],
        "k",
      );
      const seeded = await step(saver, {
        parent: root,
        values: { d: "seed of d" },
        versions: { d: 2, e: 2 },
      });
      await saver.putWrites(
        configOf("t", seeded),
        [
          ["d", 4],
          ["e", 5],
          ["f", 6],
        ],
        "k",
      );
      const target = await step(saver, { parent: seeded, versions: { d: 3, e: 3 } });
      equal(await history(saver, target, ["d", "e", "f", "never"]), {
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
    },
  }),

  scenario("falsy-seeds", {
    rule: "null, zero, false and the empty string are seeds.",
    why: "A truthiness check would walk past the snapshot and rebuild an older value.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      for (const seed of [null, 0, false, ""]) {
        const seeded = await step(saver, { values: { d: seed } });
        const target = await step(saver, { parent: seeded, versions: { d: 2 } });
        equal(await history(saver, target), { d: { seed, writes: [] } });
      }
    },
  }),

  scenario("order-in-a-checkpoint", {
    rule: "Within one checkpoint the order is (task id, idx).",
    why: "The rebuilt value would differ from the one that the run had.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, {});
      const put = (task: string, values: unknown[]) =>
        saver.putWrites(
          configOf("t", root),
          [[ERROR, "e"], ...values.map((value): [string, unknown] => ["d", value])],
          task,
        );
      const twelve = Array.from({ length: 12 }, (_, at) => at);
      await put("z", ["z"]);
      await put("b", twelve);
      await put("a", ["a"]);
      await put("B", ["B"]);
      const target = await step(saver, { parent: root });
      equal((await history(saver, target, ["d"]))["d"]?.writes, [
        ["B", "d", "B"],
        ["a", "d", "a"],
        ...twelve.map((at) => ["b", "d", at]),
        ["z", "d", "z"],
      ]);
    },
  }),

  scenario("special-writes", {
    rule: "Special writes are a channel like another.",
    why: "Interrupts would show up in another channel's history.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, {});
      await saver.putWrites(
        configOf("t", root),
        [
          ["d", 1],
          [INTERRUPT, "i"],
        ],
        "k",
      );
      const target = await step(saver, { parent: root });
      equal(await history(saver, target, [INTERRUPT, "d"]), {
        [INTERRUPT]: { writes: [["k", INTERRUPT, "i"]] },
        d: { writes: written(1) },
      });
    },
  }),

  scenario("walks-parents", {
    rule: "The walk follows the parent chain, never list order: other branches do not count.",
    why: "After a fork, updates of the abandoned branch would be applied to the new one.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, { values: { d: "seed" } }, "root");
      const left = await step(saver, { parent: root, versions: { d: 2 } }, "left");
      const right = await step(saver, { parent: root, versions: { d: 2 } }, "right");
      const leftEnd = await step(saver, { parent: left, versions: { d: 3 } });
      const rightEnd = await step(saver, { parent: right, versions: { d: 3 } });
      equal(await history(saver, leftEnd), { d: { seed: "seed", writes: written("root", "left") } });
      equal(await history(saver, rightEnd), { d: { seed: "seed", writes: written("root", "right") } });
    },
  }),

  scenario("ids-out-of-order", {
    rule: "The chain need not follow the order of ids.",
    why: "A walk by id would skip ancestors that were written by another machine's clock.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const [a, b, c] = [newId(), newId(), newId()];
      await step(saver, { id: c, values: { d: "seed" } }, "at c");
      await step(saver, { id: a, parent: c, versions: { d: 2 } }, "at a");
      await step(saver, { id: b, parent: a, versions: { d: 3 } });
      equal(await history(saver, b), { d: { seed: "seed", writes: written("at c", "at a") } });
    },
  }),

  scenario("stays-in-its-place", {
    rule: "The walk stays in the namespace and the thread.",
    why: "A subgraph's updates would be applied to its parent's channel.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = newId();
      await step(saver, { id: root }, "here");
      await step(saver, { id: root, namespace: "n", values: { d: "elsewhere" } }, "elsewhere");
      await putOne(saver, "u", { id: root, values: { d: "elsewhere" } });
      const target = await step(saver, { parent: root, versions: { d: 2 } });
      equal(await history(saver, target), { d: { writes: written("here") } });
    },
  }),

  scenario("parent-not-stored", {
    rule: "The walk stops at a parent that is not stored.",
    why: "Orphaned writes of a pruned checkpoint would be applied.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const missing = newId();
      await saver.putWrites(configOf("t", missing), [["d", "of nobody"]], "k");
      const middle = await step(saver, { parent: missing, versions: { d: 1 } }, "middle");
      const target = await step(saver, { parent: middle, versions: { d: 2 } });
      equal(await history(saver, target), { d: { writes: written("middle") } });
    },
  }),

  scenario("cycle-ends", {
    rule: "A cycle of parents ends the walk: nothing is visited twice.",
    why: "One damaged thread would hang the process.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const [a, b, c] = [newId(), newId(), newId()];
      await step(saver, { id: a, parent: c }, "a");
      await step(saver, { id: b, parent: a }, "b");
      await step(saver, { id: c, parent: b }, "c");
      equal(await history(saver, c), { d: { writes: written("a", "b") } });
      const outside = await step(saver, { parent: c });
      equal(await history(saver, outside), { d: { writes: written("a", "b", "c") } });
    },
  }),

  scenario("latest-target", {
    rule: "Without a checkpoint_id the target is the latest.",
    why: "A thread could not be resumed by its id alone.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, {}, "root");
      await step(saver, { parent: root }, "latest");
      equal(await history(saver, undefined), { d: { writes: written("root") } });
    },
  }),

  scenario("unknown-target", {
    rule: "An unknown target, thread or namespace has no writes and no seed.",
    why: "The first run of a thread with a delta channel would fail.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, { values: { d: 1 } }, "root");
      for (const config of [
        configOf("t", newId()),
        configOf("u"),
        configOf("u", root),
        configOf("t", root, "n"),
        {},
      ]) {
        equal(await saver.getDeltaChannelHistory({ config, channels: ["d"] }), {
          d: { writes: [] },
        });
      }
    },
  }),

  scenario("no-channels", {
    rule: "No channels: an empty answer; a channel asked twice: one entry.",
    why: "Graphs without delta channels would fail, or apply updates twice.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const root = await step(saver, {}, "root");
      const target = await step(saver, { parent: root });
      equal(await history(saver, target, []), {});
      equal(await history(saver, target, ["d", "d"]), { d: { writes: written("root") } });
    },
  }),

  scenario("snapshot-round-trips", {
    rule: "DeltaSnapshot round-trips, as seed and in writes.",
    why: "LangGraph could not tell a snapshot from a value and would nest it in itself.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const value = { list: [1, new Map([["k", new Set([1])]])], text: "s".repeat(30_000) };
      const seeded = await step(
        saver,
        { values: { d: new DeltaSnapshot(value) } },
        new DeltaSnapshot("in a write"),
      );
      const target = await step(saver, { parent: seeded, versions: { d: 2 } });
      const { seed, writes } = (await history(saver, target))["d"]!;
      identical(isDeltaSnapshot(seed), true);
      identical(seed, new DeltaSnapshot(value));
      identical(writes, [["k", "d", new DeltaSnapshot("in a write")]]);
    },
  }),

  scenario("names-of-object-members", {
    rule: "__proto__, constructor and toString are ordinary channels.",
    why: "A channel of that name would be rebuilt from a function.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const channels = ["__proto__", "constructor", "toString"];
      const root = await putOne(saver, "t", {
        values: Object.fromEntries(channels.map((channel) => [channel, `seed ${channel}`])),
      });
      await saver.putWrites(
        configOf("t", root),
        channels.map((channel) => [channel, 1]),
        "k",
      );
      const target = await step(saver, { parent: root });
      equal(Object.entries(await history(saver, target, [...channels, "valueOf"])), [
        ...channels.map((channel) => [channel, { seed: `seed ${channel}`, writes: [["k", channel, 1]] }]),
        ["valueOf", { writes: [] }],
      ]);
    },
  }),

  scenario("long-chain", {
    rule: "A chain of 120 checkpoints is walked to its root.",
    why: "A recursion or page limit would drop the oldest updates without an error.",
    needs: ["deltaHistory"],
    timeoutMs: 120_000,
    run: async ({ saver }) => {
      let parent = await step(saver, { values: { d: "seed" } });
      for (let at = 0; at < 120; at += 1) parent = await step(saver, { parent, versions: { d: at + 2 } }, at);
      const target = await step(saver, { parent, versions: { d: 400 } });
      equal(await history(saver, target), {
        d: { seed: "seed", writes: written(...Array.from({ length: 120 }, (_, at) => at)) },
      });
    },
  }),
];
