import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** A chat with one node. Put your model where `reply` is. */
export function chat(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(MessagesAnnotation)
    .addNode("reply", ({ messages }) => ({ messages: [reply(messages)] }))
    .addEdge(START, "reply")
    .compile({ checkpointer });
}

/** Stands in for a model, so that no key is needed: it knows what was said. */
function reply(messages: BaseMessage[]): AIMessage {
  const said = messages.filter((message) => message.getType() === "human").map(({ text }) => text);
  const earlier = said.slice(0, -1);
  if (earlier.length === 0)
    return new AIMessage(`"${said.at(-1)}": noted. It is the first thing you told me.`);
  return new AIMessage(`"${said.at(-1)}": noted. Before that you said: ${earlier.join(" / ")}`);
}
