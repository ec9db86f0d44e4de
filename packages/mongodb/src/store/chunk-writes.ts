import type { AnyBulkWriteOperation, Document } from "mongodb";

import type { Backend } from "./backend.js";
import { batches } from "./batches.js";
import type { ChunkDocument, StoredDocument } from "./documents.js";
import { inThread } from "./keys.js";

/** Far below the 48 MB of a message. */
const COMMAND_BYTES = 8 * 1024 * 1024;
const KEY_BYTES = 256;
/** Chunks that travel in the same command as their record. */
const MAX_UPSERTS = 32;

/** True for chunks that go into one command with the record that refers to them. */
export function areFew(chunks: ChunkDocument[]): boolean {
  const bytes = chunks.reduce((sum, chunk) => sum + bytesOf(chunk), 0);
  return chunks.length <= MAX_UPSERTS && bytes <= COMMAND_BYTES;
}

/** Stores a chunk, or renews the time of one that is there: from then on it is not collected. */
export function upsertOf(chunk: ChunkDocument): AnyBulkWriteOperation<StoredDocument> {
  const { _id, a: _sent, e: _expires, ...content } = chunk;
  const update = { $setOnInsert: content, $max: renewed(chunk) };
  return { updateOne: { filter: { _id }, update, upsert: true } };
}

/**
 * Many chunks, in commands of their own before the one that makes them visible: an insert takes the server a tenth
 * of an upsert's time. Those of a generation that turns out to be over are seen by nobody.
 */
export async function insertChunks(
  backend: Backend,
  operation: string,
  chunks: ChunkDocument[],
): Promise<void> {
  for (const batch of batches(chunks, { maxBytes: COMMAND_BYTES }, bytesOf)) {
    let missing = batch;
    do {
      const there = await backend.insert(operation, missing);
      // Collected between the two commands, one of them has to be inserted after all.
      missing = (await renew(backend, operation, there)) ? [] : there;
    } while (missing.length > 0);
  }
}

/** False if not all of them were there any more. */
async function renew(backend: Backend, operation: string, chunks: ChunkDocument[]): Promise<boolean> {
  const [first] = chunks;
  if (first === undefined) return true;
  const keys = inThread(first._id.t, { $in: chunks.map(({ _id }) => _id) });
  const { matchedCount } = await backend.run(operation, () =>
    backend.collection.updateMany(keys, { $max: renewed(first) }),
  );
  return matchedCount === chunks.length;
}

function renewed({ a, e }: ChunkDocument): Document {
  return { a, ...(e === undefined ? {} : { e }) };
}

function bytesOf({ _id, d, l = [] }: ChunkDocument): number {
  return KEY_BYTES + _id.t.length * 3 + (d?.byteLength ?? 0) + l.length * (KEY_BYTES / 8);
}
