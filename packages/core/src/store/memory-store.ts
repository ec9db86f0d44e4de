import { listedHashes } from "../codec/hash.js";
import { compareIds } from "./id-order.js";
import { keyPage, page } from "./pages.js";
import type {
  AncestorQuery,
  CheckpointKey,
  CheckpointName,
  CheckpointRecord,
  CheckpointSelector,
  CheckpointStore,
  Chunk,
  Collected,
  CommitCondition,
  CommitResult,
  Deleted,
  ListQuery,
  Page,
  RunQuery,
  StoredCheckpoint,
  ThreadQuery,
  ThreadSummary,
  WritesRecord,
} from "./port.js";
import { reachable } from "./reachable.js";
import { entry, ThreadIndex, type IndexEntry } from "./thread-index.js";

interface Thread {
  generation: string;
  records: ThreadIndex<Uint8Array>;
  chunks: Map<string, StoredChunk>;
  /** What records that are gone referred to, and when they went. */
  released: { at: number; refs: string[] }[];
}

interface StoredChunk extends Chunk {
  /** When it was last sent. */
  since: number;
}

/** The reference store: the port's rules in their simplest form. */
export class MemoryStore implements CheckpointStore {
  readonly #threads = new Map<string, Thread>();
  readonly #registers = new Map<string, Map<string, string>>();
  /** How often threads were deleted: the generation of those that are not there. */
  #deletions = 0;

  async setup(): Promise<void> {}

