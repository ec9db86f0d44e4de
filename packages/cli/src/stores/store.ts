import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { StoreSaver, TaskWrites } from "@langgraph-savers/core";

import type { Check } from "../doctor/check.js";

export type StoreKind = "file" | "mongodb" | "dynamodb" | "official-mongodb" | "official-sqlite" | "module";

/** A saver that was opened by its URL, with what its kind can tell beyond LangGraph's contract. */
export interface OpenStore {
  kind: StoreKind;
  /** As the user named it, without secrets. */
  label: string;
  /** The same wherever the command runs: what a journal knows the store by. Without secrets too. */
  identity: string;
  saver: BaseCheckpointSaver;
  threads(options?: { prefix?: string }): AsyncGenerator<ThreadRow>;
  /** Checkpoints of a thread by ascending id, where they can be had without reading them. */
  keys?(threadId: string): AsyncIterable<CheckpointName> | Iterable<CheckpointName>;
  /** A tuple's writes with their positions, where the tuple itself does not tell. */
  taskWrites?(tuple: CheckpointTuple): Promise<TaskWrites[]> | TaskWrites[];
  /** What the doctor looks at, beyond what every store has. */
  checks?(options: { write: boolean }): AsyncGenerator<Check>;
  close(): Promise<void> | void;
}

export interface CheckpointName {
  namespace: string;
  checkpointId: string;
}

/** What is known of a thread; savers differ in what they can tell without reading everything. */
export interface ThreadRow {
  threadId: string;
  checkpoints: number;
  bytes?: number;
  createdAt?: Date;
  updatedAt?: Date;
  namespaces: number;
  lastStep?: number;
  lastSource?: string;
  /** Changes whenever the thread does; absent where that cannot be known cheaply. */
  stamp?: string;
}

/** The methods that the savers of the pack have beyond LangGraph's contract. */
export type PackSaver = StoreSaver;

/** By its methods: the saver may come from another copy of the pack. */
export function isPackSaver(saver: BaseCheckpointSaver): saver is PackSaver {
  const methods = saver as unknown as Record<string, unknown>;
  return ["listThreads", "prune", "ping", "verify", "taskWrites"].every(
    (name) => typeof methods[name] === "function",
  );
}

/** The three keys of a config, as LangGraph's methods take and return them. */
export function configOf(threadId: string, name?: CheckpointName): { configurable: Record<string, string> } {
  return {
    configurable: {
      thread_id: threadId,
      ...(name === undefined ? {} : { checkpoint_ns: name.namespace, checkpoint_id: name.checkpointId }),
    },
  };
}

/** Which checkpoint a tuple is. */
export function nameOf({ config, checkpoint }: CheckpointTuple): CheckpointName {
  const namespace: unknown = config.configurable?.["checkpoint_ns"];
  return { namespace: typeof namespace === "string" ? namespace : "", checkpointId: checkpoint.id };
}

/** One string for a map. */
export function keyOf({ namespace, checkpointId }: CheckpointName): string {
  return JSON.stringify([namespace, checkpointId]);
}
