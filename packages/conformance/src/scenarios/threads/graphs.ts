import { Annotation, DeltaChannel, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { appended } from "../graphs/harness.js";

const Notes = Annotation.Root({ notes: appended<string>(), topic: Annotation<string>() });

/** Two steps a run. */
export function notesGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(Notes)
    .addNode("first", ({ topic }) => ({ notes: [`first ${topic}`] }))
    .addNode("second", ({ topic }) => ({ notes: [`second ${topic}`] }))
    .addEdge(START, "first")
    .addEdge("first", "second")
    .compile({ checkpointer });
}

/** Asks inside a subgraph, between two steps. `prepared` tells whether the first of them was run again. */
export function askingGraph(checkpointer: BaseCheckpointSaver, prepared = "prepared") {
  const inner = new StateGraph(Notes)
    .addNode("prepare", () => ({ notes: [prepared] }))
    .addNode("ask", ({ topic }) => ({ notes: [`answer: ${interrupt<string, string>(`may I ${topic}?`)}`] }))
    .addEdge(START, "prepare")
    .addEdge("prepare", "ask")
    .compile();
  return new StateGraph(Notes)
    .addNode("inner", inner)
    .addNode("after", () => ({ notes: ["done"] }))
    .addEdge(START, "inner")
    .addEdge("inner", "after")
    .compile({ checkpointer });
}

/** The questions that wait for an answer. */
export async function questions(
  graph: ReturnType<typeof askingGraph>,
  config: RunnableConfig,
): Promise<unknown[]> {
  const { tasks } = await graph.getState(config);
  return tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value as unknown));
}

/** A channel that is stored as changes, with a value of its own only every so often. */
export function deltaGraph(checkpointer: BaseCheckpointSaver, snapshotFrequency = 1000) {
  const State = Annotation.Root({
    words: () =>
      new DeltaChannel<string[], string[]>((state, writes) => state.concat(...writes), { snapshotFrequency }),
  });
  return new StateGraph(State)
    .addNode("echo", () => ({ words: ["echo"] }))
    .addEdge(START, "echo")
    .compile({ checkpointer });
}
