import { setImmediate } from "node:timers/promises";

import {
  compareIds,
  keyPage,
  page,
  StoredDataError,
  type AncestorQuery,
  type CheckpointKey,
  type CheckpointRecord,
  type CheckpointSelector,
  type CheckpointStore,
  type Chunk,
  type CommitCondition,
  type CommitResult,
  type ListQuery,
  type Page,
  type StoredCheckpoint,
  type ThreadQuery,
  type ThreadSummary,
  type WritesRecord,
} from "@langgraph-savers/core";

import { asSaverError } from "./disk/errors.js";
import { Root } from "./disk/root.js";
import { Journal } from "./journal/journal.js";
import { replayJournals } from "./journal/replay.js";
import { bodyBytes, type ChunkMeta, type FrameContent, type Location } from "./log/frame.js";
import { Logs } from "./log/logs.js";
import type { ThreadLog } from "./log/thread-log.js";
import type { FileStoreOptions } from "./options.js";
import { ThreadNames } from "./thread-names.js";

/** One append-only log per thread; the index of a thread is in memory while its log is in use. */
export class FileStore implements CheckpointStore {
  readonly #root: Root;
  readonly #logs: Logs;
  readonly #names: ThreadNames;
  readonly #durability: FileStoreOptions["durability"];
  #journal: Journal | undefined;

  constructor(path: string, { durability, maxOpenFiles, modes }: FileStoreOptions) {
    this.#root = new Root(path, modes);
    this.#logs = new Logs(this.#root, maxOpenFiles);
    this.#names = new ThreadNames(this.#root);
    this.#durability = durability;
  }

  async setup(): Promise<void> {
    try {
      await this.#root.setup();
      await replayJournals(this.#root, this.#logs);
      if (this.#durability === "group")
        this.#journal ??= await Journal.create(this.#root, (threadId) => this.#logs.distrust(threadId));
    } catch (error) {
      throw asSaverError(`set up ${JSON.stringify(this.#root.path)}`, error);
    }
  }

  async putCheckpoint(
    record: CheckpointRecord,
    chunks: Chunk[],
    condition?: CommitCondition,
  ): Promise<CommitResult> {
    const { source, step, runId } = record.labels;
    const content: FrameContent = {
      kind: "put",
      ns: record.namespace,
      id: record.checkpointId,
      ...(record.parentId === undefined ? {} : { parent: record.parentId }),
      ...(source === undefined ? {} : { source }),
      ...(step === undefined ? {} : { step }),
      ...(runId === undefined ? {} : { run: runId }),
      refs: record.chunks,
      chunks: chunkMetas(chunks),
    };
    const bodies = [record.body, ...chunks.map(({ data }) => data)];
    return this.#commit(record.threadId, content, bodies, condition, record.createdAt);
  }

  async putWrites(record: WritesRecord, chunks: Chunk[], condition?: CommitCondition): Promise<CommitResult> {
    const content: FrameContent = {
      kind: "writes",
      ns: record.namespace,
      id: record.checkpointId,
      task: record.taskId,
      slots: record.slots.map(({ name, replace, chunks: refs }) => [name, replace ? 1 : 0, refs]),
      chunks: chunkMetas(chunks),
    };
    const bodies = [...record.slots.map(({ body }) => body), ...chunks.map(({ data }) => data)];
    return this.#commit(record.threadId, content, bodies, condition);
  }

  async getCheckpoints(selectors: CheckpointSelector[]): Promise<StoredCheckpoint[]> {
    const found: StoredCheckpoint[] = [];
    for (const selector of selectors) {
      const stored = await this.#logs.use(selector.threadId, "read", (log) => readStored(log, selector));
      found.push(stored ?? { ...selector, generation: "", checkpoint: undefined, writes: [] });
    }
    return found;
  }

  async listCheckpoints(query: ListQuery): Promise<Page<StoredCheckpoint>> {
    const threads = query.threadId === undefined ? (await this.#names.all()).ids : [query.threadId];
    const found: CheckpointKey[] = [];
    for (const threadId of threads) {
      await this.#logs.use(threadId, "read", (log) => {
        assertReadable(log);
        for (const [namespace, checkpointId] of log.state.records.select(query))
          found.push({ threadId, namespace, checkpointId });
      });
    }
    const { items, cursor } = keyPage(found, query);
    // What was deleted since is gone from the page too.
    const stored = (await this.getCheckpoints(items)).filter(({ checkpoint }) => checkpoint !== undefined);
    return page(stored, cursor);
  }

  async listAncestors(query: AncestorQuery): Promise<Page<StoredCheckpoint>> {
    const { threadId, namespace } = query;
    const found = await this.#logs.use(threadId, "read", (log) => {
      assertReadable(log);
      const { ids, next } = log.state.records.ancestors(query);
      return page(
        ids.map((checkpointId) => readStored(log, { threadId, namespace, checkpointId })),
        next,
      );
    });
    return found ?? { items: [] };
  }

  async getChunks(threadId: string, generation: string, hashes: string[]): Promise<Chunk[]> {
    const found = await this.#logs.use(threadId, "read", async (log): Promise<Chunk[]> => {
      if (log.state.generation !== generation) return [];
      const places = hashes
        .flatMap((hash) => {
          const place = log.state.chunks.get(hash);
          return place === undefined || log.state.isDamaged(place) ? [] : [{ hash, ...place }];
        })
        .toSorted((a, b) => a.at - b.at);
      const bodies = await log.readBodies(places);
      return places.map(({ hash, index }, at) => ({ hash, index, data: bodies[at]! }));
    });
    return found ?? [];
  }

  async listThreads({ prefix = "", after, limit }: ThreadQuery): Promise<Page<ThreadSummary>> {
    const ids = (await this.#names.all()).ids
      .filter((id) => id.startsWith(prefix) && (after === undefined || compareIds(id, after) > 0))
      .toSorted(compareIds);
    const found: ThreadSummary[] = [];
    for (const id of ids) {
      if (found.length > limit) break;
      const summary = await this.#logs.use(id, "read", ({ state }) => {
        const sum = state.records.summary(id, bodyBytes);
        if (sum !== undefined) for (const chunk of state.chunks.values()) sum.bytes += bodyBytes(chunk);
        return sum;
      });
      if (summary !== undefined) found.push(summary);
    }
    return page(found.slice(0, limit), found.length > limit ? found[limit - 1]!.threadId : undefined);
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.#logs.replace(threadId, "delete");
  }

  /** A commit and a deletion meet in one log, where one of them is first: nothing is ever left over. */
  async finishDeletion(): Promise<void> {}

  /** Writes a thread's log anew with what is live of it; `repair` also gives up what cannot be read. */
  async compact(threadId: string, why: "compact" | "repair"): Promise<void> {
    await this.#logs.replace(threadId, why);
  }

  async threads(): Promise<{ ids: string[]; nameless: string[] }> {
    return this.#names.all();
  }

  async ping(): Promise<void> {
    try {
      await this.#root.setup();
    } catch (error) {
      throw asSaverError(`reach ${JSON.stringify(this.#root.path)}`, error);
    }
  }

  async close(): Promise<void> {
    const journal = this.#journal;
    this.#journal = undefined;
    try {
      await journal?.close();
    } catch (error) {
      throw asSaverError("make the last commits durable in their logs", error);
    } finally {
      this.#logs.close();
    }
  }

  async #commit(
    threadId: string,
    content: FrameContent,
    bodies: Uint8Array[],
    condition: CommitCondition | undefined,
    at?: number,
  ): Promise<CommitResult> {
    for (;;) {
      const result = await this.#logs.use(threadId, "create", async (log) => {
        const { generation } = log.state;
        if (condition !== undefined && condition.generation !== generation)
          return { committed: false, generation };
        const appended = await log.append(content, bodies, at);
        // What it was appended to is void.
        if (appended === undefined) return undefined;
        if (this.#journal !== undefined) await this.#journal.commit(log, appended);
        else if (this.#durability !== "none") await log.sync();
        // Nothing else here ever waits: one who puts and puts must not keep timers and the I/O of others from their turn.
        else await setImmediate();
        return { committed: true, generation };
      });
      if (result !== undefined) return result;
    }
  }
}

