import {
  compareIds,
  keyPage,
  page,
  type AncestorQuery,
  type CheckpointKey,
  type CheckpointName,
  type CheckpointRecord,
  type CheckpointSelector,
  type CheckpointStore,
  type Chunk,
  type Collected,
  type CommitCondition,
  type CommitResult,
  type Deleted,
  type ListQuery,
  type Page,
  type RunQuery,
  type StoredCheckpoint,
  type ThreadQuery,
  type ThreadSummary,
  type WritesRecord,
} from "@langgraph-savers/core";

import { asSaverError } from "./disk/errors.js";
import { Root } from "./disk/root.js";
import { DurableAppends } from "./durable-appends.js";
import { replayJournals } from "./journal/replay.js";
import type { ChunkMeta, FrameContent } from "./log/frame.js";
import { wasteOf } from "./log/kept-chunks.js";
import { Logs } from "./log/logs.js";
import { assertReadable, readStored, summaryOf } from "./log/stored.js";
import type { Appended, ThreadLog } from "./log/thread-log.js";
import type { FileStoreOptions } from "./options.js";
import { sweepLogs, sweepNeighbours } from "./sweep.js";
import { ThreadNames } from "./thread-names.js";

/** Checkpoints that one frame deletes, at most. */
const DELETED_AT_ONCE = 1000;

/** What was to be appended is void, and goes to the log's successor. */
const AGAIN = Symbol("again");

/** One append-only log per thread; the index of a thread is in memory while its log is in use. */
export class FileStore implements CheckpointStore {
  readonly #root: Root;
  readonly #logs: Logs;
  readonly #names: ThreadNames;
  readonly #appends: DurableAppends;

  constructor(path: string, { durability, maxOpenFiles, modes }: FileStoreOptions) {
    this.#root = new Root(path, modes);
    this.#logs = new Logs(this.#root, maxOpenFiles, durability !== "none");
    this.#names = new ThreadNames(this.#root);
    this.#appends = new DurableAppends(this.#root, durability, (threadId) => this.#logs.distrust(threadId));
  }

  async setup(): Promise<void> {
    try {
      await this.#root.setup();
      await replayJournals(this.#root, this.#logs);
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
    const at = Date.now();
    const content: FrameContent = {
      kind: "put",
      ns: record.namespace,
      id: record.checkpointId,
      refs: record.chunks,
      chunks: chunkMetas(chunks),
    };
    if (record.createdAt !== at) content.age = at - record.createdAt;
    if (record.parentId !== undefined) content.parent = record.parentId;
    if (source !== undefined) content.source = source;
    if (step !== undefined) content.step = step;
    if (runId !== undefined) content.run = runId;
    const bodies = [record.body, ...chunks.map(({ data }) => data)];
    return this.#commit(record.threadId, content, bodies, condition, at);
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
      const summary = await this.getThread(id);
      if (summary !== undefined) found.push(summary);
    }
    return page(found.slice(0, limit), found.length > limit ? found[limit - 1]!.threadId : undefined);
  }

  async getThread(threadId: string): Promise<ThreadSummary | undefined> {
    return this.#logs.use(threadId, "read", summaryOf);
  }

  /** Thread by thread: what a page has gone past is not looked at again for the next one. */
  async listRuns({ runIds, limit, cursor }: RunQuery): Promise<Page<CheckpointKey>> {
    const runs = new Set(runIds);
    const after = cursor === undefined ? undefined : (JSON.parse(cursor) as CheckpointKey);
    const found: CheckpointKey[] = [];
    for (const threadId of (await this.#names.all()).ids.toSorted(compareIds)) {
      if (found.length > limit) break;
      if (after !== undefined && compareIds(threadId, after.threadId) < 0) continue;
      const keys = await this.#logs.use(threadId, "read", (log) => {
        assertReadable(log);
        return [...log.state.records.ofRuns(runs)].map((name): CheckpointKey => ({ threadId, ...name }));
      });
      const rest = (keys ?? []).filter((key) => after === undefined || inOrder(after, key) < 0);
      found.push(...rest.toSorted(inOrder));
    }
    return page(found.slice(0, limit), found.length > limit ? JSON.stringify(found[limit - 1]) : undefined);
  }

  async deleteCheckpoints(threadId: string, names: readonly CheckpointName[]): Promise<Deleted> {
    const deleted: Deleted = { checkpoints: 0, bytes: 0 };
    for (let at = 0; at < names.length; at += DELETED_AT_ONCE) {
      const batch = names.slice(at, at + DELETED_AT_ONCE);
      const { checkpoints, bytes } = await this.#deleteBatch(threadId, batch);
      deleted.checkpoints += checkpoints;
      deleted.bytes += bytes;
    }
    return deleted;
  }

