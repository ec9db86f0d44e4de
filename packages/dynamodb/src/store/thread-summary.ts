import { ThreadSum, type ThreadSummary } from "@langgraph-savers/core";

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
  const sum = new ThreadSum();
  const PK = threadKey(threadId);
  for await (const items of table.range(PK, within(CHECKPOINTS))) {
    for (const item of items.filter((each) => !expiry.hides(each))) {
      sum.bytes += bytesOfBodies(item);
      if (isCheckpoint(item)) sum.add(checkpointOf(item));
    }
  }
  const summary = sum.of(threadId);
  if (summary === undefined) return undefined;
  for await (const items of table.range(PK, within(CHUNKS), ["SK", "l", "ttl"])) {
    // The parts of a body that is too large for its item were counted with it.
    for (const item of items.filter((each) => !expiry.hides(each) && !isPart(each["SK"]!.S!)))
      summary.bytes += chunkBytes(item);
  }
  return summary;
}
