import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { ReplicatedSaver, type ResyncReport } from "@langgraph-savers/core";

/**
 * Makes the target hold what the source holds: every thread and namespace, each checkpoint with its id, parent, versions,
 * values and metadata, and the writes that wait. What the target has already is not copied again, so a second call tells
 * whether all of it is there: it copies nothing.
 */
export async function copyAll(
  source: BaseCheckpointSaver,
  target: BaseCheckpointSaver,
): Promise<ResyncReport> {
  // Two savers as one can be compared and made equal; that they would also replicate is not needed here.
  await using both = new ReplicatedSaver({ primary: source, secondary: target, mode: "sync" });
  return both.resync(undefined, { from: "primary" });
}
