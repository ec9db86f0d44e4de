import type { Document } from "mongodb";

import {
  FIRST_GENERATION,
  type RecordDocument,
  type ThreadDocument,
  type WritesDocument,
} from "./documents.js";
import { THREAD, threadKey, WRITES } from "./keys.js";

/** A row of a pipeline with `withWrites`: a record with one of its writes; from its second row on without its fields. */
export type RecordRow = Pick<RecordDocument, "_id"> & Partial<RecordDocument> & { w?: WritesDocument };

/** A row of a pipeline with `withThread` behind `withWrites`. */
export type ThreadedRow = RecordRow & { state?: ThreadDocument[]; recent?: boolean };

/** The row of `thenThread`. */
export type ThreadRow = ThreadDocument & { recent?: boolean };

/** The last instant that there is. */
const FOREVER = new Date(8.64e15);

/** How far apart the clocks of the servers of a cluster may be. */
const CLOCK_SKEW_MS = 10_000;

/**
 * Adds the writes of each record, a row per task: an array of all of them in one document could pass 16 MB. The body
 * of the record travels once. The thread where all rows are of one: the router of a cluster then asks its shard only.
 */
export function withWrites(from: string, threadId?: string): Document[] {
  const same = ["t", "n", "i"].map((part) => ({ $eq: [`$_id.${part}`, `$$${part}`] }));
  return [
    {
      $lookup: {
        from,
        let: { t: "$_id.t", n: "$_id.n", i: "$_id.i", g: "$g" },
        pipeline: [
          {
            $match: {
              ...(threadId === undefined ? {} : { "_id.t": threadId }),
              "_id.k": WRITES,
              $expr: { $and: [...same, { $eq: ["$g", "$$g"] }] },
            },
          },
        ],
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
  const pipeline = [{ $match: { _id: threadKey(threadId) } }, { $set: { recent: hadDeletion("$d") } }];
  return { $unionWith: { coll: from, pipeline } };
}

/**
 * Whether writes of deleted checkpoints may have been removed since the command began. Then a checkpoint that was read
 * before its own deletion may lack some of them. False but for the seconds after a deletion in the thread.
 */
export function hadDeletion(at: string): Document {
  return { $gt: [{ $max: at }, { $subtract: ["$$NOW", CLOCK_SKEW_MS] }] };
}

/** A condition on a row of `withThread`: its thread is still in the generation of the record, and has not expired. */
export function inItsThreadsGeneration(): Document {
  const generation = { $ifNull: [{ $arrayElemAt: ["$state.g", 0] }, FIRST_GENERATION] };
  const visibleUntil = { $ifNull: [{ $arrayElemAt: ["$state.v", 0] }, FOREVER] };
  return { $and: [{ $eq: ["$g", generation] }, { $gt: [visibleUntil, new Date()] }] };
}
