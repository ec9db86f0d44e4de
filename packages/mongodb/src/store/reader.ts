import type {
  AncestorQuery,
  CheckpointSelector,
  ListQuery,
  Page,
  StoredCheckpoint,
} from "@langgraph-savers/core";
import type { AggregateOptions, Document } from "mongodb";

import type { Backend } from "./backend.js";
import {
  isRecord,
  isThread,
  isWrites,
  toRecord,
  toWrites,
  type RecordDocument,
  type WritesDocument,
} from "./documents.js";
import { notRemovable } from "./expiry.js";
import { inThread, RECORD, recordKey, recordRange, writesRange } from "./keys.js";
import { listEverywhere, listNamespace, listThread, type Listing } from "./listing.js";
import {
  hadDeletion,
  inItsThreadsGeneration,
  thenThread,
  withThread,
  withWrites,
  type RecordRow,
  type ThreadedRow,
  type ThreadRow,
} from "./pipelines.js";
import { areStillThere, FROM_PRIMARY } from "./still-there.js";
import { stateOf } from "./thread-state.js";

type Row = RecordRow | WritesDocument;

/** The read side: every answer is one aggregation. */
export class CheckpointReader {
  readonly #backend: Backend;
  readonly #name: string;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#name = backend.collection.collectionName;
  }

  async get(selector: CheckpointSelector): Promise<StoredCheckpoint> {
    const { checkpointId } = selector;
    if (checkpointId === undefined) return this.#latest(selector);
    const key = { ...selector, checkpointId };
    const { rows, generation } = await this.#readThread("getTuple", selector.threadId, (g) => [
      { $match: { _id: recordKey(key), g, ...notRemovable() } },
      {
        $unionWith: {
          coll: this.#name,
          pipeline: [{ $match: { ...inThread(key.threadId, writesRange(key)), g, ...notRemovable() } }],
        },
      },
    ]);
    const record = rows.find(isRecord);
    return {
      ...key,
      generation,
      checkpoint: record && toRecord(record),
      writes: rows.filter(isWrites).map(toWrites),
    };
  }

  async #latest(selector: CheckpointSelector): Promise<StoredCheckpoint> {
    const { threadId } = selector;
    const { rows, generation } = await this.#readThread(
      "getTuple",
      threadId,
      (g) => [
        { $match: { ...inThread(threadId, recordRange(selector)), g, ...notRemovable() } },
        { $sort: { _id: -1 } },
        { $limit: 1 },
        ...withWrites(this.#name, threadId),
      ],
      { hint: "_id_" },
    );
    const [found] = collect(rows, () => generation);
    return found ?? { ...selector, generation, checkpoint: undefined, writes: [] };
  }

  async list(query: ListQuery): Promise<Page<StoredCheckpoint>> {
    if (query.threadId === undefined) return this.#listEverywhere(query);
    const { threadId, namespace } = query;
    const listing: Listing =
      namespace === undefined ? listThread(threadId, query) : listNamespace(threadId, namespace, query);
    const { rows, generation } = await this.#readThread(
      "list",
      threadId,
      (g) => [
        { $match: { ...listing.match, g, ...notRemovable() } },
        { $sort: listing.sort },
        { $limit: query.limit + 1 },
        ...withWrites(this.#name, threadId),
      ],
      { hint: listing.hint },
    );
    return paged(
      collect(rows, () => generation),
      query.limit,
    );
  }

  /** Each thread's document is read twice: first to know which records count, then whether they were read whole. */
  async #listEverywhere(query: ListQuery, options?: AggregateOptions): Promise<Page<StoredCheckpoint>> {
    const listing = listEverywhere(query);
    const rows = await this.#backend.aggregate<ThreadedRow>(
      "list",
      [
        { $match: { ...listing.match, ...notRemovable() } },
        { $sort: listing.sort },
        ...withThread(this.#name),
        { $match: { $expr: inItsThreadsGeneration() } },
        { $limit: query.limit + 1 },
        ...withWrites(this.#name),
        ...withThread(this.#name),
        { $set: { recent: hadDeletion("$state.d") } },
      ],
      { hint: listing.hint, ...options },
    );
    if (rows.some(({ recent }) => recent) && !(await areStillThere(this.#backend, rows)))
      return this.#listEverywhere(query, FROM_PRIMARY);
    const states = new Map<string, ReturnType<typeof stateOf>>();
    for (const { _id, state } of rows) states.set(_id.t, stateOf(state?.[0]));
    const generations = new Map(rows.flatMap(({ _id, g }) => (g === undefined ? [] : [[_id.t, g]])));
    const page = paged(
      collect(rows, (threadId) => generations.get(threadId)!),
      query.limit,
    );
    const whole = page.items.filter(({ threadId, generation }) => {
      const { generation: now, expired } = states.get(threadId)!;
      return now === generation && !expired;
    });
    return { ...page, items: whole };
  }

  /** The server walks the chain; the order is put right here. */
  async ancestors(query: AncestorQuery): Promise<Page<StoredCheckpoint>> {
    const { threadId, namespace, checkpointId, limit } = query;
    const start =
      checkpointId === undefined ? recordRange(query) : recordKey({ threadId, namespace, checkpointId });
    const { rows, generation } = await this.#readThread("listAncestors", threadId, (g) => [
      { $match: { ...inThread(threadId, start), g, ...notRemovable() } },
      { $sort: { _id: -1 } },
      { $limit: 1 },
      { $project: { _id: 1 } },
      {
        $graphLookup: {
          from: this.#name,
          startWith: "$_id.i",
          connectFromField: "p",
          connectToField: "_id.i",
          restrictSearchWithMatch: { "_id.t": threadId, "_id.k": RECORD, "_id.n": namespace, g },
          maxDepth: limit - 1,
          depthField: "depth",
          as: "chain",
        },
      },
      { $unwind: "$chain" },
      { $replaceRoot: { newRoot: "$chain" } },
      { $sort: { depth: 1 } },
      ...withWrites(this.#name, threadId),
    ]);
    const items = collect(rows, () => generation);
    const next = items.at(-1)?.checkpoint?.parentId;
    const more = items.length === limit && next !== undefined;
    return more && !items.some((item) => item.checkpointId === next) ? { items, cursor: next } : { items };
  }

  /**
   * Rows of one thread, all of its current generation. The generation is guessed, and known for sure from the last
   * row: almost always the guess is right, and the answer took one command.
   */
  async #readThread(
    operation: string,
    threadId: string,
    pipeline: (generation: string) => Document[],
    options?: AggregateOptions,
  ): Promise<{ rows: Row[]; generation: string }> {
    for (let preference: AggregateOptions = {}; ;) {
      const expected = this.#backend.generationHint(threadId);
      const stages = [...pipeline(expected), thenThread(this.#name, threadId)];
      const all = await this.#backend.aggregate<Row | ThreadRow>(operation, stages, {
        ...options,
        ...preference,
      });
      const thread = all.find(isThread);
      const { generation, expired } = stateOf(thread);
      if (generation !== expected) {
        this.#backend.sawGeneration(threadId, generation);
        continue;
      }
      const rows = expired ? [] : all.filter((row): row is Row => !isThread(row));
      if (thread?.recent !== true || (await areStillThere(this.#backend, rows))) return { generation, rows };
      preference = FROM_PRIMARY;
    }
  }
}

/** From rows of records, where those of the same one follow each other. */
function collect(rows: Row[], generationOf: (threadId: string) => string): StoredCheckpoint[] {
  const found: StoredCheckpoint[] = [];
  for (const row of rows as RecordRow[]) {
    if (row.b !== undefined) {
      const checkpoint = toRecord(row as RecordDocument);
      const { threadId, namespace, checkpointId } = checkpoint;
      const generation = generationOf(threadId);
      found.push({ threadId, namespace, checkpointId, generation, checkpoint, writes: [] });
    }
    if (row.w !== undefined) found.at(-1)!.writes.push(toWrites(row.w));
  }
  return found;
}

function paged(found: StoredCheckpoint[], limit: number): Page<StoredCheckpoint> {
  if (found.length <= limit) return { items: found };
  const items = found.slice(0, limit);
  const { threadId, namespace, checkpointId } = items.at(-1)!;
  return { items, cursor: JSON.stringify([checkpointId, threadId, namespace]) };
}
