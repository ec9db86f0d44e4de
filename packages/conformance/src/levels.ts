import type { Level, ScenarioResult } from "./report.js";
import { scenarios } from "./scenarios/index.js";

/** A group of scenarios, and the first level that asks for it, if any does. */
export interface Group {
  name: string;
  level: Exclude<Level, "not conformant"> | "none";
  /** What it is about, for a reader of the catalogue. */
  about: string;
}

/**
 * - **core**: LangGraph works on the saver. Whatever a graph does, its state, writes and history are right.
 * - **extended**: it is also pleasant and safe to build on. Bad input is refused with errors that can be acted on,
 *   values that LangGraph's own serializer loses are kept, delta channels, runs and serializers of the user's work.
 * - **durable**: what is stored is there for another process.
 * - **fault-tested**: it was seen to survive failures of its storage.
 * - **none**: operations that LangGraph does not ask for. They are tried where a saver has them, and decide no level.
 */
export const groups: readonly Group[] = [
  { name: "lifecycle", level: "core", about: "what `create` and `cleanup` of a target owe the kit" },
  { name: "identity", level: "core", about: "what makes a checkpoint this one and no other" },
  { name: "ids", level: "core", about: "ids are opaque strings" },
  { name: "put", level: "core", about: "storing a checkpoint" },
  { name: "channels", level: "core", about: "which value a channel has after a put" },
  { name: "fork", level: "core", about: "two branches from one checkpoint" },
  { name: "putWrites", level: "core", about: "storing the results of a task" },
  { name: "getTuple", level: "core", about: "reading one checkpoint" },
  { name: "pendingSends", level: "core", about: "reading checkpoints of older versions" },
  { name: "list", level: "core", about: "reading the history" },
  { name: "filter", level: "core", about: "reading the history by metadata" },
  { name: "deleteThread", level: "core", about: "deleting a thread" },
  { name: "metadata", level: "core", about: "what goes with a checkpoint" },
  { name: "values", level: "core", about: "what LangGraph's own serializer round-trips" },
  { name: "messages", level: "core", about: "LangChain messages" },
  { name: "sizes", level: "core", about: "large, wide and deep values" },
  { name: "sharing", level: "core", about: "nothing is shared with the caller" },
  { name: "concurrency", level: "core", about: "many callers at once" },
  { name: "interrupts", level: "core", about: "graphs: stop and resume" },
  { name: "parallel", level: "core", about: "graphs: Send and static branches" },
  { name: "subgraphs", level: "core", about: "graphs: graphs inside graphs" },
  { name: "timeTravel", level: "core", about: "graphs: history and replay" },
  { name: "durability", level: "core", about: "graphs: sync, async and exit" },
  { name: "failures", level: "core", about: "graphs: nodes that fail" },
  { name: "functional", level: "core", about: "graphs: entrypoint and task" },
  { name: "chat", level: "core", about: "graphs: conversations" },
  { name: "mutation", level: "core", about: "graphs: nodes that mutate their state" },
  { name: "streams", level: "core", about: "graphs: streaming" },
  { name: "deletedThreads", level: "core", about: "graphs: on threads that were deleted" },
  { name: "refusals", level: "extended", about: "bad ids are refused" },
  { name: "errors", level: "extended", about: "errors that can be acted on" },
  { name: "unstorable", level: "extended", about: "values that cannot be stored are refused" },
  { name: "safety", level: "extended", about: "stored data is data" },
  { name: "richValues", level: "extended", about: "what LangGraph's own serializer loses" },
  { name: "runs", level: "extended", about: "which run made a checkpoint" },
  { name: "taskPath", level: "extended", about: "the fourth argument of putWrites, from LangGraph 1.7 on" },
  { name: "deltaHistory", level: "extended", about: "reading back what a delta channel is made of" },
  { name: "deltaChannels", level: "extended", about: "graphs: delta channels" },
  { name: "serde", level: "extended", about: "a serializer of the user's own" },
  { name: "reopen", level: "durable", about: "a second saver on the same storage" },
  { name: "faults", level: "fault-tested", about: "a storage that fails" },
  { name: "listThreads", level: "none", about: "which threads there are" },
  { name: "threadInfo", level: "none", about: "what there is of one thread" },
  { name: "exists", level: "none", about: "whether there is a thread" },
  { name: "stats", level: "none", about: "what there is in all" },
  { name: "ping", level: "none", about: "whether the storage answers" },
  { name: "getAtOrBefore", level: "none", about: "a point in a thread's history" },
  { name: "copyThread", level: "none", about: "a second thread like the first" },
  { name: "forkThread", level: "none", about: "a new thread that goes on from a checkpoint" },
  { name: "deleteCheckpoints", level: "none", about: "deleting some of a thread" },
  { name: "deleteForRuns", level: "none", about: "deleting what a run has put" },
  { name: "prune", level: "none", about: "keeping what is still needed of a thread" },
  { name: "verify", level: "none", about: "whether all that is stored can be read" },
];

const ascending = ["core", "extended", "durable", "fault-tested"] as const;

/**
 * The highest level whose scenarios, and those of every level below it, have all passed. One that was skipped, left out
 * or is a known gap has not: a level says what was seen, not what may be assumed.
 */
export function levelOf(results: readonly ScenarioResult[]): Level {
  const passed = new Set(results.filter(({ status }) => status === "passed").map(({ id }) => id));
  let reached: Level = "not conformant";
  for (const level of ascending) {
    const asked = new Set(groups.filter((group) => group.level === level).map(({ name }) => name));
    if (!scenarios.every(({ id, group }) => !asked.has(group) || passed.has(id))) return reached;
    reached = level;
  }
  return reached;
}
