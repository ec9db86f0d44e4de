import {
  StoredDataError,
  type CheckpointSelector,
  type StoredCheckpoint,
  type ThreadSummary,
} from "@langgraph-savers/core";

import { bodyBytes, type Location } from "./frame.js";
import type { ThreadLog } from "./thread-log.js";

/** A checkpoint with its writes, out of the log that holds them. */
export function readStored(log: ThreadLog, selector: CheckpointSelector): StoredCheckpoint {
  assertReadable(log);
  const { threadId, namespace } = selector;
  const { checkpointId, checkpoint, writes } = log.state.records.get(namespace, selector.checkpointId);
  const stored: StoredCheckpoint = {
    ...selector,
    generation: log.state.generation,
    checkpoint: undefined,
    writes: [],
  };
  if (checkpointId === undefined) return stored;
  stored.checkpointId = checkpointId;
  if (checkpoint !== undefined) stored.checkpoint = { ...checkpoint, body: bodyOf(log, checkpoint.body) };
  stored.writes = writes.map(({ taskId, slots }) => ({
    threadId,
    namespace,
    checkpointId,
    taskId,
    slots: slots.map((slot) => ({ ...slot, body: bodyOf(log, slot.body) })),
  }));
  return stored;
}

/** None for one that is known to be damaged: what is left of it could pass for something else, such as a newer format. */
function bodyOf(log: ThreadLog, place: Location): Uint8Array {
  return log.state.isDamaged(place) ? new Uint8Array() : log.readBody(place);
}

/**
 * A stretch that cannot be read may hide any checkpoint of the thread, a newer version of it, or writes that belong to
 * it: nothing is answered from what is left as if it were all there was.
 */
export function assertReadable({ state, threadId, name }: ThreadLog): void {
  if (state.lost.length === 0) return;
  throw new StoredDataError(
    "CHECKPOINT_DAMAGED",
    `The log ${JSON.stringify(name.path)} of thread ${JSON.stringify(threadId)} is damaged in ${state.lost.length} place(s). ` +
      "Restore it from a backup, or call `repair` to go on with what is intact.",
    { threadId },
  );
}

/** Undefined for a thread without a checkpoint. */
export function summaryOf({ state, threadId }: ThreadLog): ThreadSummary | undefined {
  const summary = state.records.summary(threadId, bodyBytes);
  if (summary !== undefined) for (const chunk of state.chunks.values()) summary.bytes += bodyBytes(chunk);
  return summary;
}