  async collectChunks(threadId: string, before: number): Promise<Collected> {
    const waste = await this.#logs.use(threadId, "read", (log) => {
      assertReadable(log);
      return wasteOf(log, before);
    });
    if (waste === undefined) return { chunks: 0, bytes: 0 };
    await this.#logs.replace(threadId, "compact", before);
    return waste;
  }

  /** What a power loss could still undo is not given out: others build on it. */
  async getRegister(threadId: string, name: string): Promise<string | undefined> {
    return this.#logs.use(threadId, "read", async (log) => {
      assertReadable(log);
      const value = log.state.registers.get(name);
      await this.#appends.settle(log);
      return value;
    });
  }

  async setRegister(
    threadId: string,
    name: string,
    value: string | undefined,
    expected: string | undefined,
  ): Promise<boolean> {
    const content: FrameContent = {
      kind: "register",
      name,
      value: value ?? null,
      expected: expected ?? null,
    };
    const needsLog = expected === undefined && value !== undefined;
    const done = await this.#append(threadId, needsLog ? "create" : "write", async (log) => {
      assertReadable(log);
      if (log.state.registers.get(name) !== expected) return false;
      const appended = await this.#add(log, content, []);
      return appended === undefined ? AGAIN : this.#appends.commit(log, appended);
    });
    return done ?? expected === undefined;
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.#logs.replace(threadId, "delete");
    // The thread is deleted, whatever becomes of what others have left: the next deletion tries again.
    await sweepNeighbours(this.#root, threadId).catch(() => {});
  }

  /** A commit and a deletion meet in one log, where one of them is first: nothing is ever left over. */
  async finishDeletion(): Promise<void> {}

  /** Writes a thread's log anew with what is live of it; `repair` also gives up what cannot be read. */
  async compact(threadId: string, why: "compact" | "repair"): Promise<void> {
    await this.#logs.replace(threadId, why);
  }

  /** Removes what deleted threads have left. */
  async sweep(): Promise<void> {
    try {
      await sweepLogs(this.#root, this.#root.allLogs());
    } catch (error) {
      throw asSaverError("remove the logs of deleted threads", error);
    }
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
    try {
      await this.#appends.close();
    } finally {
      this.#logs.close();
    }
  }

  async #commit(
    threadId: string,
    content: Extract<FrameContent, { kind: "put" | "writes" }>,
    bodies: Uint8Array[],
    condition: CommitCondition = {},
    at?: number,
  ): Promise<CommitResult> {
    const registers = Object.keys(condition.registers ?? {}).length > 0 ? condition.registers : undefined;
    const frame: FrameContent = registers === undefined ? content : { ...content, registers };
    const purpose = registers === undefined ? "create" : "write";
    const result = await this.#append(threadId, purpose, async (log) => {
      const { generation } = log.state;
      if (registers !== undefined) assertReadable(log);
      if (!log.state.matches(registers)) return { committed: false, generation, fenced: true };
      if (condition.generation !== undefined && condition.generation !== generation)
        return { committed: false, generation };
      const appended = await this.#add(log, frame, bodies, at);
      if (appended === undefined) return AGAIN;
      const committed = await this.#appends.commit(log, appended);
      return { committed, generation, ...(committed ? {} : { fenced: true }) };
    });
    // A thread that has nothing has no registers either.
    return result ?? { committed: false, generation: "", fenced: true };
  }

  async #deleteBatch(threadId: string, names: readonly CheckpointName[]): Promise<Deleted> {
    const deleted = await this.#append(threadId, "write", async (log) => {
      assertReadable(log);
      const keys = names
        .filter(({ namespace, checkpointId }) => {
          const { checkpoint, writes } = log.state.records.get(namespace, checkpointId);
          return checkpoint !== undefined || writes.length > 0;
        })
        .map(({ namespace, checkpointId }): [string, string] => [namespace, checkpointId]);
      if (keys.length === 0) return undefined;
      const appended = await this.#add(log, { kind: "delete", keys }, []);
      if (appended === undefined) return AGAIN;
      await this.#appends.commit(log, appended);
      return appended.effect.deleted;
    });
    return deleted ?? { checkpoints: 0, bytes: 0 };
  }

  /** Runs `work` on the thread's log until one takes what it appends. Undefined where there is none. */
  async #append<T>(
    threadId: string,
    purpose: "write" | "create",
    work: (log: ThreadLog) => Promise<T | typeof AGAIN>,
  ): Promise<T | undefined> {
    return this.#appends.during(async () => {
      for (;;) {
        const done = await this.#logs.use(threadId, purpose, work);
        if (done !== AGAIN) return done;
      }
    });
  }

  /** With a copy of the frame where a journal wants it. */
  #add(
    log: ThreadLog,
    content: FrameContent,
    bodies: readonly Uint8Array[],
    at?: number,
  ): Promise<Appended | undefined> {
    return log.append(content, bodies, at, {}, this.#appends.wantsCopies);
  }
}

function inOrder(a: CheckpointKey, b: CheckpointKey): number {
  return (
    compareIds(a.threadId, b.threadId) ||
    compareIds(a.namespace, b.namespace) ||
    compareIds(a.checkpointId, b.checkpointId)
  );
}

function chunkMetas(chunks: readonly Chunk[]): ChunkMeta[] {
  return chunks.map(({ hash, index }) => [hash, index ? 1 : 0]);
}
