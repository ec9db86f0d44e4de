import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, checkpointId, collect, thread, withSaver } from "./harness.js";

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

export function streamingTests(subject: SaverUnderTest): void {
  describe("streams", () => {
    it(
      "of checkpoints name what is stored, in order",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const run = async (graph: Graph, input: Input) =>
          collect(graph.stream(input, { ...config, streamMode: "checkpoints" }));
        const streamed = await run(build(saver), { trail: ["in"] });
        const resumed = await run(build(await reopen()), new Command({ resume: "yes" }));
        const history = (await collect(build(await reopen()).getStateHistory(config))).toReversed();
        expect(history.map((state) => state.values)).toEqual([
          { trail: [] },
          { trail: ["in"] },
          { trail: ["in", "one"] },
          { trail: ["in", "one", "ask yes"] },
        ]);
        const shown = [...streamed, ...resumed].map((event) => [
          checkpointId(event.config),
          event.values,
          event.next,
        ]);
        const stored = history.map((state) => [checkpointId(state.config), state.values, state.next]);
        // A resumed run shows the checkpoint it goes on from once more.
        expect(shown.filter(([id], index) => shown.findIndex(([other]) => other === id) === index)).toEqual(
          stored,
        );
      }),
    );

    it(
      "of values go on where the interrupted run stopped",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const values = async (graph: Graph, input: Input) =>
          (await collect(graph.stream(input, { ...config, streamMode: "values" }))).filter(
            (chunk) => !("__interrupt__" in chunk),
          );
        expect(await values(build(saver), { trail: ["in"] })).toEqual([
          { trail: ["in"] },
          { trail: ["in", "one"] },
        ]);
        expect(await values(build(await reopen()), new Command({ resume: "ok" }))).toEqual([
          { trail: ["in", "one"] },
          { trail: ["in", "one", "ask ok"] },
        ]);
      }),
    );

    it(
      "that the consumer leaves early keep the steps it saw",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        for await (const chunk of await build(saver).stream(
          {},
          { ...config, streamMode: "updates", durability: "sync" },
        )) {
          if ("one" in chunk) break;
        }
        const graph = build(await reopen());
        await graph.invoke(null, config);
        expect(await graph.invoke(new Command({ resume: "late" }), config)).toEqual({
          trail: ["one", "ask late"],
        });
      }),
    );
  });
}
