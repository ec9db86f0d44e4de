import {
  listedHashes,
  type CheckpointRecord,
  type Chunk,
  type Labels,
  type WriteSlot,
  type WritesRecord,
} from "@langgraph-savers/core";

import {
  chunkKey,
  RECORD,
  recordKey,
  THREAD,
  WRITES,
  type ChunkId,
  type MigrationId,
  type RecordId,
  type ReleaseId,
  type ThreadId,
  type WritesId,
} from "./keys.js";

/** The generation of a thread that was never deleted. */
export const FIRST_GENERATION = "0";

/** What the documents of a thread have in common. */
interface Stored {
  /** The generation; a chunk has it in its id. Absent in the thread's own document: the first. */
  g?: string;
  /** When the server may remove it: long after the thread has expired for readers. Only with `ttl`. */
  e?: Date;
}

/** One per thread: it decides which generation is seen, and until when. */
export interface ThreadDocument extends Stored {
  _id: ThreadId;
  /** Readers see the thread until then. Only with `ttl`. */
  v?: Date;
  /** When the thread was deleted; gone as soon as something is stored in it again. */
  x?: Date;
  /** When writes of deleted checkpoints were last about to be removed, by the server's clock. */
  d?: Date;
  /** Its registers by name. */
  q?: Record<string, RegisterDocument>;
}

export interface RegisterDocument {
  /** Absent in one that was removed. */
  v?: string;
  /** Names the call that set it: repeated after an answer was lost, it knows its own work. */
  o: string;
}

/** What a record or slot that is no more referred to, and when it went. */
export interface Prior {
  a: number;
  /** Hashes of chunks, one after the other, in any number of pieces. */
  c: Uint8Array[];
}

export interface ChunkDocument extends Stored {
  _id: ChunkId;
  /** When it was last sent, by the clock of the process that did. */
  a: number;
  d?: Uint8Array;
  /** Instead of the bytes of a chunk that lists others: their hashes, so that the server can follow them. */
  l?: Uint8Array[];
}

export interface RecordDocument extends Stored {
  _id: RecordId;
  g: string;
  p?: string;
  a: number;
  source?: string;
  step?: number;
  runId?: string;
  /** Hashes of the chunks, one after the other. */
  c: Uint8Array;
  b: Uint8Array;
  /** Of what it replaced. */
  m?: Prior[];
  upserted_at?: Date;
}

export interface SlotDocument {
  n: string;
  r: boolean;
  c: Uint8Array;
  b: Uint8Array;
}

export interface WritesDocument extends Stored {
  _id: WritesId;
  g: string;
  s: SlotDocument[];
  /** Of slots that were replaced, or came too late. */
  m?: Prior[];
  upserted_at?: Date;
}

/** Written before checkpoints are deleted, and kept until their chunks are collected. */
export interface ReleaseDocument extends Stored {
  _id: ReleaseId;
  g: string;
  m: Prior[];
}

export interface MigrationDocument {
  _id: MigrationId;
  /** The last thread that was copied whole. */
  done: string;
}

export type StoredDocument =
  | ThreadDocument
  | ChunkDocument
  | RecordDocument
  | WritesDocument
  | ReleaseDocument
  | MigrationDocument;

/** Type guards over what a pipeline returns in one stream. */
export function isThread<T extends { _id: { k: string } }>(
  document: T,
): document is Extract<T, { _id: ThreadId }> {
  return document._id.k === THREAD;
}

export function isRecord(document: { _id: { k: string } }): document is RecordDocument {
  return document._id.k === RECORD;
}

export function isWrites(document: { _id: { k: string } }): document is WritesDocument {
  return document._id.k === WRITES;
}

export function hashBytes(hash: string): Buffer {
  return Buffer.from(hash, "base64url");
}

function packHashes(hashes: readonly string[]): Buffer {
  return Buffer.concat(hashes.map(hashBytes));
}

export function toChunkDocument(threadId: string, generation: string, chunk: Chunk): ChunkDocument {
  const _id = chunkKey(threadId, generation, hashBytes(chunk.hash));
  const a = Date.now();
  return chunk.index
    ? { _id, a, l: listedHashes(chunk.data).map(hashBytes) }
    : { _id, a, d: asBuffer(chunk.data) };
}

/** The name under which the rest of the pack knows a stored hash. */
export function hashName(hash: Uint8Array): string {
  return Buffer.from(hash).toString("base64url");
}

export function toChunk({ _id, d, l }: Omit<ChunkDocument, "a">): Chunk {
  const hash = hashName(_id.h);
  return l === undefined
    ? { hash, index: false, data: d ?? new Uint8Array() }
    : { hash, index: true, data: Buffer.concat(l) };
}

export function toRecordDocument(record: CheckpointRecord, generation: string): RecordDocument {
  const { parentId, createdAt, labels, chunks, body } = record;
  return {
    _id: recordKey(record),
    g: generation,
    ...(parentId === undefined ? {} : { p: parentId }),
    a: createdAt,
    ...labels,
    c: packHashes(chunks),
    b: asBuffer(body),
  };
}

export function toLabels({ source, step, runId }: Labels): Labels {
  return {
    ...(source === undefined ? {} : { source }),
    ...(step === undefined ? {} : { step }),
    ...(runId === undefined ? {} : { runId }),
  };
}

export function toRecord(document: RecordDocument): CheckpointRecord {
  const { _id, p, a, c, b } = document;
  return {
    threadId: _id.t,
    namespace: _id.n,
    checkpointId: _id.i,
    ...(p === undefined ? {} : { parentId: p }),
    createdAt: a,
    labels: toLabels(document),
    chunks: listedHashes(c),
    body: b,
  };
}

export function toSlotDocument({ name, replace, chunks, body }: WriteSlot): SlotDocument {
  return { n: name, r: replace, c: packHashes(chunks), b: asBuffer(body) };
}

export function toWrites({ _id, s }: WritesDocument): WritesRecord {
  return {
    threadId: _id.t,
    namespace: _id.n,
    checkpointId: _id.i,
    taskId: _id.w,
    slots: s.map(({ n, r, c, b }) => ({ name: n, replace: r, chunks: listedHashes(c), body: b })),
  };
}

/** The driver writes a Buffer as plain binary; of other byte arrays its releases think differently. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
