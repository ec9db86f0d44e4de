import { randomUUID } from "node:crypto";

import type { CheckpointName, Deleted } from "@langgraph-savers/core";
import type { AnyBulkWriteOperation, Document } from "mongodb";

import type { Backend } from "./backend.js";
import { batches } from "./batches.js";
import { isRecord, type Prior, type ReleaseDocument, type StoredDocument } from "./documents.js";
import type { Expiry } from "./expiry.js";
import {
  RECORD,
  releaseKey,
  threadKey,
  WRITES,
  type RecordId,
  type ReleaseId,
  type WritesId,
} from "./keys.js";
import { BY_THREAD } from "./listing.js";
import { BODY_BYTES } from "./sizes.js";
import { FROM_PRIMARY } from "./still-there.js";
import { readState } from "./thread-state.js";

const OPERATION = "the deletion of checkpoints";
/** Checkpoints per round of commands. */
const BATCH = 500;
/** References per release, far below the 16 MB of a document. */
const RELEASE_BYTES = 1024 * 1024;
/** How long a release counts as of this moment whose deletion never said when it was through: its process ended. */
const PENDING_MS = 24 * 60 * 60_000;

interface Parts {
  backend: Backend;
  expiry: Expiry;
}

/** A record or the writes of a task, by what they refer to. */
interface Referrer {
  _id: RecordId | WritesId;
  /** Of a record. */
  c?: Uint8Array;
  /** Of each slot. */
  s?: Uint8Array[];
  m?: Prior[];
  bytes: number;
}

/**
 * Records first, then their writes; before both, a note of all that they refer to. When they went is only known after
 * it: until then the note is of a moment to come, so that nothing is collected which a reader may just have seen. A reader
 * that found a record and not all of its writes any more learns from the thread's document that it has to look again.
 */
export async function deleteCheckpoints(
  parts: Parts,
  threadId: string,
  names: readonly CheckpointName[],
): Promise<Deleted> {
  const { generation, expired } = await readState(parts.backend, threadId);
  const deleted: Deleted = { checkpoints: 0, bytes: 0 };
  if (expired) return deleted;
  for (const batch of batches(names, { maxItems: BATCH }, sizeOfName)) {
    for (const { _id, bytes } of await deleteBatch(parts, threadId, generation, batch)) {
      if (_id.k === RECORD) deleted.checkpoints += 1;
      deleted.bytes += bytes;
    }
  }
  return deleted;
}

/** What was there of these checkpoints, all of it gone. Whatever is changed meanwhile is looked at again. */
async function deleteBatch(
  parts: Parts,
  threadId: string,
  generation: string,
  names: CheckpointName[],
): Promise<Iterable<Referrer>> {
  const gone = new Map<string, Referrer>();
  const releases: ReleaseId[] = [];
  for (;;) {
    const found = await find(parts.backend, threadId, generation, names);
    for (const referrer of found) gone.set(JSON.stringify(referrer._id), referrer);
    releases.push(...(await release(parts, threadId, generation, found)));
    if (!(await remove(parts.backend, generation, found.filter(isRecord)))) continue;
    const writes = found.filter(({ _id }) => _id.k === WRITES);
    await announce(parts.backend, threadId, releases, writes.length > 0);
    if (await remove(parts.backend, generation, writes)) return gone.values();
  }
}

async function find(
  backend: Backend,
  threadId: string,
  generation: string,
  names: CheckpointName[],
): Promise<Referrer[]> {
  const each = (of: (name: CheckpointName) => string) => ({ $in: [...new Set(names.map(of))] });
  const found = await backend.aggregate<Referrer>(
    OPERATION,
    [
      {
        $match: {
          "_id.t": threadId,
          "_id.k": { $in: [RECORD, WRITES] },
          "_id.i": each(({ checkpointId }) => checkpointId),
          "_id.n": each(({ namespace }) => namespace),
          g: generation,
        },
      },
      { $project: { c: 1, s: "$s.c", m: 1, bytes: BODY_BYTES } },
    ],
    { hint: BY_THREAD, ...FROM_PRIMARY },
  );
  const wanted = new Set(
    names.map(({ namespace, checkpointId }) => JSON.stringify([namespace, checkpointId])),
  );
  return found.filter(({ _id: { n, i } }) => wanted.has(JSON.stringify([n, i])));
}

function sizeOfName({ namespace, checkpointId }: CheckpointName): number {
  return (namespace.length + checkpointId.length) * 3;
}

function sizeOfPrior({ c }: Prior): number {
  return c.reduce((sum, { byteLength }) => sum + byteLength + 20, 40);
}

/** Remembers, durably and before anything goes, what it refers to. Returns the keys of these notes. */
async function release(
  { backend, expiry }: Parts,
  threadId: string,
  generation: string,
  found: Referrer[],
): Promise<ReleaseId[]> {
  const a = Date.now() + PENDING_MS;
  const priors = found.flatMap(({ c, s = [], m = [] }) => {
    const refs = (c === undefined ? s : [c]).filter(({ byteLength }) => byteLength > 0);
    return refs.length === 0 ? m : [{ a, c: refs }, ...m];
  });
  const keys: ReleaseId[] = [];
  for (const m of batches(priors, { maxBytes: RELEASE_BYTES }, sizeOfPrior)) {
    const _id = releaseKey(threadId, randomUUID());
    const document: ReleaseDocument = { _id, g: generation, m, ...expiry.stamp() };
    await backend.insert(OPERATION, [document]);
    keys.push(_id);
  }
  return keys;
}

/** Only if they still refer to what was remembered; false if one of them does not, or may not. */
async function remove(backend: Backend, generation: string, referrers: Referrer[]): Promise<boolean> {
  if (referrers.length === 0) return true;
  const statements = referrers.map(({ _id, c, s, m }): AnyBulkWriteOperation<StoredDocument> => {
    const refs = c === undefined ? { $expr: { $eq: ["$s.c", { $literal: s }] } } : { c };
    const filter: Document = { _id, g: generation, ...refs, m: m ?? { $exists: false } };
    return { deleteOne: { filter } };
  });
  const { deletedCount } = await backend.run(OPERATION, () =>
    backend.collection.bulkWrite(statements, { ordered: false }),
  );
  return deletedCount === statements.length;
}

/**
 * The records are gone. From now on what they referred to grows old, and readers that have seen one of them look again
 * whether it is there, where it had writes.
 */
async function announce(
  backend: Backend,
  threadId: string,
  releases: ReleaseId[],
  hadWrites: boolean,
): Promise<void> {
  const now = Date.now();
  const statements: AnyBulkWriteOperation<StoredDocument>[] = [
    ...(hadWrites
      ? [{ updateOne: { filter: { _id: threadKey(threadId) }, update: { $currentDate: { d: true } } } }]
      : []),
    ...releases.map((_id) => ({ updateOne: { filter: { _id }, update: { $min: { "m.$[].a": now } } } })),
  ] as AnyBulkWriteOperation<StoredDocument>[];
  if (statements.length === 0) return;
  await backend.run(OPERATION, () => backend.collection.bulkWrite(statements, { ordered: true }));
}
