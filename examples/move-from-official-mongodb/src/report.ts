import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** Drafts a report and revises it until its reader is content. A script stands in for the model. */
export function reportWriter(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(MessagesAnnotation)
    .addNode("draft", ({ messages }) => ({
      messages: [new AIMessage(`Draft ${Math.ceil(messages.length / 2)}, after: ${messages.at(-1)?.text}`)],
    }))
    .addNode("review", () => ({
      messages: [new HumanMessage(interrupt<string, string>("What should be changed?"))],
    }))
    .addEdge(START, "draft")
    .addEdge("draft", "review")
    .addConditionalEdges("review", ({ messages }) =>
      messages.at(-1)?.text === "Nothing." ? "__end__" : "draft",
    )
    .compile({ checkpointer });
}
