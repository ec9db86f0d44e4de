import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, collect, interruptsOf, thread, withSaver } from "./harness.js";

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

export function statefulSubgraphTests(subject: SaverUnderTest): void {
  describe("stateful subgraphs (checkpointer: true)", () => {
    it(
      "keep their state across runs of the thread",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        expect((await remembering(saver).invoke({ word: "one" }, config)).seen).toEqual(["one"]);
        expect((await remembering(await reopen()).invoke({ word: "two" }, config)).seen).toEqual([
          "one",
          "two",
        ]);
        expect((await remembering(await reopen()).invoke({ word: "three" }, config)).seen).toEqual([
          "one",
          "two",
          "three",
        ]);
      }),
    );

    it(
      "store it under the node's bare name, apart from the parent's own state",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await remembering(saver).invoke({ word: "one" }, config);
        await remembering(saver).invoke({ word: "two" }, config);
        const again = await reopen();
        const own = await again.getTuple({
          configurable: { ...config.configurable, checkpoint_ns: "recall" },
        });
        expect(own!.checkpoint.channel_values["memory"]).toEqual(["one", "two"]);
        const outer = await collect(remembering(again).getStateHistory(config));
        expect(outer.map((state) => state.values)).toEqual([
          { word: "two", seen: ["one", "two"] },
          { word: "two", seen: ["one"] },
          { word: "one", seen: ["one"] },
          { word: "one", seen: ["one"] },
          { word: "one" },
          {},
        ]);
      }),
    );

    it(
      "are separate for each thread",
      withSaver(subject, async ({ saver, reopen }) => {
        const [left, right] = [thread(), thread()];
        await remembering(saver).invoke({ word: "left" }, left);
        await remembering(saver).invoke({ word: "right" }, right);
        const graph = remembering(await reopen());
        expect((await graph.invoke({ word: "again" }, left)).seen).toEqual(["left", "again"]);
        expect((await graph.invoke({ word: "again" }, right)).seen).toEqual(["right", "again"]);
      }),
    );

    it(
      "resume an interrupt and keep what both runs learned",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const stopped = await remembering(saver, true).invoke({ word: "one" }, config);
        expect(interruptsOf(stopped).map((i) => i.value)).toEqual(["more?"]);
        const first = await remembering(await reopen(), true).invoke(new Command({ resume: "yes" }), config);
        expect(first.seen).toEqual(["one", "yes"]);
        await remembering(await reopen(), true).invoke({ word: "two" }, config);
        const second = await remembering(await reopen(), true).invoke(new Command({ resume: "no" }), config);
        expect(second.seen).toEqual(["one", "yes", "two", "no"]);
      }),
    );

    it(
      "of two nodes whose names prefix each other do not mix",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect(result).toEqual({ word: "2", a: ["1 a", "2 a"], b: ["1 b", "2 b"] });
      }),
    );
  });
}
