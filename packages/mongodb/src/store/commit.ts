import type {
  Chunk,
  CheckpointRecord,
  CommitCondition,
  CommitResult,
  Registers,
  WritesRecord,
} from "@langgraph-savers/core";
import type { AnyBulkWriteOperation } from "mongodb";

import type { Backend } from "./backend.js";
import { areFew, insertChunks, upsertOf } from "./chunk-writes.js";
import { toChunkDocument, toRecordDocument, toSlotDocument, type StoredDocument } from "./documents.js";
import type { Expiry } from "./expiry.js";
import { writesKey } from "./keys.js";
import { replaceRecord } from "./record-update.js";
import { mergeSlots } from "./slots.js";
import { sweep } from "./sweep.js";
import { failedAtGuard, guard, readState, startGeneration } from "./thread-state.js";

type Statement = AnyBulkWriteOperation<StoredDocument>;

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
      const update = replaceRecord({ ...fields, ...this.#parts.expiry.stamp(), ...upserted_at });
      return { updateOne: { filter: { _id }, update, upsert: true } };
    });
  }

  async putWrites(
    record: WritesRecord,
    chunks: Chunk[],
    condition: CommitCondition | undefined,
  ): Promise<CommitResult> {
    return this.#commit("putWrites", record.threadId, chunks, condition, (generation) => {
      const upserted_at = this.#parts.timestamps ? { upserted_at: "$$NOW" } : {};
      const fields = { ...this.#parts.expiry.stamp(), ...upserted_at };
      const update = mergeSlots(generation, record.slots.map(toSlotDocument), fields);
      return { updateOne: { filter: { _id: writesKey(record, record.taskId) }, update, upsert: true } };
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
    const { registers = {} } = condition ?? {};
    let generation = condition?.generation ?? backend.generationHint(threadId);
    while (!(await this.#commitIn(operation, threadId, generation, registers, chunks, last(generation)))) {
      const state = await readState(backend, threadId);
      const fenced = Object.entries(registers).some(([name, value]) => state.registers[name]?.v !== value);
      if (fenced) return { committed: false, generation: state.generation, fenced };
      const current = state.expired ? await this.#startAnew(threadId) : state.generation;
      backend.sawGeneration(threadId, current);
      if (condition?.generation !== undefined && current !== generation)
        return { committed: false, generation: current };
      generation = current;
    }
    return { committed: true, generation };
  }

  /**
   * False if the thread is not in that generation, or has expired, or a register has another value; what was stored
   * until then is not visible.
   */
  async #commitIn(
    operation: string,
    threadId: string,
    generation: string,
    registers: Registers,
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
    const few = areFew(documents);
    if (!few) await insertChunks(backend, operation, documents);
    const check = guard(threadId, generation, refresh, registers);
    const upserts = few ? documents.map(upsertOf) : [];
    // Whoever lost a register while the chunks were stored must not get past: a second look, right before the last step.
    const again = upserts.length > 0 && Object.keys(registers).length > 0 ? [check] : [];
    if (!(await backend.update(operation, [check, ...upserts, ...again, last], failedAtGuard))) return false;
    if (refresh !== undefined) expiry.refreshed(threadId, generation);
    return true;
  }

  /** An expired thread is a deleted one that nobody has deleted yet. */
  async #startAnew(threadId: string): Promise<string> {
    const { backend } = this.#parts;
    const next = await startGeneration(backend, threadId);
    await sweep(backend, threadId, next);
    return next;
  }
}
