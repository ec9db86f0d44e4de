import type { RunnableConfig } from "@langchain/core/runnables";
import type {
  BaseCheckpointSaver,
  CheckpointListOptions,
  CheckpointTuple,
  PendingWrite,
} from "@langchain/langgraph-checkpoint";

export function configOf(
  threadId?: unknown,
  checkpointId?: unknown,
  namespace: unknown = "",
): RunnableConfig {
  const configurable: Record<string, unknown> = { checkpoint_ns: namespace };
  if (threadId !== undefined) configurable["thread_id"] = threadId;
  if (checkpointId !== undefined) configurable["checkpoint_id"] = checkpointId;
  return { configurable };
}

/** `putWrites` as LangGraph 1.7 calls it, with the path of the task. */
export type PutWritesWithPath = (
  config: RunnableConfig,
  writes: PendingWrite[],
  taskId: string,
  taskPath?: string,
) => Promise<void>;

export async function listAll(
  saver: BaseCheckpointSaver,
  config: RunnableConfig,
  options?: CheckpointListOptions,
): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list(config, options)) tuples.push(tuple);
  return tuples;
}
