import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { FileSaver } from "@langgraph-savers/file";

interface Approval {
  approved: boolean;
  note?: string;
}

/** An agent that refunds orders, but only with a human's word. A script stands in for the model: no key is needed. */
export function refundAgent(directory: string) {
  const checkpointer = new FileSaver(directory);
  return new StateGraph(MessagesAnnotation)
    .addNode("look_up", () => ({
      messages: [
        new ToolMessage({ tool_call_id: "1", content: "Order 1042: 89.90 EUR, delivered damaged." }),
      ],
    }))
    .addNode("propose", () => ({
      messages: [new AIMessage("I propose to refund 89.90 EUR for order 1042.")],
    }))
    .addNode("approve", () => {
      const answer = interrupt<string, Approval>("Refund 89.90 EUR for order 1042?");
      const verdict = answer.approved ? "Approved" : "Refused";
      return { messages: [new HumanMessage(answer.note ? `${verdict}: ${answer.note}` : verdict)] };
    })
    .addNode("act", (state) => {
      const approved = state.messages.at(-1)?.text.startsWith("Approved");
      return { messages: [new AIMessage(approved ? "Refunded 89.90 EUR." : "No refund was made.")] };
    })
    .addEdge(START, "look_up")
    .addEdge("look_up", "propose")
    .addEdge("propose", "approve")
    .addEdge("approve", "act")
    .addEdge("act", END)
    .compile({ checkpointer });
}
