import type { BaseCheckpointSaver, CheckpointMetadata, PendingWrite } from "@langchain/langgraph-checkpoint";
import { writesInPosition } from "@langgraph-savers/core";

import { configOf } from "../stores/store.js";
import type { Entry } from "./entry.js";

/** LangGraph 1.7 adds the task's path; savers that know nothing of it leave it aside. */
type PutWrites = (
  config: ReturnType<typeof configOf>,
  writes: PendingWrite[],
  taskId: string,
  taskPath?: string,
) => Promise<void>;

/**
 * Stores an entry as a graph would have: all channels as new, so that each value is stored whatever the target has of
 * the parent. The writes come first: a checkpoint is never to be seen without them.
 */
export async function putEntry(saver: BaseCheckpointSaver, threadId: string, entry: Entry): Promise<void> {
  const { namespace, parentId, checkpoint, metadata, tasks } = entry;
  const putWrites: PutWrites = saver.putWrites.bind(saver);
  await Promise.all(
    tasks.map(({ taskId, taskPath, writes }) =>
      putWrites(
        configOf(threadId, entry),
        writesInPosition(writes) as PendingWrite[],
        taskId,
        ...(taskPath === "" ? [] : [taskPath]),
      ),
    ),
  );
  const parent = configOf(threadId, { namespace, checkpointId: parentId ?? "" });
  if (parentId === undefined) delete parent.configurable["checkpoint_id"];
  // Savers that can delete the checkpoints of a run look for it where LangGraph has it.
  const runId: unknown = (metadata as Record<string, unknown> | undefined)?.["run_id"];
  const config = runId === undefined ? parent : { ...parent, metadata: { run_id: runId } };
  const versions = { ...checkpoint.channel_versions };
  await saver.put(config, checkpoint, (metadata ?? {}) as CheckpointMetadata, versions);
}
