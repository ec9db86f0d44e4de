import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import type { HistoryPoint } from "./at-or-before.js";
import type { CopyThreadOptions, CopyThreadResult } from "./copy-thread.js";
import type { DeleteCheckpointsOptions, DeletedCheckpoints } from "./delete-checkpoints.js";
import type { ForkOptions } from "./fork.js";
import type { ListThreadsOptions, StoreStats, ThreadInfo } from "./list-threads.js";
import type { PrunePolicy } from "./prune/policy.js";
import type { PruneReport, ThreadPruneReport } from "./prune/prune.js";
import type { VerifyReport } from "./verify.js";

/** What every saver of the pack can do with threads, beside what LangGraph asks for. */
export interface ThreadManager {
  /** Threads by ascending id, with their first and last activity, sizes and last step. */
  listThreads(options?: ListThreadsOptions): AsyncGenerator<ThreadInfo>;

  /** Whether the thread has a checkpoint. */
  exists(threadId: string): Promise<boolean>;

  /** What `listThreads` says of one thread. */
  threadInfo(threadId: string): Promise<ThreadInfo | undefined>;

  /** The checkpoint at a point of a thread's history: by time, step or id. */
  getAtOrBefore(threadId: string, point: HistoryPoint): Promise<CheckpointTuple | undefined>;

  /** Copies a thread: all namespaces, parents and writes, under the same ids. The copy shares nothing with the source. */
  copyThread(source: string, target: string, options?: CopyThreadOptions): Promise<CopyThreadResult>;

  /**
   * Makes a new thread that goes on from a checkpoint (or the newest one) of another, with edits if wanted. The result is
   * ready for `graph.invoke(null, config)`; the copy's metadata says in `forked_from` where it is from.
   */
  fork(config: RunnableConfig, options?: ForkOptions): Promise<RunnableConfig>;

  /**
   * Deletes checkpoints with their writes. Ids that are not there are passed over. Where none is left, the thread is in
   * no list: `deleteThread` gives its space back at once, and `prune` of its id an hour later.
   */
  deleteCheckpoints(
    threadId: string,
    checkpointIds: readonly string[],
    options?: DeleteCheckpointsOptions,
  ): Promise<DeletedCheckpoints>;

  /** Deletes what these runs put, in every thread: LangGraph's `run_id`, from the metadata of the run's config. */
  deleteForRuns(
    runIds: readonly string[],
    options?: Pick<DeleteCheckpointsOptions, "force">,
  ): Promise<DeletedCheckpoints>;

  /**
   * Deletes what a policy does not keep, of these threads or of all, beside running graphs. The space of values goes back
   * with a later call, once nothing has needed them for an hour. `onThread` is called as each thread is done.
   */
  prune(
    threadIds: readonly string[] | "all",
    policy: PrunePolicy,
    onThread?: (report: ThreadPruneReport) => void,
  ): Promise<PruneReport>;

  /** Counts of the whole store. */
  stats(): Promise<StoreStats>;

  /** Resolves when the backend answers. */
  ping(): Promise<void>;

  /** Reads everything that is stored of a thread, or of all, and reports what is missing or damaged. Changes nothing. */
  verify(threadId?: string, onThread?: (threadId: string) => void): Promise<VerifyReport>;
}
