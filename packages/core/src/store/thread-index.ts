import { compareIds } from "./id-order.js";
import type {
  AncestorQuery,
  CheckpointKey,
  CheckpointName,
  CheckpointRecord,
  ListQuery,
  ThreadSummary,
  WriteSlot,
} from "./port.js";
import { ThreadSum } from "./thread-sum.js";

/** A record whose body may be elsewhere: `Body` is the bytes, or says where they are. */
export type IndexedCheckpoint<Body> = Omit<CheckpointRecord, "body"> & { body: Body };
/** Where a write of a task is in a `ThreadIndex`. */
export type IndexedSlot<Body> = Omit<WriteSlot, "body"> & { body: Body };

/** What there is of one checkpoint. */
export interface IndexEntry<Body> {
  /** Undefined only where the newest was asked for and there is none. */
  checkpointId: string | undefined;
  checkpoint: IndexedCheckpoint<Body> | undefined;
  writes: { taskId: string; slots: IndexedSlot<Body>[] }[];
}

interface Namespace<Body> {
  checkpoints: Map<string, IndexedCheckpoint<Body>>;
  /** Ids by descending order; made when asked for. */
  sorted: string[] | undefined;
  newest: string | undefined;
  /** By checkpoint id, then task id, then slot name. */
  writes: Map<string, Map<string, Map<string, IndexedSlot<Body>>>>;
}

/** The records of one thread in memory, under the port's rules: for stores that keep their index in the process. */
export class ThreadIndex<Body> {
  readonly #namespaces = new Map<string, Namespace<Body>>();

  /** Returns the record that it replaces. */
  putCheckpoint(record: IndexedCheckpoint<Body>): IndexedCheckpoint<Body> | undefined {
    const namespace = this.#namespace(record.namespace);
    const id = record.checkpointId;
    const before = namespace.checkpoints.get(id);
    if (before === undefined) namespace.sorted = undefined;
    namespace.checkpoints.set(id, record);
    if (namespace.newest === undefined || compareIds(id, namespace.newest) > 0) namespace.newest = id;
    return before;
  }

  /** Merges the slots; returns those that are no longer, or not, part of the record. */
  putWrites(key: CheckpointKey, taskId: string, slots: readonly IndexedSlot<Body>[]): IndexedSlot<Body>[] {
    const { writes } = this.#namespace(key.namespace);
    const tasks = entry(writes, key.checkpointId, () => new Map<string, Map<string, IndexedSlot<Body>>>());
    const stored = entry(tasks, taskId, () => new Map<string, IndexedSlot<Body>>());
    const dropped: IndexedSlot<Body>[] = [];
    for (const slot of slots) {
      const before = stored.get(slot.name);
      if (before !== undefined) dropped.push(slot.replace ? before : slot);
      if (before === undefined || slot.replace) stored.set(slot.name, slot);
    }
    return dropped;
  }

  /** Removes a checkpoint with its writes, and returns what was there of it. */
  delete(namespace: string, checkpointId: string): IndexEntry<Body> {
    const found = this.get(namespace, checkpointId);
    const there = this.#namespaces.get(namespace);
    if (there === undefined) return found;
    there.writes.delete(checkpointId);
    if (there.checkpoints.delete(checkpointId)) {
      there.sorted = undefined;
      if (there.newest === checkpointId) there.newest = sortedIds(there)[0];
    }
    if (there.checkpoints.size === 0 && there.writes.size === 0) this.#namespaces.delete(namespace);
    return found;
  }

  /** A checkpoint by id, or the newest of the namespace. */
  get(name: string, id?: string): IndexEntry<Body> {
    const namespace = this.#namespaces.get(name);
    const checkpointId = id ?? namespace?.newest;
    const found: IndexEntry<Body> = { checkpointId, checkpoint: undefined, writes: [] };
    if (checkpointId === undefined) return found;
    found.checkpoint = namespace?.checkpoints.get(checkpointId);
    for (const [taskId, slots] of namespace?.writes.get(checkpointId) ?? [])
      found.writes.push({ taskId, slots: [...slots.values()] });
    return found;
  }

