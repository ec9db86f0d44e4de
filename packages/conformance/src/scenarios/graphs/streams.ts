import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, checkpointId } from "./harness.js";
const scenario = inGroup("streams");

function build(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(Annotation.Root({ trail: appended<string>() }))
    .addNode("one", () => ({ trail: ["one"] }))
    .addNode("ask", () => ({ trail: [`ask ${interrupt<string, string>("?")}`] }))
    .addEdge(START, "one")
    .addEdge("one", "ask")
    .compile({ checkpointer });
}

type Graph = ReturnType<typeof build>;

type Input = Parameters<Graph["stream"]>[0];

export const streamsScenarios: readonly Scenario[] = [
  scenario("checkpoints", {
    rule: "A stream of checkpoints names what is stored, in order.",
    why: "A client could not go back to the state it was shown.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const run = async (graph: Graph, input: Input) =>
        collect(graph.stream(input, { ...config, streamMode: "checkpoints" }));
      const streamed = await run(build(saver), { trail: ["in"] });
      const resumed = await run(build(await reopen()), new Command({ resume: "yes" }));
      const history = (await collect(build(await reopen()).getStateHistory(config))).toReversed();
      equal(
        history.map((state) => state.values),
        [{ trail: [] }, { trail: ["in"] }, { trail: ["in", "one"] }, { trail: ["in", "one", "ask yes"] }],
      );
      const shown = [...streamed, ...resumed].map((event) => [
        checkpointId(event.config),
        event.values,
        event.next,
      ]);
      const stored = history.map((state) => [checkpointId(state.config), state.values, state.next]);
      // A resumed run shows the checkpoint it goes on from once more.
      equal(
        shown.filter(([id], index) => shown.findIndex(([other]) => other === id) === index),
        stored,
      );
    },
  }),

  scenario("values", {
    rule: "A stream of values goes on where the interrupted run stopped.",
    why: "A client would see the state jump back.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const values = async (graph: Graph, input: Input) =>
        (await collect(graph.stream(input, { ...config, streamMode: "values" }))).filter(
          (chunk) => !("__interrupt__" in chunk),
        );
      equal(await values(build(saver), { trail: ["in"] }), [{ trail: ["in"] }, { trail: ["in", "one"] }]);
      equal(await values(build(await reopen()), new Command({ resume: "ok" })), [
        { trail: ["in", "one"] },
        { trail: ["in", "one", "ask ok"] },
      ]);
    },
  }),

  scenario("left-early", {
    rule: "A stream that the consumer leaves early keeps the steps it saw.",
    why: "Closing the browser would undo work that was shown as done.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      for await (const chunk of await build(saver).stream(
        {},
        { ...config, streamMode: "updates", durability: "sync" },
      )) {
        if ("one" in chunk) break;
      }
      const graph = build(await reopen());
      await graph.invoke(null, config);
      equal(await graph.invoke(new Command({ resume: "late" }), config), {
        trail: ["one", "ask late"],
      });
    },
  }),
];
