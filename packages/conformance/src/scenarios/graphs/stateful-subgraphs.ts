import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, interruptsOf } from "./harness.js";
const scenario = inGroup("subgraphs");

const Outer = Annotation.Root({ word: Annotation<string>(), seen: Annotation<string[]>() });

const Inner = Annotation.Root({ memory: appended<string>() });

/** A subgraph compiled with `checkpointer: true`: its namespace is the bare node name, the same in every run. */
function remembering(checkpointer: BaseCheckpointSaver, asks = false) {
  const inner = new StateGraph(Inner)
    .addNode("learn", () => ({ memory: asks ? [interrupt<string, string>("more?")] : [] }))
    .addEdge(START, "learn")
    .compile({ checkpointer: true });
  return new StateGraph(Outer)
    .addNode("recall", async (state) => ({ seen: (await inner.invoke({ memory: [state.word] })).memory }))
    .addEdge(START, "recall")
    .compile({ checkpointer });
}

export const statefulSubgraphsScenarios: readonly Scenario[] = [
  scenario("stateful-remembers", {
    rule: "A subgraph with a checkpointer of its own keeps its state across runs of the thread.",
    why: "An agent with memory would forget everything at each turn.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      equal((await remembering(saver).invoke({ word: "one" }, config)).seen, ["one"]);
      equal((await remembering(await reopen()).invoke({ word: "two" }, config)).seen, ["one", "two"]);
      equal((await remembering(await reopen()).invoke({ word: "three" }, config)).seen, [
        "one",
        "two",
        "three",
      ]);
    },
  }),

  scenario("stateful-bare-namespace", {
    rule: "It is stored under the node's bare name, apart from the parent's own state.",
    why: "A saver that expects `node:uuid` would lose it or mix it with the parent's.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await remembering(saver).invoke({ word: "one" }, config);
      await remembering(saver).invoke({ word: "two" }, config);
      const again = await reopen();
      const own = await again.getTuple({
        configurable: { ...config.configurable, checkpoint_ns: "recall" },
      });
      equal(own!.checkpoint.channel_values["memory"], ["one", "two"]);
      const outer = await collect(remembering(again).getStateHistory(config));
      equal(
        outer.map((state) => state.values),
        [
          { word: "two", seen: ["one", "two"] },
          { word: "two", seen: ["one"] },
          { word: "one", seen: ["one"] },
          { word: "one", seen: ["one"] },
          { word: "one" },
          {},
        ],
      );
    },
  }),

  scenario("stateful-per-thread", {
    rule: "The memories of a subgraph are separate for each thread.",
    why: "One user's agent would remember what another user said.",
    run: async ({ saver, reopen }) => {
      const [left, right] = [thread(), thread()];
      await remembering(saver).invoke({ word: "left" }, left);
      await remembering(saver).invoke({ word: "right" }, right);
      const graph = remembering(await reopen());
      equal((await graph.invoke({ word: "again" }, left)).seen, ["left", "again"]);
      equal((await graph.invoke({ word: "again" }, right)).seen, ["right", "again"]);
    },
  }),

  scenario("stateful-interrupt", {
    rule: "It resumes an interrupt and keeps what both runs learned.",
    why: "The memory would lose the turn in which a human was asked.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const stopped = await remembering(saver, true).invoke({ word: "one" }, config);
      equal(
        interruptsOf(stopped).map((i) => i.value),
        ["more?"],
      );
      const first = await remembering(await reopen(), true).invoke(new Command({ resume: "yes" }), config);
      equal(first.seen, ["one", "yes"]);
      await remembering(await reopen(), true).invoke({ word: "two" }, config);
      const second = await remembering(await reopen(), true).invoke(new Command({ resume: "no" }), config);
      equal(second.seen, ["one", "yes", "two", "no"]);
    },
  }),

  scenario("stateful-prefix-names", {
    rule: "Subgraphs of two nodes whose names prefix each other do not mix.",
    why: "The memory of `node` would be that of `node2` as well.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) => {
        const inner = () =>
          new StateGraph(Inner)
            .addNode("keep", () => ({}))
            .addEdge(START, "keep")
            .compile({ checkpointer: true });
        const [short, long] = [inner(), inner()];
        return new StateGraph(
          Annotation.Root({
            word: Annotation<string>(),
            a: Annotation<string[]>(),
            b: Annotation<string[]>(),
          }),
        )
          .addNode("node", async (state) => ({
            a: (await short.invoke({ memory: [`${state.word} a`] })).memory,
          }))
          .addNode("node2", async (state) => ({
            b: (await long.invoke({ memory: [`${state.word} b`] })).memory,
          }))
          .addEdge(START, "node")
          .addEdge(START, "node2")
          .compile({ checkpointer });
      };
      const config = thread();
      await build(saver).invoke({ word: "1" }, config);
      const result = await build(await reopen()).invoke({ word: "2" }, config);
      equal(result, { word: "2", a: ["1 a", "2 a"], b: ["1 b", "2 b"] });
    },
  }),
];
