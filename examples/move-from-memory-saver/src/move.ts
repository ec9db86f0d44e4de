import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { ReplicatedSaver } from "@langgraph-savers/core";

/**
 * Copies every thread of the source: all namespaces, each checkpoint with its id, parent, versions, values and metadata,
 * and the writes that wait. What the target has already is not copied again, so a second call tells whether all of it is
 * there: it copies nothing. Threads that only the target has are left alone.
 */
export async function copyThreads(source: BaseCheckpointSaver, target: BaseCheckpointSaver) {
  const threads = new Set<string>();
  for await (const { config } of source.list({})) threads.add(String(config.configurable?.["thread_id"]));
  // Two savers as one can be compared and made equal; that they would also replicate is not needed here.
  await using both = new ReplicatedSaver({ primary: source, secondary: target, mode: "sync" });
  const copied = { threads: threads.size, checkpoints: 0, writes: 0 };
  for (const thread of threads) {
    const { toSecondary } = await both.resync(thread);
    copied.checkpoints += toSecondary.checkpoints;
    copied.writes += toSecondary.writes;
  }
  return copied;
}
