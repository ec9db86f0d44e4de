import { HumanMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { collect, thread, withSaver } from "./harness.js";

interface Doc {
  lines: string[];
}
const State = Annotation.Root({ doc: Annotation<Doc>(), count: Annotation<number>() });

/** Every step changes the one document in place and returns it again. */
function scribbler(checkpointer: BaseCheckpointSaver, steps: number) {
  return new StateGraph(State)
    .addNode("write", (state) => {
      state.doc.lines.push(`line ${state.doc.lines.length}`);
      return { doc: state.doc };
    })
    .addEdge(START, "write")
    .addConditionalEdges("write", (state) => (state.doc.lines.length < steps ? "write" : END), ["write", END])
    .compile({ checkpointer });
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

export function mutationTests(subject: SaverUnderTest): void {
  describe("mutated state", () => {
    // With "async" LangGraph hands over a step's state only after the put before it: no saver can know what it was.
    it(
      "is stored as it was at each step",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await scribbler(saver, 8).invoke({ doc: { lines: [] } }, { ...config, durability: "sync" });
        const history = await collect(scribbler(await reopen(), 8).getStateHistory(config));
        expect(history.map((state) => state.values.doc)).toEqual([
          ...Array.from({ length: 9 }, (_, back) => ({ lines: lines(8 - back) })),
          undefined,
        ]);
      }),
    );

    it(
      "of the input after the run does not reach what is stored",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const input = { doc: { lines: ["given"] } };
        const result = await scribbler(saver, 2).invoke(input, config);
        input.doc.lines.push("later");
        result.doc.lines.push("later still");
        expect((await scribbler(await reopen(), 2).getState(config)).values).toEqual({
          doc: { lines: ["given", "line 1"] },
        });
      }),
    );

    it(
      "of what was read does not reach what is stored",
      withSaver(subject, async ({ saver }) => {
        const config = thread();
        const graph = scribbler(saver, 2);
        await graph.invoke({ doc: { lines: [] } }, config);
        const read = await graph.getState(config);
        read.values.doc.lines.length = 0;
        for await (const state of graph.getStateHistory(config)) state.values.doc?.lines.push("scribble");
        expect((await graph.getState(config)).values).toEqual({ doc: { lines: lines(2) } });
      }),
    );

    it(
      "that no node returned stays out of the checkpoints",
      withSaver(subject, async ({ saver, reopen }) => {
        const build = (checkpointer: BaseCheckpointSaver) =>
          new StateGraph(State)
            .addNode("sly", (state) => {
              state.doc.lines.push("never returned");
              return { count: 1 };
            })
            .addEdge(START, "sly")
            .compile({ checkpointer });
        const config = thread();
        await build(saver).invoke({ doc: { lines: ["given"] } }, { ...config, durability: "sync" });
        // "doc" is not among the put's new versions, so it keeps the value its version was given.
        const tip = (await build(await reopen()).getState(config)).values;
        expect(tip).toEqual({ doc: { lines: ["given"] }, count: 1 });
      }),
    );

    it(
      "of a message that a node edits in place is stored with the step that returns it",
      withSaver(subject, async ({ saver, reopen }) => {
        const build = (checkpointer: BaseCheckpointSaver) =>
          new StateGraph(MessagesAnnotation)
            .addNode("tag", (state) => {
              const first = state.messages[0]!;
              first.additional_kwargs["tags"] = [
                ...((first.additional_kwargs["tags"] as string[] | undefined) ?? []),
                `tag ${state.messages.length}`,
              ];
              return { messages: [first] };
            })
            .addNode("again", (state) => {
              state.messages[0]!.additional_kwargs["seen"] = true;
              return { messages: [state.messages[0]!] };
            })
            .addEdge(START, "tag")
            .addEdge("tag", "again")
            .compile({ checkpointer });
        const config = thread();
        await build(saver).invoke(
          { messages: [new HumanMessage({ id: "h", content: "hi" })] },
          { ...config, durability: "sync" },
        );
        const history = await collect(build(await reopen()).getStateHistory(config));
        expect(history.map((state) => state.values.messages[0]?.additional_kwargs)).toEqual([
          { tags: ["tag 1"], seen: true },
          { tags: ["tag 1"] },
          {},
          undefined,
        ]);
      }),
    );
  });
}
