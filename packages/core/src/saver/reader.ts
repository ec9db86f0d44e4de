import type { Checkpoint, CheckpointMetadata, CheckpointTuple } from "@langchain/langgraph-checkpoint";

import type { Sealer } from "../codec/envelope.js";
import type { ValueRef } from "../codec/value-ref.js";
import { isSaverError, quoteId } from "../errors.js";
import type {
  CheckpointKey,
  CheckpointSelector,
  CheckpointStore,
  ListQuery,
  StoredCheckpoint,
} from "../store/port.js";
import { compareIds } from "../store/id-order.js";
import { ChunkReader } from "./chunk-reader.js";
import { matches } from "./filter.js";
import { fillPendingSends, hasPendingSends, type NextVersion } from "./pending-sends.js";
import { errorPlace, openCheckpoint, openWrites, type OpenCheckpoint, type OpenWrite } from "./records.js";
import { keepPlaces } from "./task-writes.js";
import type { ThreadCache } from "./thread-cache.js";
import type { Values } from "./values.js";

export interface ReaderParts {
  store: CheckpointStore;
  sealer: Sealer;
  values: Values;
  cache: ThreadCache;
  nextVersion: NextVersion;
}

/** A stored checkpoint with its records opened and the chunks of its values at hand. */
export interface Opened {
  stored: StoredCheckpoint;
  open: OpenCheckpoint;
  writes: OpenWrite[];
  chunks: ChunkReader;
}

export interface Skeleton {
  checkpoint: Omit<Checkpoint, "channel_values">;
  metadata: CheckpointMetadata;
}

const FIRST_PAGE = 16;
const LARGEST_PAGE = 256;
/** Deletions that a reader follows before it takes missing data for damage. */
export const MAX_GENERATIONS = 5;

