import type { Chunk } from "@langgraph-savers/core";

import type { Backend } from "./backend.js";
import { hashBytes, toChunk, type ChunkDocument } from "./documents.js";
import { CHUNK, chunkKey } from "./keys.js";

/** A command is one document, and so at most 16 MB: it must hold the keys that it asks for, thread ids and all. */
const COMMAND_BYTES = 4 * 1024 * 1024;
const KEY_BYTES = 100;

/** The chunks, and in the same command those that the index chunks among them list. */
export async function getChunks(
  backend: Backend,
  threadId: string,
  generation: string,
  hashes: string[],
): Promise<Chunk[]> {
  const perCommand = Math.max(1, Math.floor(COMMAND_BYTES / (KEY_BYTES + threadId.length * 3)));
  const found: Chunk[] = [];
  for (let at = 0; at < hashes.length; at += perCommand) {
    const keys = hashes
      .slice(at, at + perCommand)
      .map((hash) => chunkKey(threadId, generation, hashBytes(hash)));
    const listed = {
      $map: {
        input: "$l",
        as: "hash",
        in: { t: { $literal: threadId }, k: CHUNK, g: { $literal: generation }, h: "$$hash" },
      },
    };
    const from = backend.collection.collectionName;
    const documents = await backend.aggregate<ChunkDocument>("reading values", [
      { $match: { _id: { $in: keys } } },
      {
        $unionWith: {
          coll: from,
          pipeline: [
            { $match: { _id: { $in: keys }, l: { $exists: true } } },
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
