import { Annotation, Command, interrupt, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";

import type { StoreSaver } from "../../src/index.js";
import { config, pseudoRandomText } from "../support.js";

const Notes = Annotation.Root({
  notes: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  topic: Annotation<string>(),
});

/** Two steps a run: `first` notes the topic, `second` notes some kilobytes that differ from run to run. */
export function notesGraph(checkpointer: BaseCheckpointSaver) {
  let runs = 0;
  return new StateGraph(Notes)
    .addNode("first", ({ topic }) => ({ notes: [`about ${topic}`] }))
    .addNode("second", () => ({ notes: [pseudoRandomText(3000, (runs += 1))] }))
    .addEdge(START, "first")
    .addEdge("first", "second")
    .compile({ checkpointer });
}

/** Asks a human inside a subgraph, between two steps of its own. */
export function approvalGraph(checkpointer: BaseCheckpointSaver) {
  const inner = new StateGraph(Notes)
    .addNode("prepare", () => ({ notes: ["prepared"] }))
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

export const resume = (answer: string) =>
  new Command<unknown, Record<string, never>, "inner">({ resume: answer });

export async function tuples(saver: StoreSaver, threadId: string): Promise<CheckpointTuple[]> {
  const all: CheckpointTuple[] = [];
  for await (const tuple of saver.list({ configurable: { thread_id: threadId } })) all.push(tuple);
  return all;
}

export const idOf = (tuple: CheckpointTuple): string => tuple.config.configurable!["checkpoint_id"] as string;

/** Three runs of the graph of notes on one thread: twelve checkpoints. */
export async function withNotes(saver: StoreSaver, threadId: string) {
  const graph = notesGraph(saver);
  for (const topic of ["cats", "dogs", "owls"]) await graph.invoke({ topic }, config(threadId));
  return graph;
}

export const isRoot = ({ config: { configurable } }: CheckpointTuple): boolean =>
  configurable!["checkpoint_ns"] === "";

export const stepOf = (tuple: CheckpointTuple): number => tuple.metadata!.step;

export const isInput = (tuple: CheckpointTuple): boolean => tuple.metadata!.source === "input";