/** The read half of the engine: records, then all their chunks at once, then tuples. */
export class Reader {
  readonly #parts: ReaderParts;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  async getTuple(selector: CheckpointSelector): Promise<CheckpointTuple | undefined> {
    const [stored] = await this.#parts.store.getCheckpoints([selector]);
    return this.#tupleOf(stored!, selector);
  }

  /** Newest first, page by page; what the consumer does not ask for is not read. */
  async *list(
    query: Omit<ListQuery, "limit" | "cursor">,
    filter: Record<string, unknown> | undefined,
    limit: number,
  ): AsyncGenerator<CheckpointTuple> {
    let left = limit;
    let size = FIRST_PAGE;
    let cursor: string | undefined;
    while (left > 0) {
      const pageSize = filter === undefined ? Math.min(size, left) : size;
      const page = await this.#parts.store.listCheckpoints({
        ...query,
        limit: pageSize,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const opened = await this.#openPage(page.items, filter);
      for (const stored of page.items) {
        const tuple = await this.#tupleOf(stored, keyOf(stored), opened.get(stored), filter);
        if (tuple === undefined) continue;
        yield tuple;
        left -= 1;
        if (left <= 0) return;
      }
      if (page.cursor === undefined) return;
      cursor = page.cursor;
      size = Math.min(size * 4, LARGEST_PAGE);
    }
  }

  /** Opens a stored checkpoint; its chunks are fetched by `chunks.fetch`. */
  opened(stored: StoredCheckpoint, chunks = this.chunkReader(stored)): Opened {
    const key = keyOf(stored);
    const { sealer, cache } = this.#parts;
    const open = openCheckpoint(sealer, key, stored.checkpoint!);
    cache.sawGeneration(stored.threadId, stored.generation);
    cache.addCheckpoint(stored.generation, open);
    return { stored, open, writes: this.sortedWrites(stored), chunks };
  }

  /** By task path, then task id, then idx. */
  sortedWrites(stored: StoredCheckpoint): OpenWrite[] {
    return stored.writes
      .flatMap((record) => openWrites(this.#parts.sealer, keyOf(stored), record))
      .toSorted(
        (a, b) => compareIds(a.taskPath, b.taskPath) || compareIds(a.taskId, b.taskId) || a.idx - b.idx,
      );
  }

  chunkReader({ threadId, generation }: StoredCheckpoint): ChunkReader {
    const { store, sealer, cache } = this.#parts;
    return new ChunkReader(store, sealer, cache, threadId, generation);
  }

  async loadWrite(
    key: CheckpointKey,
    { taskId, channel, ref }: OpenWrite,
    chunks: ChunkReader,
  ): Promise<unknown> {
    return this.#load(
      ref,
      `write to channel ${quoteId(channel)}`,
      { ...errorPlace(key), taskId, channel },
      chunks,
    );
  }

  async loadChannel(
    key: CheckpointKey,
    channel: string,
    ref: ValueRef,
    chunks: ChunkReader,
  ): Promise<unknown> {
    return this.#load(ref, `channel ${quoteId(channel)}`, { ...errorPlace(key), channel }, chunks);
  }

  async #load(ref: ValueRef, label: string, place: object, chunks: ChunkReader): Promise<unknown> {
    return this.#parts.values.load(ref.type, chunks.read(ref, label, place), label, place);
  }

  /**
   * The tuple, or undefined when it is not stored or the filter leaves it out. Data that is missing because the thread was
   * deleted between two reads is not damage: the reader looks again until the thread holds still.
   */
  async #tupleOf(
    first: StoredCheckpoint,
    selector: CheckpointSelector,
    openedFirst?: Opened,
    filter?: Record<string, unknown>,
  ): Promise<CheckpointTuple | undefined> {
    let stored = first;
    let opened = openedFirst;
    for (let attempt = 1; ; attempt++) {
      if (stored.checkpoint === undefined) return undefined;
      try {
        return await this.#assemble(opened ?? this.opened(stored), filter);
      } catch (error) {
        if (!isSaverError(error) || error.code !== "CHECKPOINT_DAMAGED") throw error;
        const now = await this.#insteadOf(stored, selector);
        if (now === undefined || attempt === MAX_GENERATIONS) throw error;
        stored = now;
        opened = undefined;
      }
    }
  }

  async #assemble(opened: Opened, filter?: Record<string, unknown>): Promise<CheckpointTuple | undefined> {
    const { open, writes, chunks, stored } = opened;
    const key = keyOf(stored);
    if (filter === undefined) await chunks.fetch(allRefs(opened));
    const { checkpoint: skeleton, metadata } = await this.skeleton(opened);
    if (!matches(metadata, filter)) return undefined;
    if (filter !== undefined) await chunks.fetch(allRefs(opened));

    const channel_values: Record<string, unknown> = {};
    for (const [channel, { ref }] of open.channels) {
      const value = await this.loadChannel(key, channel, ref, chunks);
      // An assignment to `__proto__` would not make a key.
      Object.defineProperty(channel_values, channel, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    const pendingWrites: [string, string, unknown][] = [];
    for (const write of writes) {
      pendingWrites.push([write.taskId, write.channel, await this.loadWrite(key, write, chunks)]);
    }
    keepPlaces(pendingWrites, writes);
    const checkpoint: Checkpoint = { ...skeleton, channel_values };
    if (hasPendingSends(checkpoint, open.parentId)) {
      await fillPendingSends(
        checkpoint,
        await this.#parentWrites(key, open.parentId),
        this.#parts.nextVersion,
      );
    }
    const tuple: CheckpointTuple = { config: configOf(key), checkpoint, metadata, pendingWrites };
    if (open.parentId !== undefined) tuple.parentConfig = configOf({ ...key, checkpointId: open.parentId });
    return tuple;
  }

  /** All of a checkpoint but its values and writes. */
  async skeleton({ open, chunks, stored }: Opened): Promise<Skeleton> {
    await chunks.fetch([open.skeleton]);
    const place = errorPlace(keyOf(stored));
    return (await this.#load(open.skeleton, "checkpoint's metadata", place, chunks)) as Skeleton;
  }

  /**
   * Asked when something of a stored checkpoint is missing: whether it has gone since it was read, alone or with its
   * thread, so that this is no damage.
   */
  async isGone(stored: StoredCheckpoint): Promise<boolean> {
    return (await this.#insteadOf(stored, keyOf(stored))) !== undefined;
  }

  /** What is there now, if what was read for the selector has gone since: perhaps another one, or none. */
  async #insteadOf(
    stored: StoredCheckpoint,
    selector: CheckpointSelector,
  ): Promise<StoredCheckpoint | undefined> {
    const { store } = this.#parts;
    await store.finishDeletion(stored.threadId);
    const [now] = await store.getCheckpoints([selector]);
    const isSame = now!.checkpointId === stored.checkpointId && now!.generation === stored.generation;
    return now!.checkpoint !== undefined && isSame ? undefined : now;
  }

  /** What is read of a stored checkpoint; undefined where it has gone meanwhile. */
  async unlessGone<T>(stored: StoredCheckpoint, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!isSaverError(error) || error.code !== "CHECKPOINT_DAMAGED" || !(await this.isGone(stored)))
        throw error;
      return undefined;
    }
  }

  /** The values of the parent's writes, in their order, with the channels that they go to. */
  async #parentWrites(key: CheckpointKey, parentId: string): Promise<[string, unknown][]> {
    const [parent] = await this.#parts.store.getCheckpoints([{ ...key, checkpointId: parentId }]);
    const chunks = this.chunkReader(parent!);
    const writes = this.sortedWrites(parent!);
    await chunks.fetch(writes.map(({ ref }) => ref));
    const parentKey = keyOf(parent!);
    return Promise.all(
      writes.map(
        async (write) => [write.channel, await this.loadWrite(parentKey, write, chunks)] as [string, unknown],
      ),
    );
  }

  /**
   * Opens the records of a page and fetches what its tuples need in one go: everything, or only what the filter
   * looks at and then the rest of the matches.
   */
  async #openPage(
    page: StoredCheckpoint[],
    filter: Record<string, unknown> | undefined,
  ): Promise<Map<StoredCheckpoint, Opened>> {
    const readers = new Map<string, ChunkReader>();
    const opened = new Map<StoredCheckpoint, Opened>();
    for (const stored of page) {
      const thread = `${stored.generation} ${stored.threadId}`;
      const reader = readers.get(thread) ?? this.chunkReader(stored);
      readers.set(thread, reader);
      try {
        opened.set(stored, this.opened(stored, reader));
      } catch (error) {
        // The consumer hears of it when it comes to this checkpoint, after those before it.
        if (!isSaverError(error)) throw error;
      }
    }
    const items = [...opened.values()];
    if (filter === undefined) {
      await fetchAll(items, allRefs);
      return opened;
    }
    await fetchAll(items, ({ open }) => [open.skeleton]);
    const matching: Opened[] = [];
    for (const item of items) if (await this.#matchesSafely(item, filter)) matching.push(item);
    await fetchAll(matching, allRefs);
    return opened;
  }

  async #matchesSafely(opened: Opened, filter: Record<string, unknown>): Promise<boolean> {
    try {
      return matches((await this.skeleton(opened)).metadata, filter);
    } catch (error) {
      if (isSaverError(error)) return false;
      throw error;
    }
  }
}

/** One call per thread, all at once. */
async function fetchAll(items: Opened[], refsOf: (item: Opened) => ValueRef[]): Promise<void> {
  const byReader = new Map<ChunkReader, ValueRef[]>();
  for (const item of items)
    byReader.set(item.chunks, [...(byReader.get(item.chunks) ?? []), ...refsOf(item)]);
  await Promise.all([...byReader].map(([reader, refs]) => reader.fetch(refs)));
}

function allRefs({ open, writes }: Opened): ValueRef[] {
  return [
    open.skeleton,
    ...[...open.channels.values()].map(({ ref }) => ref),
    ...writes.map(({ ref }) => ref),
  ];
}

/** Only called for what has an id: selected by one, or found. */
export function keyOf({ threadId, namespace, checkpointId }: CheckpointSelector): CheckpointKey {
  return { threadId, namespace, checkpointId: checkpointId! };
}

function configOf({ threadId, namespace, checkpointId }: CheckpointKey): CheckpointTuple["config"] {
  return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } };
}
