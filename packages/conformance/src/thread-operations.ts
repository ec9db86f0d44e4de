import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

/**
 * Operations on threads, as the scenarios call them. LangGraph asks for none of them; `copyThread`, `deleteForRuns` and
 * `prune` have the meaning of LangGraph's Python savers. A saver may have any of them.
 */
export interface ThreadOperations {
  /** Threads with a checkpoint, by ascending id. */
  listThreads(options?: ThreadListOptions): AsyncIterable<ThreadInfo>;
  threadInfo(threadId: string): Promise<ThreadInfo | undefined>;
  exists(threadId: string): Promise<boolean>;
  stats(): Promise<{ threads: number; checkpoints: number; bytes: number }>;
  /** Resolves when the storage answers. */
  ping(): Promise<void>;
  /** Exactly one of time, step and id. */
  getAtOrBefore(threadId: string, point: HistoryPoint): Promise<CheckpointTuple | undefined>;
  copyThread(
    source: string,
    target: string,
    options?: { ifExists?: "error" | "merge" | "replace" },
  ): Promise<{ checkpoints: number }>;
  /** The config of the new thread, ready for `graph.invoke(null, config)`. */
  fork(
    config: RunnableConfig,
    options?: { edits?: Record<string, unknown>; threadId?: string },
  ): Promise<RunnableConfig>;
  deleteCheckpoints(
    threadId: string,
    checkpointIds: readonly string[],
    options?: { checkpointNs?: string; force?: boolean },
  ): Promise<{ checkpoints: number }>;
  deleteForRuns(runIds: readonly string[], options?: { force?: boolean }): Promise<{ checkpoints: number }>;
  prune(threadIds: readonly string[] | "all", policy: PrunePolicy): Promise<PruneReport>;
  verify(threadId?: string): Promise<{ intact: number; problems: readonly unknown[] }>;
}

/** Options of `listThreads`. */
export interface ThreadListOptions {
  /** Only threads whose id starts with this. */
  prefix?: string;
  /** Only threads with activity at this time or since. */
  updatedSince?: Date | number;
  /** At most so many. */
  limit?: number;
  /** The last id of the page before. */
  after?: string;
}

/** A thread, as `listThreads` and `threadInfo` describe it. */
export interface ThreadInfo {
  threadId: string;
  createdAt: Date;
  updatedAt: Date;
  namespaces: readonly string[];
  checkpoints: number;
  bytes: number;
  lastStep: number | undefined;
  lastSource: string | undefined;
}

/** A point of a thread's history, as `getAtOrBefore` takes it. */
export interface HistoryPoint {
  time?: Date | number;
  step?: number;
  checkpointId?: string;
  checkpointNs?: string;
}

/** What `prune` keeps, as savers that manage threads take it. */
export interface PrunePolicy {
  /** `"keep_latest"`: the newest checkpoint of each namespace. `"delete"`: none. */
  strategy?: "keep_latest" | "delete";
  /** So many of the newest of each namespace. */
  keepLast?: number;
  /** Milliseconds, or a time. */
  olderThan?: number | Date;
  /** The newest checkpoint at which a run had ended. */
  keepFinished?: boolean;
  /** Checkpoints that wait for an answer. */
  keepInterrupted?: boolean;
  /** Only reports what would be deleted. */
  dryRun?: boolean;
}

/** What `prune` deleted, and what stayed. */
export interface PruneReport {
  deleted: number;
  kept: number;
  bytes: number;
  threads: readonly {
    threadId: string;
    deleted: readonly { checkpointNs: string; checkpointId: string }[];
    kept: readonly { checkpointNs: string; checkpointId: string; reasons: readonly string[] }[];
    bytes: number;
  }[];
}
