import { randomUUID } from "node:crypto";

import type { AnyBulkWriteOperation, Document } from "mongodb";

import { writeErrorsOf } from "../driver/failure.js";
import type { Backend } from "./backend.js";
import { FIRST_GENERATION, isThread, type StoredDocument, type ThreadDocument } from "./documents.js";
import { threadKey } from "./keys.js";

const CONVERSION_FAILURE = 241;

/** What the thread's own document says; without one, the thread was never deleted and does not expire. */
export interface ThreadState {
  generation: string;
  expired: boolean;
}

export function stateOf(document: ThreadDocument | undefined): ThreadState {
  return {
    generation: document?.g ?? FIRST_GENERATION,
    expired: document?.v !== undefined && document.v.getTime() <= Date.now(),
  };
}

/**
 * The first statement of every commit: it fails, and so ends the command before anything is stored, unless the thread
 * is in the expected generation and has not expired. It has no effect otherwise, but for the first commit in a
 * generation, so that parallel commits do not contend for the document.
 *
 * A commit that passed it just before a deletion counts as earlier than the deletion: what it stores carries the old
 * generation, and no reader sees it.
 */
export function guard(
  threadId: string,
  generation: string,
  refresh: Document | undefined,
): AnyBulkWriteOperation<StoredDocument> {
  const valid = {
    $and: [
      { $eq: [{ $ifNull: ["$g", FIRST_GENERATION] }, { $literal: generation }] },
      { $gte: [{ $ifNull: ["$v", "$$NOW"] }, "$$NOW"] },
    ],
  };
  // There is no operator that raises an error; a letter that is converted to a number does.
  const g = { $cond: [valid, "$g", { $toInt: "$_id.k" }] };
  return {
    updateOne: {
      filter: { _id: threadKey(threadId) },
      update: [{ $set: { g, x: "$$REMOVE", ...refresh } }],
      upsert: true,
    },
  };
}

/** True for the error of a command that ended at its guard. */
export function failedAtGuard(error: unknown): boolean {
  return writeErrorsOf(error).some(({ index, code }) => index === 0 && code === CONVERSION_FAILURE);
}

/** The state right now, whatever secondaries the client may read from. */
export async function readState(backend: Backend, threadId: string): Promise<ThreadState> {
  const document = await backend.run("reading a thread's state", () =>
    backend.collection.findOne({ _id: threadKey(threadId) }, { readPreference: "primary" }),
  );
  return stateOf(document !== null && isThread(document) ? document : undefined);
}

/** Starts a new generation: from here on nobody sees anything of the thread. Returns the new one's name. */
export async function startGeneration(backend: Backend, threadId: string): Promise<string> {
  return backend.run("the deletion of a thread", async () => {
    // A name of its own per attempt: repeated with the same one, it could miss what was stored in between.
    const generation = randomUUID();
    await backend.collection.updateOne(
      { _id: threadKey(threadId) },
      { $set: { g: generation }, $unset: { v: "", e: "" }, $currentDate: { x: true } },
      { upsert: true },
    );
    backend.sawGeneration(threadId, generation);
    return generation;
  });
}
