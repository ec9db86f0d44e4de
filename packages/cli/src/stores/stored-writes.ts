import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { TaskWrites } from "@langgraph-savers/core";

/** A write as the official savers keep it, in a row or document of its own. */
export interface StoredWrite {
  task_id: string;
  idx: number;
  channel: string;
  type: string | null;
  value: Uint8Array | null;
}

/** The writes of one checkpoint, ordered by task and idx, loaded as the saver itself would. */
export async function groupByTask(
  rows: readonly StoredWrite[],
  { serde }: BaseCheckpointSaver,
): Promise<TaskWrites[]> {
  const tasks = new Map<string, TaskWrites>();
  for (const { task_id: taskId, idx, channel, type, value } of rows) {
    const task = tasks.get(taskId) ?? { taskId, taskPath: "", writes: [] };
    tasks.set(taskId, task);
    // Without a unique index the same write may be there twice.
    if (task.writes.some((write) => write.idx === idx)) continue;
    task.writes.push({ idx, channel, value: await serde.loadsTyped(type ?? "json", value ?? "") });
  }
  return [...tasks.values()];
}
