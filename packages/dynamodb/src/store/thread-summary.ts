import { compareIds, type ThreadSummary } from "@langgraph-savers/core";

import type { Table } from "../table/table.js";
import { isPart } from "./chunks.js";
import type { Expiry } from "./expiry.js";
import { bytesOfBodies, checkpointOf, chunkBytes, isCheckpoint } from "./items.js";
import { CHECKPOINTS, CHUNKS, threadKey, within } from "./keys.js";

/**
 * What a thread holds; undefined where it has no checkpoint. Takes the read units of all of it: nothing that grows with a
 * thread is kept up to date on the write path.
 */
export async function summarise(
  table: Table,
  expiry: Expiry,
  threadId: string,
): Promise<ThreadSummary | undefined> {
  const summary: ThreadSummary = {
    threadId,
    createdAt: Infinity,
    updatedAt: -Infinity,
    namespaces: [],
    checkpoints: 0,
    bytes: 0,
    last: {},
  };
  const namespaces = new Set<string>();
  const PK = threadKey(threadId);
  for await (const items of table.range(PK, within(CHECKPOINTS))) {
    for (const item of items.filter((each) => !expiry.hides(each))) {
      summary.bytes += bytesOfBodies(item);
      if (!isCheckpoint(item)) continue;
      const { namespace, createdAt, labels } = checkpointOf(item);
      namespaces.add(namespace);
      summary.checkpoints += 1;
      summary.createdAt = Math.min(summary.createdAt, createdAt);
      if (createdAt < summary.updatedAt) continue;
      summary.updatedAt = createdAt;
      summary.last = labels;
    }
  }
  if (summary.checkpoints === 0) return undefined;
  for await (const items of table.range(PK, within(CHUNKS), ["SK", "l", "ttl"])) {
    // The parts of a body that is too large for its item were counted with it.
    for (const item of items.filter((each) => !expiry.hides(each) && !isPart(each["SK"]!.S!)))
      summary.bytes += chunkBytes(item);
  }
  summary.namespaces = [...namespaces].toSorted(compareIds);
  return summary;
}
