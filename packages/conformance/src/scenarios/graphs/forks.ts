import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, identical, check } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, interruptsOf, checkpointId } from "./harness.js";
const scenario = inGroup("fork");

const State = Annotation.Root({
  trail: appended<string>(),
  /** Written by the first node only: every branch reads it through the checkpoints they share. */
  shared: Annotation<{ from: string }>(),
  /** Written once after the fork: the branches give their different values the same version number. */
  picked: Annotation<string>(),
});

function forkable(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(State)
    .addNode("one", () => ({ trail: ["one"], shared: { from: "one" } }))
    .addNode("two", (state) => ({
      trail: [`two(${state.trail.length})`],
      picked: `after ${state.trail.at(-1)}`,
    }))
    .addNode("three", (state) => ({ trail: [`three ${state.picked}`] }))
    .addEdge(START, "one")
    .addEdge("one", "two")
    .addEdge("two", "three")
    .compile({ checkpointer });
}

type Forkable = ReturnType<typeof forkable>;

async function before(graph: Forkable, config: ReturnType<typeof thread>, node: string) {
  return (await collect(graph.getStateHistory(config))).find((state) => state.next[0] === node)!;
}

const main = { trail: ["one", "two(1)", "three after one"], shared: { from: "one" }, picked: "after one" };

const branch = (name: string) => ({
  trail: ["one", name, "two(2)", `three after ${name}`],
  shared: { from: "one" },
  picked: `after ${name}`,
});

