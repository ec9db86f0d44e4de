import { Annotation, DeltaChannel, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** A channel that is stored as changes: a value of its own is in a checkpoint only now and then. */
export function deltaGraph(checkpointer: BaseCheckpointSaver, snapshotFrequency = 50) {
  const State = Annotation.Root({
    words: () =>
      new DeltaChannel<string[], string[]>((state, writes) => state.concat(...writes), { snapshotFrequency }),
    other: Annotation<string>(),
  });
  return new StateGraph(State)
    .addNode("echo", () => ({ words: ["echo"] }))
    .addEdge(START, "echo")
    .compile({ checkpointer });
}
