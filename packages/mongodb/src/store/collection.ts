import { listedHashes, reachable, type Collected } from "@langgraph-savers/core";
import type { Document } from "mongodb";

import type { Backend } from "./backend.js";
import { batches, keysPerCommand } from "./batches.js";
import { hashBytes, hashName, type ChunkDocument, type Prior, type StoredDocument } from "./documents.js";
import { chunkKey, chunksRange, inThread, referrersRange, RELEASE, releasesRange } from "./keys.js";
import { priorsSince } from "./priors.js";
import { CHUNK_BYTES } from "./sizes.js";
import { FROM_PRIMARY } from "./still-there.js";
import { readState } from "./thread-state.js";

export const BY_RELEASE = "savers_released";

const OPERATION = "the collection of chunks";
/** Documents per command. */
const PAGE = 5000;

type Id = StoredDocument["_id"];

/** One thread, in one generation, up to one moment. */
interface Task {
  backend: Backend;
  threadId: string;
  generation: string;
  before: number;
  page: number;
}

/** Removes what nothing needs any more; one command where nothing was released before `before`. */
export async function collectChunks(backend: Backend, threadId: string, before: number): Promise<Collected> {
  const collected: Collected = { chunks: 0, bytes: 0 };
  const released = await releasedBefore(backend, threadId, before);
  if (released.length === 0) return collected;
  const { generation, expired } = await readState(backend, threadId);
  const due = released.filter(({ g }) => g === generation).map(({ _id }) => _id);
  if (expired || due.length === 0) return collected;
  const page = Math.min(PAGE, keysPerCommand(threadId));
  const task: Task = { backend, threadId, generation, before, page };
  const needed = await referredTo(task);
  for (const batch of batches(await unneeded(task, needed), { maxItems: page })) {
    for (const bytes of await remove(task, new Map(batch))) {
      collected.chunks += 1;
      collected.bytes += bytes;
    }
  }
  await forget(task, due);
  return collected;
}

/** Documents that remember something from before then: releases, and what was replaced. */
async function releasedBefore(
  backend: Backend,
  threadId: string,
  before: number,
): Promise<{ _id: Id; g: string }[]> {
  return backend.aggregate(
    OPERATION,
    [{ $match: { "_id.t": threadId, "m.a": { $lt: before } } }, { $project: { g: 1 } }],
    { hint: BY_RELEASE, ...FROM_PRIMARY },
  );
}

/**
 * What records and slots refer to, or lately referred to. The releases are read last: whatever was deleted before it was
 * seen here has left its release before that.
 */
async function referredTo({ backend, threadId, generation, before, page }: Task): Promise<Set<string>> {
  const needed = new Set<string>();
  const add = (refs: readonly Uint8Array[]) => {
    for (const packed of refs) for (const hash of listedHashes(packed)) needed.add(hash);
  };
  const addYoung = (priors: readonly Prior[] = []) => {
    for (const { a, c } of priors) if (a >= before) add(c);
  };
  type Referrer = { _id: Id; c?: Uint8Array; s?: Uint8Array[]; m?: Prior[] };
  const fields = { c: 1, s: "$s.c", m: 1 };
  for (const range of [referrersRange(threadId), releasesRange(threadId)]) {
    for await (const found of backend.pages<Referrer>(OPERATION, range, { g: generation }, fields, page)) {
      for (const { c, s = [], m } of found) {
        add(c === undefined ? s : [c]);
        addYoung(m);
      }
    }
  }
  return needed;
}

/** The sizes of chunks by hash that are old enough, and that neither these are nor their index chunks list. */
async function unneeded(
  { backend, threadId, generation, before, page }: Task,
  referred: Set<string>,
): Promise<[hash: string, bytes: number][]> {
  const old = new Map<string, number>();
  const lists = new Map<string, Uint8Array>();
  type Stored = Pick<ChunkDocument, "_id" | "a" | "l"> & { bytes: number };
  const fields = { a: 1, l: 1, bytes: CHUNK_BYTES };
  const range = chunksRange(threadId, generation);
  for await (const found of backend.pages<Stored>(OPERATION, range, {}, fields, page)) {
    for (const { _id, a = 0, l, bytes } of found) {
      const hash = hashName(_id.h);
      if (l !== undefined) lists.set(hash, Buffer.concat(l));
      if (a < before) old.set(hash, bytes);
    }
  }
  const needed = reachable(referred, (hash) => {
    const list = lists.get(hash);
    return list === undefined ? undefined : listedHashes(list);
  });
  return [...old].filter(([hash]) => !needed.has(hash));
}

/** Those that were not sent again meanwhile; the sizes of those that are gone. */
async function remove(
  { backend, threadId, generation, before }: Task,
  chunks: Map<string, number>,
): Promise<Iterable<number>> {
  const keys = [...chunks.keys()].map((hash) => chunkKey(threadId, generation, hashBytes(hash)));
  const these = inThread(threadId, { $in: keys }) as Document;
  const { deletedCount } = await backend.run(OPERATION, () =>
    backend.collection.deleteMany({ ...these, a: { $not: { $gte: before } } }),
  );
  if (deletedCount < chunks.size) {
    const left = await backend.run(OPERATION, () =>
      backend.collection.find<ChunkDocument>(these, { projection: { _id: 1 }, ...FROM_PRIMARY }).toArray(),
    );
    for (const { _id } of left) chunks.delete(hashName(_id.h));
  }
  return chunks.values();
}

/** Last, so that a collection that was interrupted is done again. */
async function forget({ backend, threadId, before, page }: Task, due: Id[]): Promise<void> {
  const bytesOf = (id: Id) => Buffer.byteLength(JSON.stringify(id));
  for (const ids of batches(due, { maxItems: page }, bytesOf)) {
    const these = inThread(threadId, { $in: ids }) as Document;
    await backend.run(OPERATION, () =>
      backend.collection.deleteMany({ ...these, "_id.k": RELEASE, "m.a": { $not: { $gte: before } } }),
    );
    await backend.run(OPERATION, () =>
      backend.collection.updateMany({ ...these, "m.a": { $lt: before } }, [
        { $set: { m: priorsSince(before) } },
      ]),
    );
  }
}
