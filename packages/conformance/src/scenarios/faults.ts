import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { check, equal } from "../check.js";
import { NotAvailable } from "../errors.js";
import type { Faults, Scenario, World } from "../scenario.js";
import {
  codedRefusal,
  configOf,
  getOne,
  listIds,
  newId,
  putOne,
  settle,
  valuesOf,
  writesOf,
} from "./calls.js";
import { inGroup } from "./define.js";

const scenario = inGroup("faults");
const needs = ["faults"] as const;
const big = "b".repeat(30_000);

/** A way to fail that the target's author supplied; without it the scenario does not apply. */
function fault<K extends keyof Faults>({ faults }: World, name: K): NonNullable<Faults[K]> {
  const found = faults?.[name];
  if (found === undefined) throw new NotAvailable(`the target's faults have no ${name}`);
  return found.bind(faults) as NonNullable<Faults[K]>;
}

/** Every method of a saver, each as something to ask of a thread that has one checkpoint. */
function everyCall(saver: BaseCheckpointSaver, id: string): (() => Promise<unknown>)[] {
  return [
    () => saver.getTuple(configOf("t", id)),
    () => saver.getTuple(configOf("t")),
    () => listIds(saver, configOf("t")),
    () => putOne(saver, "t", { parent: id }),
    () => saver.putWrites(configOf("t", id), [["a", 2]], "k"),
    () => saver.deleteThread("t"),
  ];
}

export const faultsScenarios: readonly Scenario[] = [
  scenario("transient-put", {
    rule: "A put whose storage call fails in passing is retried inside the saver.",
    why: "LangGraph turns a rejected put into an unhandled rejection: one dropped connection ends the process.",
    needs,
    run: async (world) => {
      const { saver } = world;
      const parent = await putOne(saver, "t", { values: { a: 1, big } });
      await fault(world, "failNext")(1);
      const id = await putOne(saver, "t", { parent, values: { a: 2, big }, changed: ["a"] });
      equal(await valuesOf(saver, "t", id), { a: 2, big });
      equal(await listIds(saver, configOf("t")), [id, parent]);
    },
  }),

  scenario("transient-put-writes", {
    rule: "A putWrites whose storage call fails in passing is retried, and stored once.",
    why: "The results of a finished task would be lost, or doubled.",
    needs,
    run: async (world) => {
      const { saver } = world;
      const id = await putOne(saver, "t");
      await fault(world, "failNext")(1);
      await saver.putWrites(
        configOf("t", id),
        [
          ["a", 1],
          ["b", 2],
        ],
        "k",
      );
      equal(await writesOf(saver, "t", id), [
        ["k", "a", 1],
        ["k", "b", 2],
      ]);
    },
  }),

  scenario("transient-reads", {
    rule: "getTuple and list survive a storage call that fails in passing.",
    why: "A thread would look new, or a turn of the chat fail, because of one dropped connection.",
    needs,
    run: async (world) => {
      const { saver } = world;
      const id = await putOne(saver, "t", { values: { big } });
      const failNext = fault(world, "failNext");
      await failNext(1);
      equal((await getOne(saver, "t")).checkpoint.id, id);
      await failNext(1);
      equal(await listIds(saver, configOf("t")), [id]);
    },
  }),

  scenario("transient-delete", {
    rule: "deleteThread survives a storage call that fails in passing, or can be called again to finish.",
    why: "Half of a deleted user's data would stay.",
    needs,
    run: async (world) => {
      const { saver } = world;
      for (let at = 0; at < 3; at += 1) await putOne(saver, "t", { values: { big } });
      await fault(world, "failNext")(1);
      const { error } = await settle(() => saver.deleteThread("t"));
      if (error !== undefined) await saver.deleteThread("t");
      equal(await saver.getTuple(configOf("t")), undefined);
      equal(await listIds(saver, {}), []);
    },
  }),

  scenario("outage-is-an-error", {
    rule: "While the storage is out of reach every call rejects, with a code: nothing looks empty, nothing looks done.",
    why: "With undefined from getTuple the graph silently starts over; with a put that resolves, state is lost.",
    needs,
    timeoutMs: 120_000,
    run: async (world) => {
      const { saver } = world;
      const id = await putOne(saver, "t", { values: { a: 1 } });
      const end = await fault(world, "outage")();
      try {
        for (const call of everyCall(saver, id)) await codedRefusal(call);
      } finally {
        await end();
      }
    },
  }),

  scenario("outage-ends", {
    rule: "When the storage is back the saver works on, and what was refused is whole or not there.",
    why: "A service would have to be restarted after every outage.",
    needs,
    timeoutMs: 120_000,
    run: async (world) => {
      const { saver } = world;
      const parent = await putOne(saver, "t", { values: { a: 1, big } });
      const lost = newId();
      const end = await fault(world, "outage")();
      try {
        await settle(() => putOne(saver, "t", { id: lost, parent, values: { a: 2, big }, changed: ["a"] }));
      } finally {
        await end();
      }
      const tuple = await saver.getTuple(configOf("t", lost));
      if (tuple !== undefined) equal(tuple.checkpoint.channel_values, { a: 2, big });
      const id = await putOne(saver, "t", { parent, values: { a: 3, big }, changed: ["a"] });
      equal(await valuesOf(saver, "t", id), { a: 3, big });
      equal(await valuesOf(saver, "t", parent), { a: 1, big });
    },
  }),

  scenario("crash-keeps-what-was-acknowledged", {
    rule: "What was acknowledged is there after the process died; what was not is whole or not there.",
    why: "A checkpoint that is half there is worse than none: the graph goes on from a state that never was.",
    needs: ["faults", "reopen"],
    timeoutMs: 60_000,
    run: async (world) => {
      const { saver, reopen } = world;
      const crash = fault(world, "crash");
      const acknowledged: string[] = [];
      const ids = Array.from({ length: 24 }, newId);
      const valuesFor = (at: number) => ({ at, big: `${at}:${big}` });
      const putting = ids.map((id, at) =>
        settle(() => putOne(saver, "t", { id, values: valuesFor(at) })).then(({ error }) => {
          if (error === undefined) acknowledged.push(id);
        }),
      );
      await Promise.race(putting);
      const before = [...acknowledged];
      await crash(saver);
      const after = await reopen();
      for (const [at, id] of ids.entries()) {
        const tuple = await after.getTuple(configOf("t", id));
        check(
          tuple !== undefined || !before.includes(id),
          `checkpoint ${id}, which was acknowledged, is there`,
        );
        if (tuple !== undefined) equal(tuple.checkpoint.channel_values, valuesFor(at));
      }
      const next = await putOne(after, "t", { values: { a: "after the crash" } });
      equal(await valuesOf(after, "t", next), { a: "after the crash" });
    },
  }),
];
