import { Annotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

const State = Annotation.Root({ turns: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }) });

/** Counts its turns: one that is lost, or done twice, would show. */
export function counter(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(State)
    .addNode("turn", () => ({ turns: 1 }))
    .addEdge(START, "turn")
    .compile({ checkpointer });
}

export const thread = { configurable: { thread_id: "ada" } };
