import type { RunnableConfig } from "@langchain/core/runnables";
import type { Checkpoint, PendingWrite } from "@langchain/langgraph-checkpoint";

import type { CheckpointKey } from "../store/port.js";
import { invalid, kindOf, readIds, readString, requireThreadId } from "./config.js";

/** What `put` was given, checked: the checkpoint's place, and the id of its parent. */
export function readPut(
  config: RunnableConfig,
  checkpoint: Checkpoint,
): { key: CheckpointKey; parentId: string | undefined } {
  const ids = readIds("put", config);
  const threadId = requireThreadId("put", ids);
  const checkpointId = readString("put", "checkpoint.id", checkpoint?.id);
  if (!checkpointId) throw invalid("put", "`checkpoint.id` must be a non-empty string");
  return { key: { threadId, namespace: ids.namespace ?? "", checkpointId }, parentId: ids.checkpointId };
}

/** What `putWrites` was given, checked: the checkpoint's place, and the task's path. */
export function readPutWrites(
  config: RunnableConfig,
  writes: PendingWrite[],
  taskId: string,
  taskPath: string | undefined,
): { key: CheckpointKey; taskPath: string } {
  const ids = readIds("putWrites", config);
  const threadId = requireThreadId("putWrites", ids);
  const { namespace = "", checkpointId } = ids;
  if (checkpointId === undefined)
    throw invalid("putWrites", "`config.configurable.checkpoint_id` is missing");
  if (readString("putWrites", "taskId", taskId) === undefined)
    throw invalid("putWrites", "`taskId` is missing");
  const path = readString("putWrites", "taskPath", taskPath) ?? "";
  if (!Array.isArray(writes)) throw invalid("putWrites", `\`writes\` must be a list, not ${kindOf(writes)}`);
  for (const write of writes as unknown[]) {
    if (!Array.isArray(write) || typeof write[0] !== "string") {
      throw invalid("putWrites", "each of `writes` must be [channel, value] with a string as channel");
    }
  }
  return { key: { threadId, namespace, checkpointId }, taskPath: path };
}
