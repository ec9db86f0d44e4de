import type { Document } from "mongodb";

import type { RecordDocument, ThreadDocument, WritesDocument } from "./documents.js";
import { THREAD, threadKey, WRITES } from "./keys.js";

/** A row of a pipeline with `withWrites`: a record with one of its writes; from its second row on without its fields. */
export type RecordRow = Pick<RecordDocument, "_id"> & Partial<RecordDocument> & { w?: WritesDocument };

/** A row of a pipeline with `withThread` behind `withWrites`. */
export type ThreadedRow = RecordRow & { state?: ThreadDocument[] };

/**
 * Adds the writes of each record, a row per task: an array of all of them in one document could pass 16 MB. The body
 * of the record travels once.
 */
export function withWrites(from: string): Document[] {
  const same = ["t", "n", "i"].map((part) => ({ $eq: [`$_id.${part}`, `$$${part}`] }));
  return [
    {
      $lookup: {
        from,
        let: { t: "$_id.t", n: "$_id.n", i: "$_id.i", g: "$g" },
        pipeline: [{ $match: { "_id.k": WRITES, $expr: { $and: [...same, { $eq: ["$g", "$$g"] }] } } }],
        as: "w",
      },
    },
    { $unwind: { path: "$w", includeArrayIndex: "row", preserveNullAndEmptyArrays: true } },
    { $replaceRoot: { newRoot: { $cond: [{ $gt: ["$row", 0] }, { _id: "$_id", w: "$w" }, "$$ROOT"] } } },
  ];
}

/** Adds each row's thread document as `state`. */
export function withThread(from: string): Document[] {
  return [
    // In two steps: set where there is one, an object would be merged into it.
    { $unset: "state" },
    { $set: { state: { t: "$_id.t", k: THREAD } } },
    { $lookup: { from, localField: "state", foreignField: "_id", as: "state" } },
  ];
}

/**
 * The thread's document after all other rows. Last, since then what was read before it was whole: a deletion changes
 * this document before it removes anything.
 */
export function thenThread(from: string, threadId: string): Document {
  return { $unionWith: { coll: from, pipeline: [{ $match: { _id: threadKey(threadId) } }] } };
}