export const forksScenarios: readonly Scenario[] = [
  scenario("branches-keep-values", {
    rule: "Each branch of a fork keeps its values, though both count the same versions.",
    why: "Trying an alternative would change the original.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      let graph = forkable(saver);
      await graph.invoke({}, config);
      const tips = [(await graph.getState(config)).config];
      const point = await before(graph, config, "two");
      for (const name of ["B", "C"]) {
        const forked = await graph.updateState(point.config, { trail: [name] });
        equal((await graph.getState(forked)).parentConfig, point.config);
        graph = forkable(await reopen());
        equal(await graph.invoke(null, forked), branch(name));
        tips.push((await graph.getState(config)).config);
      }
      const states = await Promise.all(tips.map(async (tip) => (await graph.getState(tip)).values));
      equal(states, [main, branch("B"), branch("C")]);
      const versions = await Promise.all(
        tips.map(async (tip) => (await saver.getTuple(tip))!.checkpoint.channel_versions["picked"]),
      );
      identical(versions[1], versions[2]);
    },
  }),

  scenario("written-in-turns", {
    rule: "Branches stay apart when their steps are written in turns.",
    why: "A saver that goes by the latest checkpoint would chain one branch onto the other.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const graph = forkable(saver);
      await graph.invoke({}, config);
      const point = await before(graph, config, "two");
      const step = { interruptAfter: ["two" as const] };
      const forked = await Promise.all(
        ["B", "C"].map((name) => graph.updateState(point.config, { trail: [name] })),
      );
      const half: (typeof forked)[number][] = [];
      for (const fork of forked) {
        await graph.invoke(null, { ...fork, ...step });
        half.push((await graph.getState(config)).config);
      }
      const again = forkable(await reopen());
      equal(await again.invoke(null, half[1]), branch("C"));
      equal(await again.invoke(null, half[0]), branch("B"));
    },
  }),

  scenario("history-of-all-branches", {
    rule: "The history lists every branch's checkpoints with the values of that branch.",
    why: "The user could not find the way back to the branch that was better.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const graph = forkable(saver);
      await graph.invoke({}, config);
      const point = await before(graph, config, "two");
      await graph.invoke(null, await graph.updateState(point.config, { trail: ["B"] }));
      const history = await collect(forkable(await reopen()).getStateHistory(config));
      equal(
        history.map((state) => [state.metadata!.source, state.values.trail, state.values.picked]),
        [
          ["loop", branch("B").trail, "after B"],
          ["loop", branch("B").trail.slice(0, 3), "after B"],
          ["update", ["one", "B"], undefined],
          ["loop", main.trail, "after one"],
          ["loop", main.trail.slice(0, 2), "after one"],
          ["loop", ["one"], undefined],
          ["loop", [], undefined],
          ["input", [], undefined],
        ],
      );
      identical(checkpointId(history[2]!.parentConfig), checkpointId(point.config));
    },
  }),

  scenario("update-as-node", {
    rule: "An update as a named node goes on after that node.",
    why: "A correction by hand would run the corrected node again.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const graph = forkable(saver);
      await graph.invoke({}, config);
      const point = await before(graph, config, "two");
      const forked = await graph.updateState(point.config, { trail: ["by hand"], picked: "mine" }, "two");
      const again = forkable(await reopen());
      equal((await again.getState(config)).next, ["three"]);
      equal(await again.invoke(null, forked), {
        trail: ["one", "by hand", "three mine"],
        shared: { from: "one" },
        picked: "mine",
      });
    },
  }),

  scenario("update-starts-a-thread", {
    rule: "An update of a thread that has no checkpoint yet starts it.",
    why: "Threads could not be seeded from other systems.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await forkable(saver).updateState(config, { trail: ["seed"], shared: { from: "seed" } }, "one");
      const graph = forkable(await reopen());
      equal((await graph.getState(config)).next, ["two"]);
      equal(await graph.invoke(null, config), {
        trail: ["seed", "two(1)", "three after seed"],
        shared: { from: "seed" },
        picked: "after seed",
      });
    },
  }),

  scenario("bulk-update", {
    rule: "A bulk update rebuilds a thread step by step.",
    why: "Imported conversations would have no history.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await forkable(saver).bulkUpdateState(config, [
        { updates: [{ values: { trail: ["in"] }, asNode: "__input__" }] },
        { updates: [{ values: { trail: ["in"] }, asNode: "__start__" }] },
        { updates: [{ values: { trail: ["1"], shared: { from: "bulk" } }, asNode: "one" }] },
        {
          updates: [
            { values: { trail: ["2"], picked: "p" }, asNode: "two" },
            { values: { trail: ["2b"] }, asNode: "two" },
          ],
        },
      ]);
      const graph = forkable(await reopen());
      const history = await collect(graph.getStateHistory(config));
      equal(
        history.map((state) => [state.metadata!.source, state.next, state.values.trail]),
        [
          ["update", ["three"], ["in", "1", "2", "2b"]],
          ["update", ["two"], ["in", "1"]],
          ["update", ["one"], ["in"]],
          ["input", ["__start__"], []],
        ],
      );
      equal(await graph.invoke(null, config), {
        trail: ["in", "1", "2", "2b", "three p"],
        shared: { from: "bulk" },
        picked: "p",
      });
    },
  }),

  scenario("copy", {
    rule: "A copy of a checkpoint is its sibling, with the same values.",
    why: "The copy would be a child, and replay its parent's step twice.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const graph = forkable(saver);
      await graph.invoke({}, config);
      const point = await before(graph, config, "three");
      const copied = await graph.updateState(point.config, null, "__copy__");
      const again = forkable(await reopen());
      const copy = await again.getState(copied);
      equal([copy.values, copy.next, copy.metadata!.source], [point.values, ["three"], "fork"]);
      check(checkpointId(copy.config) !== checkpointId(point.config), "they differ");
      equal(copy.parentConfig, point.parentConfig);
      equal(await again.invoke(null, copied), main);
    },
  }),

  scenario("copy-of-an-interrupt", {
    rule: "A copy of an answered interrupt asks again, and leaves the first answer's branch alone.",
    why: "Trying another answer would overwrite the first one.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(Annotation.Root({ trail: appended<string>() }))
          .addNode("ask", () => ({ trail: [interrupt<string, string>("?")] }))
          .addEdge(START, "ask")
          .compile({ checkpointer });
      const config = thread();
      await build(saver).invoke({ trail: ["in"] }, config);
      await build(saver).invoke(new Command({ resume: "first" }), config);
      const graph = build(await reopen());
      const tip = (await graph.getState(config)).config;
      const asked = (await collect(graph.getStateHistory(config))).find((state) => state.next[0] === "ask")!;
      const copied = await graph.updateState(asked.config, null, "__copy__");
      equal(
        interruptsOf(await graph.invoke(null, copied)).map((i) => i.value),
        ["?"],
      );
      equal(await graph.invoke(new Command({ resume: "second" }), config), {
        trail: ["in", "second"],
      });
      equal((await graph.getState(tip)).values, { trail: ["in", "first"] });
    },
  }),
];