  /** The ids that a query asks for, newest first in each namespace: of each no more than a page can take. */
  *select(query: ListQuery): Generator<[namespace: string, checkpointId: string]> {
    const { before, checkpointId, cursor, limit } = query;
    const last = cursor === undefined ? undefined : (JSON.parse(cursor) as CheckpointKey).checkpointId;
    for (const [name, namespace] of this.#namespaces) {
      if (query.namespace !== undefined && query.namespace !== name) continue;
      if (checkpointId !== undefined) {
        const isBefore = before === undefined || compareIds(checkpointId, before) < 0;
        if (isBefore && namespace.checkpoints.has(checkpointId)) yield [name, checkpointId];
        continue;
      }
      const ids = sortedIds(namespace);
      const start = Math.max(
        before === undefined ? 0 : firstOf(ids, (id) => compareIds(id, before) < 0),
        last === undefined ? 0 : firstOf(ids, (id) => compareIds(id, last) <= 0),
      );
      // The cursor's own id may be on the page before; one more than fits tells that there is another page.
      for (const id of ids.slice(start, start + limit + 2)) yield [name, id];
    }
  }

  /** The parent chain from a checkpoint (or the newest) on, and where the next page begins. */
  ancestors({ namespace, checkpointId, limit }: AncestorQuery): { ids: string[]; next: string | undefined } {
    const visited = new Set<string>();
    let next = checkpointId ?? this.#namespaces.get(namespace)?.newest;
    while (next !== undefined && !visited.has(next) && visited.size < limit) {
      const record = this.#namespaces.get(namespace)?.checkpoints.get(next);
      if (record === undefined) return { ids: [...visited], next: undefined };
      visited.add(next);
      next = record.parentId;
    }
    return { ids: [...visited], next: next === undefined || visited.has(next) ? undefined : next };
  }

  /** Every checkpoint and batch of writes, in no particular order. */
  *all(): Generator<[namespace: string, entry: IndexEntry<Body>]> {
    for (const [name, { checkpoints, writes }] of this.#namespaces) {
      for (const id of new Set([...checkpoints.keys(), ...writes.keys()])) yield [name, this.get(name, id)];
    }
  }

  /** The checkpoints that one of these runs put. */
  *ofRuns(runIds: ReadonlySet<string>): Generator<CheckpointName> {
    for (const [namespace, { checkpoints }] of this.#namespaces) {
      for (const [checkpointId, { labels }] of checkpoints)
        if (labels.runId !== undefined && runIds.has(labels.runId)) yield { namespace, checkpointId };
    }
  }

  /** Undefined when there is no checkpoint. `bytes` counts the bodies. */
  summary(threadId: string, sizeOf: (body: Body) => number): ThreadSummary | undefined {
    const sum = new ThreadSum();
    for (const [, { checkpoint, writes }] of this.all()) {
      for (const { slots } of writes) for (const { body } of slots) sum.bytes += sizeOf(body);
      if (checkpoint === undefined) continue;
      sum.bytes += sizeOf(checkpoint.body);
      sum.add(checkpoint);
    }
    return sum.of(threadId);
  }

  #namespace(name: string): Namespace<Body> {
    return entry(this.#namespaces, name, () => ({
      checkpoints: new Map(),
      sorted: undefined,
      newest: undefined,
      writes: new Map(),
    }));
  }
}

function sortedIds<Body>(namespace: Namespace<Body>): string[] {
  namespace.sorted ??= [...namespace.checkpoints.keys()].toSorted((a, b) => compareIds(b, a));
  return namespace.sorted;
}

/** The first place from which on the condition holds, where it holds for all that come later. */
function firstOf(ids: readonly string[], holds: (id: string) => boolean): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(ids[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function entry<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}
