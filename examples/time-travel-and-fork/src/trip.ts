import { Annotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

const Trip = Annotation.Root({
  city: Annotation<string>(),
  days: Annotation<number>(),
  plan: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** Plans a trip in three steps. Scripts stand in for the model. */
export function tripPlanner(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(Trip)
    .addNode("travel", ({ city }) => ({ plan: [`train to ${city}`] }))
    .addNode("stay", ({ city, days }) => ({ plan: [`${days} nights in ${city}`] }))
    .addNode("home", () => ({ plan: ["train home"] }))
    .addEdge(START, "travel")
    .addEdge("travel", "stay")
    .addEdge("stay", "home")
    .compile({ checkpointer });
}
