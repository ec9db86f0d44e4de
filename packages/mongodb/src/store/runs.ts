import { compareIds, type CheckpointKey, type Page, type RunQuery } from "@langgraph-savers/core";

import type { Backend } from "./backend.js";
import { batches } from "./batches.js";
import type { RecordDocument } from "./documents.js";
import { notRemovable } from "./expiry.js";
import type { RecordId } from "./keys.js";
import { inItsThreadsGeneration, withThread } from "./pipelines.js";

export const BY_RUN = "savers_runs";

/** Runs per command. */
const RUNS = 1000;

type Row = Pick<RecordDocument, "_id" | "runId">;

/** The last checkpoint of a page; without `id`, all of that run were on it. */
interface Position {
  run: string;
  id?: RecordId;
}

/** A page of the checkpoints of these runs, run by run. */
export async function listRuns(backend: Backend, query: RunQuery): Promise<Page<CheckpointKey>> {
  const { limit, cursor } = query;
  const after = cursor === undefined ? undefined : (JSON.parse(cursor) as Position);
  const runs = [...new Set(query.runIds)]
    .filter((run) => after === undefined || compareIds(run, after.run) >= (after.id === undefined ? 1 : 0))
    .toSorted(compareIds);
  // The rest of a run that a page ended in has a page of its own, so that it starts where the other ended.
  const [asked] = batches(runs, { maxItems: after?.id === undefined ? RUNS : 1 }, (run) => run.length * 3);
  if (asked === undefined) return { items: [] };
  const rows = await backend.aggregate<Row>(
    "listRuns",
    [
      {
        $match: {
          runId: { $in: asked },
          ...(after?.id === undefined ? {} : { _id: { $gt: after.id } }),
          ...notRemovable(),
        },
      },
      { $sort: { runId: 1, _id: 1 } },
      { $project: { runId: 1, g: 1 } },
      ...withThread(backend.collection.collectionName),
      { $match: { $expr: inItsThreadsGeneration() } },
      { $limit: limit + 1 },
    ],
    { hint: BY_RUN },
  );
  const items = rows
    .slice(0, limit)
    .map(({ _id: { t, n, i } }) => ({ threadId: t, namespace: n, checkpointId: i }));
  const next = nextPosition(rows, limit, runs, asked);
  return next === undefined ? { items } : { items, cursor: JSON.stringify(next) };
}

function nextPosition(rows: Row[], limit: number, all: string[], asked: string[]): Position | undefined {
  const last = rows[limit - 1];
  if (rows.length > limit && last !== undefined) return { run: last.runId!, id: last._id };
  return asked.length < all.length ? { run: asked.at(-1)! } : undefined;
}
