import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { describe, expect, expectTypeOf, it } from "vitest";

import {
  InMemorySaver,
  type HistoryPoint,
  type PrunePolicy,
  type PruneReport,
  type StoreStats,
  type ThreadInfo,
  type ThreadManager,
  type VerifyReport,
} from "../../src/index.js";

/** What scripts rely on: every call of these forms goes on compiling. */
interface Promised {
  listThreads(options?: {
    prefix?: string;
    updatedSince?: Date | number;
    limit?: number;
    after?: string;
  }): AsyncGenerator<ThreadInfo>;
  exists(threadId: string): Promise<boolean>;
  threadInfo(threadId: string): Promise<ThreadInfo | undefined>;
  getAtOrBefore(
    threadId: string,
    point: { time?: Date | number; step?: number; checkpointId?: string; checkpointNs?: string },
  ): Promise<CheckpointTuple | undefined>;
  copyThread(source: string, target: string, options?: object): Promise<{ checkpoints: number }>;
  fork(
    config: RunnableConfig,
    options?: { edits?: Record<string, unknown>; threadId?: string },
  ): Promise<RunnableConfig>;
  deleteCheckpoints(
    threadId: string,
    checkpointIds: string[],
    options?: object,
  ): Promise<{ checkpoints: number }>;
  deleteForRuns(runIds: string[]): Promise<{ checkpoints: number }>;
  prune(threadIds: string[] | "all", policy: PrunePolicy): Promise<PruneReport>;
  stats(): Promise<StoreStats>;
  ping(): Promise<void>;
  verify(threadId?: string): Promise<VerifyReport>;
}

describe("the signatures of the thread operations", () => {
  it("are those that scripts rely on", () => {
    expectTypeOf<ThreadManager>().toExtend<Promised>();
    expectTypeOf<InMemorySaver>().toExtend<ThreadManager>();
    expectTypeOf<ThreadInfo>().toExtend<{
      threadId: string;
      createdAt: Date;
      updatedAt: Date;
      namespaces: string[];
      checkpoints: number;
      bytes: number;
      lastStep: number | undefined;
      lastSource: string | undefined;
    }>();
    expectTypeOf<PrunePolicy>().toExtend<{
      keepLast?: number;
      olderThan?: number | Date;
      keepFinished?: boolean;
      keepInterrupted?: boolean;
      strategy?: "keep_latest" | "delete";
      dryRun?: boolean;
    }>();
    expectTypeOf<HistoryPoint>().toExtend<{ time?: Date | number; step?: number; checkpointId?: string }>();
    const saver: Promised = new InMemorySaver();
    expect(saver).toBeInstanceOf(InMemorySaver);
  });
});
