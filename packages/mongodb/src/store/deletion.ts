import type { Document } from "mongodb";

import type { Backend } from "./backend.js";
import type { ThreadDocument } from "./documents.js";
import { contentRange, inThread } from "./keys.js";
import { hasRegisters } from "./registers.js";
import { sweep } from "./sweep.js";
import { startGeneration } from "./thread-state.js";

/** How long a deleted thread is remembered: longer than any command or any writer's knowledge from before lasts. */
const REMEMBERED_MS = 7 * 24 * 60 * 60_000;
/** More than are added, so that they do not pile up. */
const FORGOTTEN_PER_DELETION = 2;

/**
 * A new generation first, which hides everything at once, then the removal. Documents that are stored meanwhile in the
 * new generation stay.
 */
export async function deleteThread(backend: Backend, threadId: string): Promise<void> {
  const anything = await backend.run("the deletion of a thread", () =>
    backend.collection.findOne(inThread(threadId, contentRange(threadId)) as Document, {
      projection: { _id: 1 },
      readPreference: "primary",
    }),
  );
  if (anything !== null) {
    const generation = await startGeneration(backend, threadId);
    await sweep(backend, threadId, generation);
  }
  await forgetOldDeletions(backend);
}

/**
 * Removes the documents of threads that were deleted long ago and never used again. A commit that raced with the
 * deletion may have left something: it goes first, or it would be seen again. One with registers is looked at again
 * as much later.
 */
async function forgetOldDeletions(backend: Backend): Promise<void> {
  const old = { $lt: new Date(Date.now() - REMEMBERED_MS) };
  const documents = await backend.run("the deletion of a thread", () =>
    backend.collection
      .find<ThreadDocument>({ x: old }, { readPreference: "primary" })
      .limit(FORGOTTEN_PER_DELETION)
      .toArray(),
  );
  for (const document of documents) {
    const { _id, g, q = { $exists: false } } = document;
    await sweep(backend, _id.t, g!);
    const unchanged = { _id, g: g!, x: old, q } as Document;
    await backend.run<unknown>("the deletion of a thread", () =>
      hasRegisters(document)
        ? backend.collection.updateOne(unchanged, { $currentDate: { x: true } })
        : backend.collection.deleteOne(unchanged),
    );
  }
}
