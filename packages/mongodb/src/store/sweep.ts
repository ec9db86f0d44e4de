import type { Document } from "mongodb";

import type { Backend } from "./backend.js";
import { contentRange, inThread } from "./keys.js";

/** Documents per command: no single one runs for long, however large the thread. */
const BATCH = 5000;

/** Removes what is stored for the thread in generations before the given one. Interrupted, it can be repeated. */
export async function sweep(backend: Backend, threadId: string, generation: string): Promise<void> {
  const { $gte, $lt } = contentRange(threadId);
  const before = { $or: [{ g: { $lt: generation } }, { "_id.g": { $lt: generation } }] };
  for (let from: object = $gte; ;) {
    const start = from;
    const boundary = await backend.run("the deletion of a thread", () =>
      backend.collection
        .find({ ...inThread(threadId, { $gte: start, $lt }), ...before } as Document, {
          projection: { _id: 1 },
          sort: { _id: 1 },
          readPreference: "primary",
        })
        .skip(BATCH)
        .limit(1)
        .next(),
    );
    const end = boundary?._id ?? $lt;
    await backend.run("the deletion of a thread", () =>
      backend.collection.deleteMany({
        ...inThread(threadId, { $gte: start, $lt: end }),
        ...before,
      } as Document),
    );
    if (boundary === null) return;
    from = end;
  }
}
