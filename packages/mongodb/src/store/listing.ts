import type { ListQuery } from "@langgraph-savers/core";
import type { Document } from "mongodb";

import { inThread, RECORD, recordRange } from "./keys.js";

/** Which records a page of a list starts from, in which order, by which index. */
export interface Listing {
  match: Document;
  sort: Record<string, 1 | -1>;
  hint: string;
}

export const BY_THREAD = "savers_by_thread";
export const BY_CHECKPOINT = "savers_by_checkpoint";

type Position = [checkpointId: string, threadId: string, namespace: string];

/** In the order of the `_id`s themselves. */
export function listNamespace(threadId: string, namespace: string, query: ListQuery): Listing {
  const [after] = positionOf(query);
  const { before, checkpointId } = query;
  const range = (id?: string) => inThread(threadId, recordRange({ threadId, namespace }, id));
  return {
    match: {
      $and: [range(before), range(after)],
      ...(checkpointId === undefined ? {} : { "_id.i": checkpointId }),
    },
    sort: { _id: -1 },
    hint: "_id_",
  };
}

export function listThread(threadId: string, query: ListQuery): Listing {
  const [id, , namespace] = positionOf(query);
  return {
    match: {
      "_id.t": threadId,
      "_id.k": RECORD,
      ...idsOf(query, id, [{ "_id.i": id, "_id.n": { $gt: namespace } }]),
    },
    sort: { "_id.i": -1, "_id.n": 1 },
    hint: BY_THREAD,
  };
}

export function listEverywhere(query: ListQuery): Listing {
  const [id, threadId, namespace] = positionOf(query);
  return {
    match: {
      "_id.k": RECORD,
      ...(query.namespace === undefined ? {} : { "_id.n": query.namespace }),
      ...idsOf(query, id, [
        { "_id.i": id, "_id.t": { $gt: threadId } },
        { "_id.i": id, "_id.t": threadId, "_id.n": { $gt: namespace } },
      ]),
    },
    sort: { "_id.i": -1, "_id.t": 1, "_id.n": 1 },
    hint: BY_CHECKPOINT,
  };
}

/** Conditions on checkpoint ids; after a page that ended with `id`, smaller ids or the `rest` of the same. */
function idsOf({ before, checkpointId }: ListQuery, id: string | undefined, rest: Document[]): Document {
  const conditions: Document[] = [
    // The bound is implied by the choice behind it, and gives the index scan its start.
    ...(id === undefined ? [] : [{ "_id.i": { $lte: id } }, { $or: [{ "_id.i": { $lt: id } }, ...rest] }]),
    ...(before === undefined ? [] : [{ "_id.i": { $lt: before } }]),
    ...(checkpointId === undefined ? [] : [{ "_id.i": checkpointId }]),
  ];
  return conditions.length === 0 ? {} : { $and: conditions };
}

function positionOf({ cursor }: ListQuery): Position | [undefined, undefined, undefined] {
  return cursor === undefined ? [undefined, undefined, undefined] : (JSON.parse(cursor) as Position);
}
