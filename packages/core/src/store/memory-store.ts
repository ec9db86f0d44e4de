import { compareIds } from "./id-order.js";
import type {
  AncestorQuery,
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
  WriteSlot,
  WritesRecord,
} from "./port.js";

interface Thread {
  generation: string;
  namespaces: Map<string, Namespace>;
  chunks: Map<string, Chunk>;
}

interface Namespace {
  checkpoints: Map<string, CheckpointRecord>;
  /** The greatest checkpoint id. */
  newest: string | undefined;
  /** By checkpoint id, then task id, then slot name. */
  writes: Map<string, Map<string, Map<string, WriteSlot>>>;
}

/** The reference store: plain maps, and the port's rules in their simplest form. */
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
    return this.#commit(record, chunks, condition, (namespace) => {
      namespace.checkpoints.set(record.checkpointId, record);
      if (namespace.newest === undefined || compareIds(record.checkpointId, namespace.newest) > 0)
        namespace.newest = record.checkpointId;
    });
  }

  async putWrites(record: WritesRecord, chunks: Chunk[], condition?: CommitCondition): Promise<CommitResult> {
    return this.#commit(record, chunks, condition, (namespace) => {
      const tasks = entry(
        namespace.writes,
        record.checkpointId,
        () => new Map<string, Map<string, WriteSlot>>(),
      );
      const slots = entry(tasks, record.taskId, () => new Map<string, WriteSlot>());
      for (const slot of record.slots) {
        if (slot.replace || !slots.has(slot.name)) slots.set(slot.name, slot);
      }
    });
  }

  async getCheckpoints(selectors: CheckpointSelector[]): Promise<StoredCheckpoint[]> {
    return selectors.map((selector) => this.#read(selector));
  }

  async listCheckpoints(query: ListQuery): Promise<Page<StoredCheckpoint>> {
    const found: Required<CheckpointSelector>[] = [];
    for (const [threadId, thread] of this.#threads) {
      if (query.threadId !== undefined && query.threadId !== threadId) continue;
      for (const [namespace, { checkpoints }] of thread.namespaces) {
        if (query.namespace !== undefined && query.namespace !== namespace) continue;
        for (const checkpointId of checkpoints.keys()) {
          if (query.checkpointId !== undefined && query.checkpointId !== checkpointId) continue;
          if (query.before !== undefined && compareIds(checkpointId, query.before) >= 0) continue;
          found.push({ threadId, namespace, checkpointId });
        }
      }
    }
    const after =
      query.cursor === undefined ? undefined : (JSON.parse(query.cursor) as Required<CheckpointSelector>);
    const rest = found
      .toSorted(newestFirst)
      .filter((key) => after === undefined || newestFirst(after, key) < 0);
    return page(
      rest.slice(0, query.limit).map((key) => this.#read(key)),
      rest.length > query.limit ? JSON.stringify(rest[query.limit - 1]) : undefined,
    );
  }

  async listAncestors(query: AncestorQuery): Promise<Page<StoredCheckpoint>> {
    const { threadId, namespace, limit } = query;
    const visited = new Set<string>();
    const items: StoredCheckpoint[] = [];
    let next = query.checkpointId ?? this.#threads.get(threadId)?.namespaces.get(namespace)?.newest;
    while (next !== undefined && !visited.has(next) && items.length < limit) {
      visited.add(next);
      const stored = this.#read({ threadId, namespace, checkpointId: next });
      if (stored.checkpoint === undefined) return page(items, undefined);
      items.push(stored);
      next = stored.checkpoint.parentId;
    }
    return page(items, next === undefined || visited.has(next) ? undefined : next);
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
    const items = ids.slice(0, limit).map((id) => summarise(id, this.#threads.get(id)!));
    return page(items, ids.length > limit ? ids[limit - 1] : undefined);
  }

  async deleteThread(threadId: string): Promise<void> {
    if (this.#threads.delete(threadId)) this.#deletions += 1;
  }

  async finishDeletion(): Promise<void> {}

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #commit(
    { threadId, namespace }: { threadId: string; namespace: string },
    chunks: Chunk[],
    condition: CommitCondition | undefined,
    apply: (namespace: Namespace) => void,
  ): CommitResult {
    const generation = this.#generation(threadId);
    if (condition !== undefined && condition.generation !== generation)
      return { committed: false, generation };
    const thread = entry(this.#threads, threadId, () => ({
      generation,
      namespaces: new Map(),
      chunks: new Map(),
    }));
    for (const chunk of chunks) entry(thread.chunks, chunk.hash, () => chunk);
    apply(
      entry(thread.namespaces, namespace, () => ({
        checkpoints: new Map(),
        newest: undefined,
        writes: new Map(),
      })),
    );
    return { committed: true, generation };
  }

  #generation(threadId: string): string {
    return this.#threads.get(threadId)?.generation ?? String(this.#deletions);
  }

  #read(selector: CheckpointSelector): StoredCheckpoint {
    const { threadId, namespace: name } = selector;
    const namespace = this.#threads.get(threadId)?.namespaces.get(name);
    const checkpointId = selector.checkpointId ?? namespace?.newest;
    const stored: StoredCheckpoint = {
      ...selector,
      generation: this.#generation(threadId),
      checkpoint: undefined,
      writes: [],
    };
    if (checkpointId === undefined) return stored;
    stored.checkpointId = checkpointId;
    stored.checkpoint = namespace?.checkpoints.get(checkpointId);
    for (const [taskId, slots] of namespace?.writes.get(checkpointId) ?? []) {
      stored.writes.push({ threadId, namespace: name, checkpointId, taskId, slots: [...slots.values()] });
    }
    return stored;
  }
}

function summarise(threadId: string, thread: Thread): ThreadSummary {
  const summary: ThreadSummary = {
    threadId,
    createdAt: Infinity,
    updatedAt: -Infinity,
    namespaces: [...thread.namespaces.keys()].toSorted(compareIds),
    checkpoints: 0,
    bytes: 0,
    last: {},
  };
  for (const { data } of thread.chunks.values()) summary.bytes += data.byteLength;
  for (const { checkpoints, writes } of thread.namespaces.values()) {
    for (const record of checkpoints.values()) {
      summary.checkpoints += 1;
      summary.bytes += record.body.byteLength;
      summary.createdAt = Math.min(summary.createdAt, record.createdAt);
      if (record.createdAt >= summary.updatedAt) {
        summary.updatedAt = record.createdAt;
        summary.last = record.labels;
      }
    }
    for (const tasks of writes.values()) {
      for (const slots of tasks.values())
        for (const { body } of slots.values()) summary.bytes += body.byteLength;
    }
  }
  return summary;
}

/** Greatest checkpoint id first; among equals by thread, then namespace. */
function newestFirst(a: Required<CheckpointSelector>, b: Required<CheckpointSelector>): number {
  return (
    compareIds(b.checkpointId, a.checkpointId) ||
    compareIds(a.threadId, b.threadId) ||
    compareIds(a.namespace, b.namespace)
  );
}

function entry<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}

function page<T>(items: T[], cursor: string | undefined): Page<T> {
  return cursor === undefined ? { items } : { items, cursor };
}
