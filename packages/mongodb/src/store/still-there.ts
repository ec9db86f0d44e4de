import type { Document } from "mongodb";

import type { Backend } from "./backend.js";
import { batches, keysPerCommand } from "./batches.js";
import type { RecordDocument, WritesDocument } from "./documents.js";
import type { RecordRow } from "./pipelines.js";

/** Of what has just been changed, a secondary may know less than was read already. */
export const FROM_PRIMARY = { readPreference: "primary" } as const;

/**
 * Whether the records of these rows are there at this later moment, the same as before: then their writes were read
 * whole, since a deletion removes the record first.
 */
export async function areStillThere(
  backend: Backend,
  rows: readonly (RecordRow | WritesDocument)[],
): Promise<boolean> {
  const records = rows.filter((row): row is RecordDocument => "a" in row);
  const maxItems = keysPerCommand(...Object.values(records[0]?._id ?? {}));
  for (const batch of batches(records, { maxItems })) {
    const threads = [...new Set(batch.map(({ _id }) => _id.t))];
    const keys = { "_id.t": { $in: threads }, _id: { $in: batch.map(({ _id }) => _id) } } as Document;
    const found = await backend.run("reading", () =>
      backend.collection.find<RecordRow>(keys, { projection: { a: 1 }, ...FROM_PRIMARY }).toArray(),
    );
    const times = new Map(found.map(({ _id, a }) => [JSON.stringify(_id), a]));
    if (batch.some(({ _id, a }) => times.get(JSON.stringify(_id)) !== a)) return false;
  }
  return true;
}
