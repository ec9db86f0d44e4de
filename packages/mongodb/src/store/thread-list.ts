import {
  compareIds,
  type Labels,
  type Page,
  type ThreadQuery,
  type ThreadSummary,
} from "@langgraph-savers/core";
import type { Document } from "mongodb";

import type { Backend } from "./backend.js";
import { FIRST_GENERATION } from "./documents.js";
import { CHUNK, RECORD, THREAD } from "./keys.js";

export const BY_KIND = "savers_threads";

interface Row {
  _id: { t: string };
  sum?: {
    checkpoints: number;
    bytes: number;
    namespaces: string[];
    first: number | null;
    last: { a: number; step?: number; source?: string; runId?: string } | null;
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
          x: { $exists: false },
          v: { $not: { $lte: new Date() } },
        },
      },
      { $sort: { "_id.t": 1 } },
      { $limit: limit + 1 },
      { $lookup: summary(backend.collection.collectionName) },
      { $unwind: { path: "$sum", preserveNullAndEmptyArrays: true } },
    ],
    { hint: BY_KIND },
  );
  const page = rows.slice(0, limit);
  const items = page.flatMap(({ _id, sum }) => (sum === undefined ? [] : [toSummary(_id.t, sum)]));
  return rows.length > limit ? { items, cursor: page.at(-1)!._id.t } : { items };
}

function summary(from: string): Document {
  const isRecord = { $eq: ["$_id.k", RECORD] };
  const ofRecord = (value: unknown) => ({ $cond: [isRecord, value, null] });
  const slotBytes = {
    $sum: { $map: { input: { $ifNull: ["$s", []] }, as: "slot", in: { $binarySize: "$$slot.b" } } },
  };
  const listedBytes = {
    $sum: { $map: { input: { $ifNull: ["$l", []] }, as: "hash", in: { $binarySize: "$$hash" } } },
  };
  const bytes = {
    $add: [
      { $ifNull: [{ $binarySize: "$b" }, 0] },
      { $ifNull: [{ $binarySize: "$d" }, 0] },
      slotBytes,
      listedBytes,
    ],
  };
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
          bytes: { $sum: bytes },
          namespaces: { $addToSet: "$_id.n" },
          first: { $min: ofRecord("$a") },
          // Compared field by field: the latest, and of several in one millisecond the furthest.
          last: { $max: ofRecord({ a: "$a", step: "$step", source: "$source", runId: "$runId" }) },
        },
      },
    ],
    as: "sum",
  };
}

function toSummary(
  threadId: string,
  { checkpoints, bytes, namespaces, first, last }: NonNullable<Row["sum"]>,
): ThreadSummary {
  const labels: Labels = {
    ...(last?.step === undefined ? {} : { step: last.step }),
    ...(last?.source === undefined ? {} : { source: last.source }),
    ...(last?.runId === undefined ? {} : { runId: last.runId }),
  };
  return {
    threadId,
    createdAt: first ?? Infinity,
    updatedAt: last?.a ?? -Infinity,
    namespaces: namespaces.toSorted(compareIds),
    checkpoints,
    bytes,
    last: labels,
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