  async putCheckpoint(
    record: CheckpointRecord,
    chunks: Chunk[],
    condition?: CommitCondition,
  ): Promise<CommitResult> {
    return this.#commit(record.threadId, chunks, condition, (thread) => {
      const before = thread.records.putCheckpoint(record);
      if (before !== undefined) release(thread, [before]);
    });
  }

  async putWrites(record: WritesRecord, chunks: Chunk[], condition?: CommitCondition): Promise<CommitResult> {
    return this.#commit(record.threadId, chunks, condition, (thread) => {
      release(thread, thread.records.putWrites(record, record.taskId, record.slots));
    });
  }

  async getCheckpoints(selectors: CheckpointSelector[]): Promise<StoredCheckpoint[]> {
    return selectors.map((selector) => this.#read(selector));
  }

  async listCheckpoints(query: ListQuery): Promise<Page<StoredCheckpoint>> {
    const found: CheckpointKey[] = [];
    for (const [threadId, { records }] of this.#threads) {
      if (query.threadId !== undefined && query.threadId !== threadId) continue;
      for (const [namespace, checkpointId] of records.select(query))
        found.push({ threadId, namespace, checkpointId });
    }
    const { items, cursor } = keyPage(found, query);
    return page(
      items.map((key) => this.#read(key)),
      cursor,
    );
  }

  async listAncestors(query: AncestorQuery): Promise<Page<StoredCheckpoint>> {
    const { threadId, namespace } = query;
    const chain = this.#threads.get(threadId)?.records.ancestors(query);
    if (chain === undefined) return { items: [] };
    return page(
      chain.ids.map((checkpointId) => this.#read({ threadId, namespace, checkpointId })),
      chain.next,
    );
  }

  async getChunks(threadId: string, generation: string, hashes: string[]): Promise<Chunk[]> {
    const thread = this.#threads.get(threadId);
    if (thread?.generation !== generation) return [];
    return hashes.flatMap((hash) => thread.chunks.get(hash) ?? []);
  }

  async listThreads(query: ThreadQuery): Promise<Page<ThreadSummary>> {
    const { prefix = "", after, limit } = query;
    const ids = [...this.#threads.keys()]
      .filter((id) => id.startsWith(prefix) && (after === undefined || compareIds(id, after) > 0))
      .toSorted(compareIds);
    const found = ids.flatMap((id) => this.#summary(id) ?? []);
    return page(found.slice(0, limit), found.length > limit ? found[limit - 1]!.threadId : undefined);
  }

  async getThread(threadId: string): Promise<ThreadSummary | undefined> {
    return this.#summary(threadId);
  }

  async listRuns(query: RunQuery): Promise<Page<CheckpointKey>> {
    const runs = new Set(query.runIds);
    const found: CheckpointKey[] = [];
    for (const [threadId, { records }] of this.#threads) {
      for (const key of records.ofRuns(runs)) found.push({ threadId, ...key });
    }
    return keyPage(found, query);
  }

  async deleteCheckpoints(threadId: string, names: readonly CheckpointName[]): Promise<Deleted> {
    const deleted: Deleted = { checkpoints: 0, bytes: 0 };
    const thread = this.#threads.get(threadId);
    if (thread === undefined) return deleted;
    for (const { namespace, checkpointId } of names) {
      const gone = thread.records.delete(namespace, checkpointId);
      if (gone.checkpoint !== undefined) deleted.checkpoints += 1;
      for (const { body } of recordsOf(gone)) deleted.bytes += body.byteLength;
      release(thread, recordsOf(gone));
    }
    return deleted;
  }

  async collectChunks(threadId: string, before: number): Promise<Collected> {
    const collected: Collected = { chunks: 0, bytes: 0 };
    const thread = this.#threads.get(threadId);
    if (thread?.released.every(({ at }) => at >= before) ?? true) return collected;
    const { records, chunks } = thread!;
    thread!.released = thread!.released.filter(({ at }) => at >= before);
    const live = [...records.all()].flatMap(([, each]) => recordsOf(each).flatMap((record) => record.chunks));
    const young = thread!.released.flatMap(({ refs }) => refs);
    const needed = reachable([...live, ...young], (hash) => {
      const chunk = chunks.get(hash);
      return chunk?.index === true ? listedHashes(chunk.data) : undefined;
    });
    for (const [hash, { since, data }] of chunks) {
      if (needed.has(hash) || since >= before) continue;
      chunks.delete(hash);
      collected.chunks += 1;
      collected.bytes += data.byteLength;
    }
    return collected;
  }

  async getRegister(threadId: string, name: string): Promise<string | undefined> {
    return this.#registers.get(threadId)?.get(name);
  }

  async setRegister(
    threadId: string,
    name: string,
    value: string | undefined,
    expected: string | undefined,
  ): Promise<boolean> {
    const registers = entry(this.#registers, threadId, () => new Map<string, string>());
    const matches = registers.get(name) === expected;
    if (matches && value === undefined) registers.delete(name);
    if (matches && value !== undefined) registers.set(name, value);
    if (registers.size === 0) this.#registers.delete(threadId);
    return matches;
  }

  async deleteThread(threadId: string): Promise<void> {
    if (this.#threads.delete(threadId)) this.#deletions += 1;
  }

  async finishDeletion(): Promise<void> {}

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #commit(
    threadId: string,
    chunks: Chunk[],
    condition: CommitCondition | undefined,
    apply: (thread: Thread) => void,
  ): CommitResult {
    const generation = this.#generation(threadId);
    const registers = this.#registers.get(threadId);
    if (Object.entries(condition?.registers ?? {}).some(([name, value]) => registers?.get(name) !== value))
      return { committed: false, generation, fenced: true };
    if (condition?.generation !== undefined && condition.generation !== generation)
      return { committed: false, generation };
    const thread = entry(this.#threads, threadId, () => ({
      generation,
      records: new ThreadIndex<Uint8Array>(),
      chunks: new Map(),
      released: [],
    }));
    const since = Date.now();
    for (const chunk of chunks) thread.chunks.set(chunk.hash, { ...chunk, since });
    apply(thread);
    return { committed: true, generation };
  }

  #generation(threadId: string): string {
    return this.#threads.get(threadId)?.generation ?? String(this.#deletions);
  }

  #summary(threadId: string): ThreadSummary | undefined {
    const thread = this.#threads.get(threadId);
    const summary = thread?.records.summary(threadId, (body) => body.byteLength);
    if (summary !== undefined)
      for (const { data } of thread!.chunks.values()) summary.bytes += data.byteLength;
    return summary;
  }

  #read(selector: CheckpointSelector): StoredCheckpoint {
    const { threadId, namespace } = selector;
    const found = this.#threads.get(threadId)?.records.get(namespace, selector.checkpointId);
    const stored: StoredCheckpoint = {
      ...selector,
      generation: this.#generation(threadId),
      checkpoint: found?.checkpoint,
      writes: [],
    };
    const checkpointId = found?.checkpointId;
    if (checkpointId === undefined) return stored;
    stored.checkpointId = checkpointId;
    stored.writes = found!.writes.map((writes) => ({ threadId, namespace, checkpointId, ...writes }));
    return stored;
  }
}

type Referring = { chunks: string[]; body: Uint8Array };

function recordsOf({ checkpoint, writes }: IndexEntry<Uint8Array>): Referring[] {
  return [...(checkpoint === undefined ? [] : [checkpoint]), ...writes.flatMap(({ slots }) => slots)];
}

function release(thread: Thread, gone: readonly { chunks: string[] }[]): void {
  const refs = gone.flatMap(({ chunks }) => chunks);
  if (refs.length > 0) thread.released.push({ at: Date.now(), refs });
}
