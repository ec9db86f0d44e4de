import { compareIds } from "./id-order.js";
import { keyPage, page } from "./pages.js";
import type {
  AncestorQuery,
  CheckpointKey,
  CheckpointRecord,
  CheckpointSelector,
  CheckpointStore,
  Chunk,
  CommitCondition,
  CommitResult,
  ListQuery,
  Page,
  StoredCheckpoint,
  ThreadQuery,
  ThreadSummary,
  WritesRecord,
} from "./port.js";
import { entry, ThreadIndex } from "./thread-index.js";

interface Thread {
  generation: string;
  records: ThreadIndex<Uint8Array>;
  chunks: Map<string, Chunk>;
}

/** The reference store: the port's rules in their simplest form. */
export class MemoryStore implements CheckpointStore {
  readonly #threads = new Map<string, Thread>();
  /** How often threads were deleted: the generation of those that are not there. */
  #deletions = 0;

  async setup(): Promise<void> {}

  async putCheckpoint(
    record: CheckpointRecord,
    chunks: Chunk[],
    condition?: CommitCondition,
  ): Promise<CommitResult> {
    return this.#commit(record.threadId, chunks, condition, ({ records }) => records.putCheckpoint(record));
  }

  async putWrites(record: WritesRecord, chunks: Chunk[], condition?: CommitCondition): Promise<CommitResult> {
    return this.#commit(record.threadId, chunks, condition, ({ records }) => {
      records.putWrites(record, record.taskId, record.slots);
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
    const found: ThreadSummary[] = [];
    for (const [id, { records, chunks }] of this.#threads) {
      if (!id.startsWith(prefix) || (after !== undefined && compareIds(id, after) <= 0)) continue;
      const summary = records.summary(id, (body) => body.byteLength);
      if (summary === undefined) continue;
      for (const { data } of chunks.values()) summary.bytes += data.byteLength;
      found.push(summary);
    }
    const sorted = found.toSorted((a, b) => compareIds(a.threadId, b.threadId));
    return page(sorted.slice(0, limit), sorted.length > limit ? sorted[limit - 1]!.threadId : undefined);
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
    if (condition !== undefined && condition.generation !== generation)
      return { committed: false, generation };
    const thread = entry(this.#threads, threadId, () => ({
      generation,
      records: new ThreadIndex<Uint8Array>(),
      chunks: new Map(),
    }));
    for (const chunk of chunks) entry(thread.chunks, chunk.hash, () => chunk);
    apply(thread);
    return { committed: true, generation };
  }

  #generation(threadId: string): string {
    return this.#threads.get(threadId)?.generation ?? String(this.#deletions);
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
