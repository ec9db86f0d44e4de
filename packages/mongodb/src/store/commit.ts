import type {
  Chunk,
  CheckpointRecord,
  CommitCondition,
  CommitResult,
  WritesRecord,
} from "@langgraph-savers/core";
import type { AnyBulkWriteOperation } from "mongodb";

import type { Backend } from "./backend.js";
import {
  toChunkDocument,
  toRecordDocument,
  toSlotDocument,
  type ChunkDocument,
  type StoredDocument,
  type WritesDocument,
} from "./documents.js";
import type { Expiry } from "./expiry.js";
import { writesKey } from "./keys.js";
import { sweep } from "./sweep.js";
import { failedAtGuard, guard, readState, startGeneration } from "./thread-state.js";

type Statement = AnyBulkWriteOperation<StoredDocument>;

/** Far below the 16 MB of a document and the 48 MB of a message, with room for the keys. */
const COMMAND_BYTES = 8 * 1024 * 1024;
const KEY_BYTES = 256;
/** Chunks that travel in the same command as their record. */
const MAX_UPSERTS = 32;

export interface CommitterParts {
  backend: Backend;
  expiry: Expiry;
  /** Write `upserted_at`. */
  timestamps: boolean;
}

/** The write side: chunks, then the record that makes them visible, in one command where they fit. */
export class Committer {
  readonly #parts: CommitterParts;

  constructor(parts: CommitterParts) {
    this.#parts = parts;
  }

  async putCheckpoint(
    record: CheckpointRecord,
    chunks: Chunk[],
    condition: CommitCondition | undefined,
  ): Promise<CommitResult> {
    return this.#commit("put", record.threadId, chunks, condition, (generation) => {
      const { _id, ...fields } = toRecordDocument(record, generation);
      const upserted_at = this.#parts.timestamps ? { upserted_at: new Date() } : {};
      const replacement = { ...fields, ...this.#parts.expiry.stamp(), ...upserted_at };
      return { replaceOne: { filter: { _id }, replacement, upsert: true } };
    });
  }

  async putWrites(
    record: WritesRecord,
    chunks: Chunk[],
    condition: CommitCondition | undefined,
  ): Promise<CommitResult> {
    return this.#commit("putWrites", record.threadId, chunks, condition, (generation) => {
      const fields = {
        g: { $literal: generation },
        s: mergedSlots(generation, record.slots.map(toSlotDocument)),
        ...this.#parts.expiry.stamp(),
        ...(this.#parts.timestamps ? { upserted_at: "$$NOW" } : {}),
      };
      return {
        updateOne: {
          filter: { _id: writesKey(record, record.taskId) },
          update: [{ $set: fields }],
          upsert: true,
        },
      };
    });
  }

  async #commit(
    operation: string,
    threadId: string,
    chunks: Chunk[],
    condition: CommitCondition | undefined,
    last: (generation: string) => Statement,
  ): Promise<CommitResult> {
    const { backend } = this.#parts;
    let generation = condition?.generation ?? backend.generationHint(threadId);
    while (!(await this.#commitIn(operation, threadId, generation, chunks, last(generation)))) {
      const current = await this.#currentGeneration(threadId);
      backend.sawGeneration(threadId, current);
      if (condition !== undefined && current !== generation) return { committed: false, generation: current };
      generation = current;
    }
    return { committed: true, generation };
  }

  /** False if the thread is not in that generation, or has expired; what was stored until then is not visible. */
  async #commitIn(
    operation: string,
    threadId: string,
    generation: string,
    chunks: Chunk[],
    last: Statement,
  ): Promise<boolean> {
    const { backend, expiry } = this.#parts;
    await expiry.extend(backend, threadId, generation);
    const refresh = expiry.refresh(threadId, generation);
    const documents = chunks.map((chunk) => ({
      ...toChunkDocument(threadId, generation, chunk),
      ...expiry.stamp(),
    }));
    const few = documents.length <= MAX_UPSERTS && bytesOf(chunks) <= COMMAND_BYTES;
    if (!few) await this.#insert(operation, threadId, documents, chunks);
    const upserts = (few ? documents : []).map(({ _id, ...fields }): Statement => {
      return { updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true } };
    });
    const statements = [guard(threadId, generation, refresh), ...upserts, last];
    if (!(await backend.update(operation, statements, failedAtGuard))) return false;
    if (refresh !== undefined) expiry.refreshed(threadId, generation);
    return true;
  }

  /**
   * Many chunks, in commands of their own before the one that makes them visible: an insert takes the server a tenth
   * of an upsert's time. Those of a generation that turns out to be over are seen by nobody.
   */
  async #insert(
    operation: string,
    threadId: string,
    documents: ChunkDocument[],
    chunks: Chunk[],
  ): Promise<void> {
    let batch: ChunkDocument[] = [];
    let bytes = 0;
    for (const [at, document] of documents.entries()) {
      batch.push(document);
      bytes += bytesOf([chunks[at]!]) + threadId.length * 3;
      if (bytes < COMMAND_BYTES && at < documents.length - 1) continue;
      await this.#parts.backend.insertMissing(operation, batch);
      batch = [];
      bytes = 0;
    }
  }

  /** An expired thread is a deleted one that nobody has deleted yet. */
  async #currentGeneration(threadId: string): Promise<string> {
    const { backend } = this.#parts;
    const { generation, expired } = await readState(backend, threadId);
    if (!expired) return generation;
    const next = await startGeneration(backend, threadId);
    await sweep(backend, threadId, next);
    return next;
  }
}

function bytesOf(chunks: Chunk[]): number {
  return chunks.reduce((sum, { data }) => sum + data.byteLength + KEY_BYTES, 0);
}

/**
 * The slots of a task after a batch: each keeps its place, and its content unless the new one replaces it; new ones
 * follow. `$literal` keeps content from being read as an expression.
 */
function mergedSlots(generation: string, slots: WritesDocument["s"]): object {
  const stored = { $cond: [{ $eq: ["$g", { $literal: generation }] }, { $ifNull: ["$s", []] }, []] };
  const replacement = {
    $filter: {
      input: "$$new",
      as: "slot",
      cond: { $and: ["$$slot.r", { $eq: ["$$slot.n", "$$old.n"] }] },
    },
  };
  const kept = {
    $map: { input: "$$stored", as: "old", in: { $ifNull: [{ $arrayElemAt: [replacement, 0] }, "$$old"] } },
  };
  const added = {
    $filter: { input: "$$new", as: "slot", cond: { $not: [{ $in: ["$$slot.n", "$$stored.n"] }] } },
  };
  return {
    $let: { vars: { new: { $literal: slots }, stored }, in: { $concatArrays: [kept, added] } },
  };
}
