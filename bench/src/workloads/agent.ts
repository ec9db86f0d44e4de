import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

import { stepped } from "../suite/steps.js";
import { readings } from "./reading.js";
import { planOf } from "./sizes.js";
import { words } from "./text.js";

const RESULT_BYTES = 30_000;
const ANSWER_BYTES = 600;
const config = { configurable: { thread_id: "agent" } };

/** The usual loop: the model asks for a tool, gets its result, and answers. */
export const agent = stepped({
  id: "agent",
  title: "Tool-using agent",
  about: () =>
    "Each turn: a question, a tool call, a tool result of 30 KB, an answer; all of it stays in the state.",
  step: "turn",
  main: "time",
  curves: true,
  seconds: { file: 35, mongodb: 22, dynamodb: 25 },
  plan: planOf({ full: 40, quick: 6, dynamodb: { full: 20, quick: 3 }, rounds: { full: 10, quick: 2 } }),
  async start(opened) {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("model", ({ messages }) => {
        const asked = messages.at(-1) instanceof HumanMessage;
        const calls = asked
          ? [{ id: `c${messages.length}`, name: "search", args: { query: words(40, messages.length) } }]
          : [];
        const content = asked ? "" : words(ANSWER_BYTES, messages.length);
        return { messages: [new AIMessage({ id: `m${messages.length}`, content, tool_calls: calls })] };
      })
      .addNode("tools", ({ messages }) => {
        const { tool_calls = [] } = messages.at(-1) as AIMessage;
        return {
          messages: tool_calls.map((call, at) => {
            const content = words(RESULT_BYTES, messages.length * 10 + at);
            return new ToolMessage({
              id: `t${messages.length}`,
              tool_call_id: call.id!,
              name: call.name,
              content,
            });
          }),
        };
      })
      .addEdge(START, "model")
      .addConditionalEdges("model", ({ messages }) => {
        return ((messages.at(-1) as AIMessage).tool_calls ?? []).length > 0 ? "tools" : END;
      })
      .addEdge("tools", "model")
      .compile({ checkpointer: opened.saver });
    return {
      step: (at) =>
        graph.invoke({ messages: [new HumanMessage({ id: `h${at}`, content: words(200, -at) })] }, config),
      probes: readings(opened, "agent"),
    };
  },
});
