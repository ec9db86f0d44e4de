import { compareIds, type Page, type ThreadQuery, type ThreadSummary } from "@langgraph-savers/core";
import type { Document } from "mongodb";

import type { Backend } from "./backend.js";
import { FIRST_GENERATION, toLabels } from "./documents.js";
import { CHUNK, RECORD, THREAD, threadKey, type ThreadId } from "./keys.js";
import { BODY_BYTES, CHUNK_BYTES } from "./sizes.js";

export const BY_KIND = "savers_threads";

interface Row {
  _id: ThreadId;
  sum: {
    checkpoints: number;
    bytes: number;
    namespaces: string[];
    first: number;
    last: { a: number; step?: number; source?: string; runId?: string };
  };
}

/** A page of threads with what is stored for each, in one aggregation. */
export async function listThreads(backend: Backend, query: ThreadQuery): Promise<Page<ThreadSummary>> {
  const { prefix = "", after, limit } = query;
  const rows = await backend.aggregate<Row>(
    "listThreads",
    [
      {
        $match: {
          "_id.k": THREAD,
          $and: [
            { "_id.t": startingWith(prefix) },
            ...(after === undefined ? [] : [{ "_id.t": { $gt: after } }]),
          ],
          ...inUse(),
        },
      },
      { $sort: { "_id.t": 1 } },
      ...withSummary(backend),
      { $limit: limit + 1 },
    ],
    { hint: BY_KIND },
  );
  const items = rows.slice(0, limit).map(toSummary);
  return rows.length > limit ? { items, cursor: items.at(-1)!.threadId } : { items };
}

export async function getThread(backend: Backend, threadId: string): Promise<ThreadSummary | undefined> {
  const [row] = await backend.aggregate<Row>("threadInfo", [
    { $match: { _id: threadKey(threadId), ...inUse() } },
    ...withSummary(backend, threadId),
  ]);
  return row && toSummary(row);
}

/** Neither deleted nor expired. */
function inUse(): Document {
  return { x: { $exists: false }, v: { $not: { $lte: new Date() } } };
}

/** Leaves out threads without a checkpoint: those with writes only, or registers. */
function withSummary({ collection }: Backend, threadId?: string): Document[] {
  return [
    { $lookup: summary(collection.collectionName, threadId) },
    { $unwind: "$sum" },
    { $match: { "sum.checkpoints": { $gt: 0 } } },
  ];
}

/** The thread where it is a certain one: the router of a cluster then asks its shard only. */
function summary(from: string, threadId?: string): Document {
  const isRecord = { $eq: ["$_id.k", RECORD] };
  const ofRecord = (value: unknown) => ({ $cond: [isRecord, value, null] });
  return {
    from,
    let: {
      low: { t: "$_id.t", k: CHUNK },
      high: { t: "$_id.t", k: {} },
      generation: { $ifNull: ["$g", FIRST_GENERATION] },
    },
    pipeline: [
      {
        $match: {
          ...(threadId === undefined ? {} : { "_id.t": threadId }),
          $expr: {
            $and: [
              { $gte: ["$_id", "$$low"] },
              { $lt: ["$_id", "$$high"] },
              { $eq: [{ $ifNull: ["$g", "$_id.g"] }, "$$generation"] },
            ],
          },
        },
      },
      {
        $group: {
          _id: null,
          checkpoints: { $sum: { $cond: [isRecord, 1, 0] } },
          bytes: { $sum: { $add: [BODY_BYTES, CHUNK_BYTES] } },
          namespaces: { $addToSet: { $cond: [isRecord, "$_id.n", "$$REMOVE"] } },
          first: { $min: ofRecord("$a") },
          // Compared field by field: the latest, and of several in one millisecond the furthest.
          last: { $max: ofRecord({ a: "$a", step: "$step", source: "$source", runId: "$runId" }) },
        },
      },
    ],
    as: "sum",
  };
}

function toSummary({ _id, sum }: Row): ThreadSummary {
  const { checkpoints, bytes, namespaces, first, last } = sum;
  return {
    threadId: _id.t,
    createdAt: first,
    updatedAt: last.a,
    namespaces: namespaces.toSorted(compareIds),
    checkpoints,
    bytes,
    last: toLabels(last),
  };
}

/** Ids from the prefix itself up to the first that no longer starts with it: its last character's successor. */
function startingWith(prefix: string): Document {
  const characters = Array.from(prefix);
  while (characters.at(-1) === "\u{10ffff}") characters.pop();
  const last = characters.pop()?.codePointAt(0);
  if (last === undefined) return { $gte: prefix };
  // Surrogates are no characters.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return { $gte: prefix, $lt: characters.join("") + String.fromCodePoint(next) };
}
