import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** A support desk. What is about money goes to a subgraph that asks a human. Scripts stand in for the model. */
export function supportDesk(checkpointer: BaseCheckpointSaver) {
  const refund = new StateGraph(MessagesAnnotation)
    .addNode("look_up", () => ({ messages: [new AIMessage("Order 1042: 89.90 EUR, delivered damaged.")] }))
    .addNode("ask", () => {
      const answer = interrupt<string, string>("Refund 89.90 EUR for order 1042?");
      return { messages: [new AIMessage(answer === "yes" ? "Refunded 89.90 EUR." : "No refund was made.")] };
    })
    .addEdge(START, "look_up")
    .addEdge("look_up", "ask")
    .compile();
  return new StateGraph(MessagesAnnotation)
    .addNode("answer", ({ messages }) => {
      const said = messages.filter((message) => message.getType() === "human").map(({ text }) => text);
      return { messages: [new AIMessage(`So far you said: ${said.join(" / ")}`)] };
    })
    .addNode("refund", refund)
    .addConditionalEdges(START, ({ messages }) =>
      messages.at(-1)?.text.includes("refund") ? "refund" : "answer",
    )
    .compile({ checkpointer });
}

export const says = (text: string) => ({ messages: [new HumanMessage(text)] });
export const inThread = (threadId: string) => ({ configurable: { thread_id: threadId } });
