import { Send } from "@langchain/langgraph";
import { TASKS } from "@langchain/langgraph-checkpoint";

import { equal, identical } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { configOf, checkpointOf, metadataOf, putOne, getOne, listAll } from "./calls.js";
const scenario = inGroup("pendingSends");

export const pendingSendsScenarios: readonly Scenario[] = [
  scenario("sends-from-parent", {
    rule: "v < 4 with a parent: pending sends are the parent's TASKS writes in (task, idx) order, at the greatest version.",
    why: "Threads stored by older versions would lose the Sends that were under way, or run them out of order.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t", { values: { a: 1 }, v: 3 });
      const send = (node: string) => new Send(node, { from: node });
      await saver.putWrites(
        configOf("t", parent),
        [
          [TASKS, send("b0")],
          ["a", "no send"],
          [TASKS, send("b2")],
        ],
        "b",
      );
      await saver.putWrites(
        configOf("t", parent),
        Array.from({ length: 11 }, (_, at): [string, unknown] => [TASKS, send(`a${at}`)]),
        "a",
      );
      const versions = { a: 2, b: 7, c: 3 };
      for (const v of [1, 2, 3]) {
        const child = checkpointOf({ a: 2 }, { v, channel_versions: versions });
        await saver.put(configOf("t", parent), child, metadataOf(), versions);
        await saver.putWrites(configOf("t", child.id), [[TASKS, send("of the child")]], "a");
        const nodes = [...Array.from({ length: 11 }, (_, at) => `a${at}`), "b0", "b2"];
        for (const tuple of [
          await getOne(saver, "t", child.id),
          await getOne(saver, "t"),
          (await listAll(saver, configOf("t")))[0]!,
        ]) {
          identical(tuple.checkpoint.channel_values["a"], 2);
          equal(
            (tuple.checkpoint.channel_values[TASKS] as Send[]).map((each) => [each.node, each.args]),
            nodes.map((node) => [node, { from: node }]),
          );
          equal(tuple.checkpoint.channel_versions, { ...versions, [TASKS]: 7 });
        }
      }
    },
  }),

  scenario("greatest-string-version", {
    rule: "v < 4: the version of the pending sends is the greatest of string versions.",
    why: "The sends would look older than they are, and their tasks would not be triggered.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t", { v: 3 });
      await saver.putWrites(configOf("t", parent), [[TASKS, "x"]], "k");
      const versions = { a: "0000000002.0.9", b: "0000000010.0.1" };
      const child = await putOne(saver, "t", { parent, v: 3, versions, values: { a: 1, b: 1 } });
      identical((await getOne(saver, "t", child)).checkpoint.channel_versions[TASKS], versions.b);
    },
  }),

  scenario("of-that-parent-only", {
    rule: "v < 4: sends come from that parent only, and a child without a parent has none.",
    why: "Sends of a subgraph would be run by its parent graph.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t", { v: 3 });
      await putOne(saver, "t", { id: parent, namespace: "n", v: 3 });
      await saver.putWrites(configOf("t", parent, "n"), [[TASKS, "elsewhere"]], "k");
      await saver.putWrites(configOf("t", parent), [[TASKS, "here"]], "k");
      const child = await putOne(saver, "t", { parent, v: 3, values: { a: 1 } });
      // That there are any has a scenario of its own.
      const { [TASKS]: sends = [] } = (await getOne(saver, "t", child)).checkpoint.channel_values;
      equal(
        (sends as unknown[]).filter((send) => send !== "here"),
        [],
        "sends from elsewhere",
      );
      const orphan = await putOne(saver, "t", { v: 3, values: { a: 1 } });
      equal((await getOne(saver, "t", orphan)).checkpoint.channel_values, { a: 1 });
    },
  }),

  scenario("not-for-v4", {
    rule: "v 4: the parent's TASKS writes are not filled in.",
    why: "Sends that have been consumed already would run a second time.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t");
      await saver.putWrites(configOf("t", parent), [[TASKS, "x"]], "k");
      const child = await putOne(saver, "t", { parent, values: { a: 1 } });
      const { checkpoint } = await getOne(saver, "t", child);
      equal(checkpoint.channel_values, { a: 1 });
      equal(checkpoint.channel_versions, { a: 1 });
    },
  }),
];