function readStored(log: ThreadLog, selector: CheckpointSelector): StoredCheckpoint {
  assertReadable(log);
  const { threadId, namespace } = selector;
  const { checkpointId, checkpoint, writes } = log.state.records.get(namespace, selector.checkpointId);
  const stored: StoredCheckpoint = {
    ...selector,
    generation: log.state.generation,
    checkpoint: undefined,
    writes: [],
  };
  if (checkpointId === undefined) return stored;
  stored.checkpointId = checkpointId;
  if (checkpoint !== undefined) stored.checkpoint = { ...checkpoint, body: bodyOf(log, checkpoint.body) };
  stored.writes = writes.map(({ taskId, slots }) => ({
    threadId,
    namespace,
    checkpointId,
    taskId,
    slots: slots.map((slot) => ({ ...slot, body: bodyOf(log, slot.body) })),
  }));
  return stored;
}

/** None for one that is known to be damaged: what is left of it could pass for something else, such as a newer format. */
function bodyOf(log: ThreadLog, place: Location): Uint8Array {
  return log.state.isDamaged(place) ? new Uint8Array() : log.readBody(place);
}

/**
 * A stretch that cannot be read may hide any checkpoint of the thread, a newer version of it, or writes that belong to
 * it: nothing is answered from what is left as if it were all there was.
 */
function assertReadable({ state, threadId, name }: ThreadLog): void {
  if (state.lost.length === 0) return;
  throw new StoredDataError(
    "CHECKPOINT_DAMAGED",
    `The log ${JSON.stringify(name.path)} of thread ${JSON.stringify(threadId)} is damaged in ${state.lost.length} place(s). ` +
      "Restore it from a backup, or call `repair` to go on with what is intact.",
    { threadId },
  );
}

function chunkMetas(chunks: readonly Chunk[]): ChunkMeta[] {
  return chunks.map(({ hash, index }) => [hash, index ? 1 : 0]);
}
