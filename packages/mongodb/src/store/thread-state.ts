import { randomUUID } from "node:crypto";

import type { Registers } from "@langgraph-savers/core";
import type { AnyBulkWriteOperation, Document } from "mongodb";

import { writeErrorsOf } from "../driver/failure.js";
import type { Backend } from "./backend.js";
import {
  FIRST_GENERATION,
  isThread,
  type RegisterDocument,
  type StoredDocument,
  type ThreadDocument,
} from "./documents.js";
import { threadKey } from "./keys.js";

const CONVERSION_FAILURE = 241;
/** Numbers of as many digits as there will ever be, so that they sort as text. */
const BEFORE_SECOND = 1_000_000_000;

/** What the thread's own document says; without one, the thread was never deleted and does not expire. */
export interface ThreadState {
  generation: string;
  expired: boolean;
  registers: Readonly<Record<string, RegisterDocument>>;
}

export function stateOf(document: ThreadDocument | undefined): ThreadState {
  return {
    generation: document?.g ?? FIRST_GENERATION,
    expired: document?.v !== undefined && document.v.getTime() <= Date.now(),
    registers: document?.q ?? {},
  };
}

/**
 * The first statement of every commit: it fails, and so ends the command before anything is stored, unless the thread
 * is in the expected generation, has not expired, and its registers have the expected values. It has no effect
 * otherwise, but for the first commit in a generation, so that parallel commits do not contend for the document.
 *
 * A commit that passed it just before a deletion counts as earlier than the deletion: what it stores carries the old
 * generation, and no reader sees it.
 */
export function guard(
  threadId: string,
  generation: string,
  refresh: Document | undefined,
  registers: Registers = {},
): AnyBulkWriteOperation<StoredDocument> {
  const names = Object.keys(registers);
  const valid = {
    $and: [
      { $eq: [{ $ifNull: ["$g", FIRST_GENERATION] }, { $literal: generation }] },
      { $gte: [{ $ifNull: ["$v", "$$NOW"] }, "$$NOW"] },
      ...names.map((name) => ({ $eq: [`$q.${name}.v`, { $literal: registers[name] }] })),
    ],
  };
  // There is no operator that raises an error; a letter that is converted to a number does.
  const g = { $cond: [valid, "$g", { $toInt: "$_id.k" }] };
  const statement = {
    filter: { _id: threadKey(threadId) },
    update: [{ $set: { g, x: "$$REMOVE", ...refresh } }],
    upsert: true,
  };
  // A retry by the driver would leave out what is done already, the guard first of all, though registers may have changed
  // in between. It does not retry what is meant for many documents; the saver's own retry sends all of it again.
  return names.length === 0 ? { updateOne: statement } : { updateMany: statement };
}

/** True for the error of a command that ended at a guard: nothing else in it converts anything. */
export function failedAtGuard(error: unknown): boolean {
  return writeErrorsOf(error).some(({ code }) => code === CONVERSION_FAILURE);
}

/** The state right now, whatever secondaries the client may read from. */
export async function readState(backend: Backend, threadId: string): Promise<ThreadState> {
  const document = await backend.run("reading a thread's state", () =>
    backend.collection.findOne({ _id: threadKey(threadId) }, { readPreference: "primary" }),
  );
  return stateOf(document !== null && isThread(document) ? document : undefined);
}

/**
 * Starts a new generation: from here on nobody sees anything of the thread. Returns the new one's name, which sorts after
 * all before it: of two who delete a thread at once, neither removes what is stored after the other's deletion.
 */
export async function startGeneration(backend: Backend, threadId: string): Promise<string> {
  return backend.run("the deletion of a thread", async () => {
    const number = { $toLong: { $first: { $split: [{ $ifNull: ["$g", FIRST_GENERATION] }, "-"] } } };
    const next = { $toString: { $add: [{ $max: [number, BEFORE_SECOND] }, 1] } };
    // Unlike the number, which starts again when the thread is forgotten, the rest never comes again.
    const g = { $concat: [next, { $literal: `-${randomUUID()}` }] };
    const document = await backend.collection.findOneAndUpdate(
      { _id: threadKey(threadId) },
      [{ $set: { g, x: "$$NOW" } }, { $unset: ["v", "e"] }],
      { upsert: true, returnDocument: "after", projection: { g: 1 } },
    );
    const generation = (document as ThreadDocument).g!;
    backend.sawGeneration(threadId, generation);
    return generation;
  });
}
