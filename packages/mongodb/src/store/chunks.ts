import type { Chunk } from "@langgraph-savers/core";

import type { Backend } from "./backend.js";
import { batches, keysPerCommand } from "./batches.js";
import { hashBytes, toChunk, type ChunkDocument } from "./documents.js";
import { CHUNK, chunkKey, inThread } from "./keys.js";

/** The chunks, and in the same command those that the index chunks among them list. */
export async function getChunks(
  backend: Backend,
  threadId: string,
  generation: string,
  hashes: string[],
): Promise<Chunk[]> {
  const found: Chunk[] = [];
  for (const batch of batches(hashes, { maxItems: keysPerCommand(threadId) })) {
    const keys = batch.map((hash) => chunkKey(threadId, generation, hashBytes(hash)));
    const listed = {
      $map: {
        input: "$l",
        as: "hash",
        in: { t: { $literal: threadId }, k: CHUNK, g: { $literal: generation }, h: "$$hash" },
      },
    };
    const from = backend.collection.collectionName;
    const documents = await backend.aggregate<ChunkDocument>("reading values", [
      { $match: inThread(threadId, { $in: keys }) },
      {
        $unionWith: {
          coll: from,
          pipeline: [
            { $match: { ...inThread(threadId, { $in: keys }), l: { $exists: true } } },
            { $project: { l: listed } },
            { $lookup: { from, localField: "l", foreignField: "_id", as: "listed" } },
            { $unwind: "$listed" },
            { $replaceRoot: { newRoot: "$listed" } },
          ],
        },
      },
    ]);
    for (const document of documents) found.push(toChunk(document));
  }
  return found;
}
