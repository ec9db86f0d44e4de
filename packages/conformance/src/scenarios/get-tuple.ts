import { equal, identical } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { newId, configOf, threeKeys, putOne, getOne } from "./calls.js";
const scenario = inGroup("getTuple");

export const getTupleScenarios: readonly Scenario[] = [
  scenario("latest-is-greatest-id", {
    rule: "Latest is the greatest checkpoint_id, not the last written.",
    why: "A late put of an old step, as async durability makes them, would turn the thread back.",
    run: async ({ saver }) => {
      const [first, second, third] = [newId(), newId(), newId()];
      for (const id of [second, third, first]) await putOne(saver, "t", { id });
      equal((await getOne(saver, "t")).config, threeKeys("t", third));
      await putOne(saver, "t", { id: first });
      identical((await getOne(saver, "t")).checkpoint.id, third);
    },
  }),

  scenario("latest-by-code-unit", {
    rule: "The greatest checkpoint_id is by code unit, not by a locale's order.",
    why: "A database's collation would choose another latest checkpoint than LangGraph does.",
    run: async ({ saver }) => {
      for (const id of ["a", "B", "10", "9", "_"]) await putOne(saver, "t", { id });
      identical((await getOne(saver, "t")).checkpoint.id, "a");
    },
  }),

  scenario("latest-of-exact-namespace", {
    rule: "Latest is of that exact namespace.",
    why: "A parent graph would go on from the state of its subgraph.",
    run: async ({ saver }) => {
      const root = await putOne(saver, "t");
      const child = await putOne(saver, "t", { namespace: "n:1" });
      await putOne(saver, "t", { namespace: "n:1|m:2" });
      await putOne(saver, "u", { namespace: "n:1" });
      identical((await getOne(saver, "t")).checkpoint.id, root);
      identical((await getOne(saver, "t", undefined, "n:1")).checkpoint.id, child);
    },
  }),

  scenario("unknown-is-undefined", {
    rule: "Unknown thread, namespace or id: undefined.",
    why: "A new thread would fail instead of starting, or start from another one's state.",
    run: async ({ saver }) => {
      equal(await saver.getTuple(configOf("t")), undefined);
      const id = await putOne(saver, "t");
      for (const config of [
        configOf("u"),
        configOf("u", id),
        configOf("t", newId()),
        configOf("t", id, "n"),
        configOf("t", undefined, "n"),
      ]) {
        equal(await saver.getTuple(config), undefined);
      }
    },
  }),

  scenario("three-keys", {
    rule: "Returned configs have exactly the three keys.",
    why: "The config of a state goes into the next call: what else is in it would override that call's own settings.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t", { namespace: "n" });
      const id = await putOne(saver, "t", { namespace: "n", parent });
      const crowded = {
        tags: ["x"],
        configurable: {
          thread_id: "t",
          checkpoint_ns: "n",
          checkpoint_id: id,
          other: 1,
          __pregel_read: () => 1,
        },
      };
      for (const tuple of [
        await saver.getTuple(crowded),
        await saver.getTuple(configOf("t", undefined, "n")),
      ]) {
        identical(tuple?.config, threeKeys("t", id, "n"));
        identical(tuple?.parentConfig, threeKeys("t", parent, "n"));
      }
    },
  }),

  scenario("get-is-its-checkpoint", {
    rule: "get returns the checkpoint of the tuple.",
    why: "Callers of `get` and of `getTuple` would see two different states.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t", { values: { a: 1 } });
      equal(await saver.get(configOf("t")), (await getOne(saver, "t", id)).checkpoint);
      equal(await saver.get(configOf("u")), undefined);
    },
  }),

  scenario("reads-own-puts", {
    rule: "A put that has resolved is seen by the next read, latest and by id.",
    why: "The next turn of a chat would start from the state before the last one.",
    run: async ({ saver }) => {
      let parent: string | undefined;
      for (let step = 0; step < 20; step += 1) {
        parent = await putOne(saver, "t", {
          values: { step },
          versions: { step: step + 1 },
          ...(parent === undefined ? {} : { parent }),
        });
        equal((await getOne(saver, "t")).checkpoint.channel_values, { step });
        equal((await getOne(saver, "t", parent)).checkpoint.channel_values, { step });
      }
    },
  }),
];
