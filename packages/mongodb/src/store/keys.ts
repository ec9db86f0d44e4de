import type { CheckpointKey, CheckpointSelector } from "@langgraph-savers/core";

/**
 * What a document is. All documents of the saver live in one collection under composite `_id`s, thread first: unique
 * by construction, in the order in which they are read, and a sharded cluster keeps a thread in one place.
 *
 * The thread's own document sorts before the rest, so that one range holds all that a deletion removes.
 */
export const THREAD = "a";
export const CHUNK = "b";
export const RELEASE = "d";
export const MIGRATION = "m";
export const RECORD = "r";
export const WRITES = "w";

export interface ThreadId {
  t: string;
  k: typeof THREAD;
}

export interface ChunkId {
  t: string;
  k: typeof CHUNK;
  g: string;
  h: Uint8Array;
}

/** What deleted checkpoints referred to. */
export interface ReleaseId {
  t: string;
  k: typeof RELEASE;
  /** A name of its own. */
  u: string;
}

export interface RecordId {
  t: string;
  k: typeof RECORD;
  n: string;
  i: string;
}

export interface WritesId {
  t: string;
  k: typeof WRITES;
  n: string;
  i: string;
  /** The task. */
  w: string;
}

/** How far a migration has come: of no thread, and in nobody's way. */
export interface MigrationId {
  t: "";
  k: typeof MIGRATION;
  /** Where it copies from. */
  s: string;
}

/** Sorts after every string, in every place where an id may stand. */
const ABOVE_STRINGS = {};

export function threadKey(threadId: string): ThreadId {
  return { t: threadId, k: THREAD };
}

export function chunkKey(threadId: string, generation: string, hash: Uint8Array): ChunkId {
  return { t: threadId, k: CHUNK, g: generation, h: hash };
}

export function releaseKey(threadId: string, name: string): ReleaseId {
  return { t: threadId, k: RELEASE, u: name };
}

export function recordKey({ threadId, namespace, checkpointId }: CheckpointKey): RecordId {
  return { t: threadId, k: RECORD, n: namespace, i: checkpointId };
}

export function writesKey({ threadId, namespace, checkpointId }: CheckpointKey, taskId: string): WritesId {
  return { t: threadId, k: WRITES, n: namespace, i: checkpointId, w: taskId };
}

/** Keys of one thread, in the order in which they are stored. */
export interface KeyRange {
  $gte: KeyPart;
  $lt: KeyPart;
}

interface KeyPart {
  t: string;
  [field: string]: unknown;
}

/**
 * The filter for keys of one thread. The range alone would say it, but not to the router of a sharded cluster: it sends
 * a command to one shard only where the thread is named by itself.
 */
export function inThread<T extends object>(threadId: string, _id: T): { "_id.t": string; _id: T } {
  return { "_id.t": threadId, _id };
}

/** The checkpoints of a namespace, or those whose id is less than `before`. */
export function recordRange({ threadId, namespace }: CheckpointSelector, before?: string): KeyRange {
  const of = (i: unknown) => ({ t: threadId, k: RECORD, n: namespace, i });
  return { $gte: of(""), $lt: of(before ?? ABOVE_STRINGS) };
}

/** The writes of one checkpoint. */
export function writesRange({ threadId, namespace, checkpointId }: CheckpointKey): KeyRange {
  const of = (w: unknown) => ({ t: threadId, k: WRITES, n: namespace, i: checkpointId, w });
  return { $gte: of(""), $lt: of(ABOVE_STRINGS) };
}

/** All of a thread but its own document. */
export function contentRange(threadId: string): KeyRange {
  return { $gte: { t: threadId, k: CHUNK }, $lt: { t: threadId, k: ABOVE_STRINGS } };
}

/** What may refer to chunks: checkpoints and writes. */
export function referrersRange(threadId: string): KeyRange {
  return { $gte: { t: threadId, k: RECORD }, $lt: { t: threadId, k: ABOVE_STRINGS } };
}

export function releasesRange(threadId: string): KeyRange {
  return { $gte: { t: threadId, k: RELEASE }, $lt: { t: threadId, k: RELEASE, u: ABOVE_STRINGS } };
}

/** The chunks of one generation. */
export function chunksRange(threadId: string, generation: string): KeyRange {
  const chunks = { t: threadId, k: CHUNK, g: generation };
  // Truth values sort after all bytes.
  return { $gte: chunks, $lt: { ...chunks, h: false } };
}
