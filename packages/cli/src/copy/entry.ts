import type { Checkpoint, CheckpointMetadata, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { taskWritesOf, type TaskWrites } from "@langgraph-savers/core";

import { nameOf, type CheckpointName, type OpenStore } from "../stores/store.js";

/** A checkpoint with all that belongs to it, on its way from one store to another. */
export interface Entry extends CheckpointName {
  parentId: string | undefined;
  checkpoint: Checkpoint;
  metadata: CheckpointMetadata | undefined;
  tasks: TaskWrites[];
}

export async function entryOf(tuple: CheckpointTuple, store: OpenStore): Promise<Entry> {
  const parentId: unknown = tuple.parentConfig?.configurable?.["checkpoint_id"];
  const hasWrites = (tuple.pendingWrites ?? []).length > 0;
  return {
    ...nameOf(tuple),
    parentId: typeof parentId === "string" && parentId !== "" ? parentId : undefined,
    checkpoint: tuple.checkpoint,
    metadata: tuple.metadata,
    tasks: hasWrites ? await (store.taskWrites?.(tuple) ?? taskWritesOf(tuple)) : [],
  };
}
