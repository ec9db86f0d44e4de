import { HumanMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect } from "./harness.js";
const scenario = inGroup("mutation");

interface Doc {
  lines: string[];
}

/**
 * Otherwise LangGraph calls put only when the put before it is done, and passes what the nodes have changed meanwhile:
 * nothing that a saver could help.
 */
const sync = { durability: "sync" as const };

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

export const mutationScenarios: readonly Scenario[] = [
  scenario("each-step-as-it-was", {
    rule: "State that nodes mutate is stored as it was at each step.",
    why: "Every step of the history would show the last state.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await scribbler(saver, 8).invoke({ doc: { lines: [] } }, { ...config, ...sync });
      const history = await collect(scribbler(await reopen(), 8).getStateHistory(config));
      equal(
        history.map((state) => state.values.doc),
        [...Array.from({ length: 9 }, (_, back) => ({ lines: lines(8 - back) })), undefined],
      );
    },
  }),

  scenario("input-after-the-run", {
    rule: "What happens to the input after the run does not reach what is stored.",
    why: "An object that the application reuses would change its threads.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const input = { doc: { lines: ["given"] } };
      const result = await scribbler(saver, 2).invoke(input, config);
      input.doc.lines.push("later");
      result.doc.lines.push("later still");
      equal((await scribbler(await reopen(), 2).getState(config)).values, {
        doc: { lines: ["given", "line 1"] },
      });
    },
  }),

  scenario("what-was-read", {
    rule: "What happens to a state that was read does not reach what is stored.",
    why: "Rendering code that sorts a list in place would change the thread.",
    run: async ({ saver }) => {
      const config = thread();
      const graph = scribbler(saver, 2);
      await graph.invoke({ doc: { lines: [] } }, config);
      const read = await graph.getState(config);
      read.values.doc.lines.length = 0;
      for await (const state of graph.getStateHistory(config)) state.values.doc?.lines.push("scribble");
      equal((await graph.getState(config)).values, { doc: { lines: lines(2) } });
    },
  }),

  scenario("never-returned", {
    rule: "What a node changed but did not return stays out of the checkpoints.",
    why: "A channel that did not change would change: replay gives another result than the run.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(State)
          .addNode("sly", (state) => {
            state.doc.lines.push("never returned");
            return { count: 1 };
          })
          .addEdge(START, "sly")
          .compile({ checkpointer });
      const config = thread();
      await build(saver).invoke({ doc: { lines: ["given"] } }, { ...config, ...sync });
      // "doc" is not among the put's new versions, so it keeps the value its version was given.
      const tip = (await build(await reopen()).getState(config)).values;
      equal(tip, { doc: { lines: ["given"] }, count: 1 });
    },
  }),

  scenario("edited-message", {
    rule: "A message that a node edits in place is stored with the step that returns it.",
    why: "Editing a message would edit it in all earlier checkpoints.",
    run: async ({ saver, reopen }) => {
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
      const input = { messages: [new HumanMessage({ id: "h", content: "hi" })] };
      await build(saver).invoke(input, { ...config, ...sync });
      const history = await collect(build(await reopen()).getStateHistory(config));
      equal(
        history.map((state) => state.values.messages[0]?.additional_kwargs),
        [{ tags: ["tag 1"], seen: true }, { tags: ["tag 1"] }, {}, undefined],
      );
    },
  }),
];
