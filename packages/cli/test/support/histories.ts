import { inspect } from "node:util";

import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, Command, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import {
  ERROR,
  INTERRUPT,
  type BaseCheckpointSaver,
  type CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import { checkpoint, config, idOf } from "@langgraph-savers/test/checkpoints";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** A graph with branches, a subgraph and a question to a human: threads have namespaces and all kinds of writes. */
export function buildGraph(checkpointer: BaseCheckpointSaver) {
  const child = new StateGraph(State)
    .addNode("ask", () => ({ log: [`answer ${String(interrupt({ question: "go on?" }))}`] }))
    .addNode("after", () => ({ log: ["after"] }))
    .addEdge(START, "ask")
    .addEdge("ask", "after")
    .compile();
  return new StateGraph(State)
    .addNode("first", () => ({ messages: [new AIMessage("hello")], log: ["first"] }))
    .addNode("beside", () => ({ log: ["beside"] }))
    .addNode("child", child)
    .addEdge(START, "first")
    .addEdge(START, "beside")
    .addEdge("first", "child")
    .compile({ checkpointer });
}

/** Runs the graph: a question, its answer, and a fork from before it. */
export async function runThread(saver: BaseCheckpointSaver, threadId: string): Promise<void> {
  const graph = buildGraph(saver);
  const at = { configurable: { thread_id: threadId } };
  await graph.invoke({ messages: [new HumanMessage("hi")], log: ["in"] }, at);
  await graph.invoke(new Command({ resume: "yes" }), at);
  const history = [];
  for await (const state of graph.getStateHistory(at)) history.push(state);
  await graph.updateState(history[1]!.config, { log: ["fork"] }, "first");
  await graph.invoke(null, at);
}

/** A checkpoint with writes, put without a graph: quicker than one, and as odd as one likes. */
export async function putStep(
  saver: BaseCheckpointSaver,
  threadId: string,
  at: number,
  { parent, values = {} }: { parent?: number; values?: Record<string, unknown> } = {},
): Promise<void> {
  const list = Array.from({ length: at + 3 }, (_, n) => `item ${n}`);
  const state = {
    ...checkpoint(idOf(at), { list, ...values }, at + 1),
    versions_seen: { node: { list: at + 1 } },
  };
  const metadata = { source: "loop", step: at, parents: {}, thread: threadId } as const;
  const stored = await saver.put(
    config(threadId, parent === undefined ? undefined : idOf(parent)),
    state,
    metadata,
    state.channel_versions,
  );
  await saver.putWrites(
    stored,
    [
      ["list", ["more"]],
      [INTERRUPT, { value: "?" }],
      ["list", ["and more"]],
    ],
    "task b",
  );
  await saver.putWrites(stored, [[ERROR, { message: "no" }]], "task a");
}

/** Three checkpoints, the last two of them of one parent. */
export async function putThread(saver: BaseCheckpointSaver, threadId: string): Promise<void> {
  await putStep(saver, threadId, 0);
  await putStep(saver, threadId, 1, { parent: 0 });
  await putStep(saver, threadId, 2, { parent: 0, values: { note: `of ${threadId}` } });
}

/** All tuples of a thread in one order; savers leave that of the writes of different tasks open. */
export async function tuplesOf(saver: BaseCheckpointSaver, threadId: string): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list({ configurable: { thread_id: threadId } })) tuples.push(tuple);
  const key = ({ config: { configurable } }: CheckpointTuple) =>
    JSON.stringify([configurable!["checkpoint_ns"], configurable!["checkpoint_id"]]);
  return tuples
    .map(({ parentConfig, pendingWrites = [], ...rest }) => ({
      ...rest,
      ...(parentConfig === undefined ? {} : { parentConfig }),
      pendingWrites: pendingWrites.toSorted((a, b) => (inspect(a) < inspect(b) ? -1 : 1)),
    }))
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
