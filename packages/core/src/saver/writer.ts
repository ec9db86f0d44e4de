import { WRITES_IDX_MAP, type Checkpoint, type CheckpointMetadata } from "@langchain/langgraph-checkpoint";

import type { Sealer } from "../codec/envelope.js";
import { ChunkCollector, type ValueRef } from "../codec/value-ref.js";
import { describePlace, quoteId, SaverError } from "../errors.js";
import type {
  CheckpointKey,
  CheckpointStore,
  Chunk,
  CommitCondition,
  CommitResult,
  Labels,
} from "../store/port.js";
import { listedHashes } from "../codec/hash.js";
import { isWellFormed } from "./config.js";
import { errorPlace, openCheckpoint, sealCheckpoint, sealWrites } from "./records.js";
import type { OpenChannel, OpenCheckpoint, Version } from "./records.js";
import type { ThreadCache } from "./thread-cache.js";
import type { NamedValue, Values } from "./values.js";

export interface WriterParts {
  store: CheckpointStore;
  sealer: Sealer;
  values: Values;
  cache: ThreadCache;
  /** Awaited before the first I/O, and after all values are serialised. */
  ready: () => Promise<void>;
}

export interface PutInput {
  key: CheckpointKey;
  parentId: string | undefined;
  checkpoint: Checkpoint;
  metadata: CheckpointMetadata;
  newVersions: Record<string, unknown>;
  runId: string | undefined;
}

export interface PutWritesInput {
  key: CheckpointKey;
  taskId: string;
  taskPath: string;
  writes: readonly [channel: string, value: unknown][];
}

type Commit = (chunks: Chunk[], condition?: CommitCondition) => Promise<CommitResult>;

/** The write half of the engine: encode everything, then commit chunks and record in one call to the store. */
export class Writer {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  async put(input: PutInput): Promise<void> {
    const { sealer, values, cache, ready, store } = this.#parts;
    const { key, parentId, checkpoint } = input;
    const { threadId } = key;
    const parentKey = parentId === undefined ? undefined : { ...key, checkpointId: parentId };
    const knownParent = parentKey && cache.checkpoint(parentKey);
    let generation = cache.generation(threadId);

    const passed = passedValues(input, knownParent);
    const metadata = withRunId(input.metadata, input.runId);
    const { channel_values: _, ...skeleton } = checkpoint;
    const createdAt = Date.now();
    const labels = labelsOf(metadata, input.runId);
    const versions: Record<string, Version> = { ...checkpoint.channel_versions };
    const changed = new Set(Object.keys(input.newVersions));
    const named: NamedValue[] = passed.map(([channel, value]) => {
      return { value, label: `channel ${quoteId(channel)}`, place: { ...errorPlace(key), channel } };
    });
    const dumping = values.dumpAll([
      { value: { checkpoint: skeleton, metadata }, label: "checkpoint's metadata", place: errorPlace(key) },
      ...named,
    ]);
    const [dumpedSkeleton, ...dumped] = await dumping;
    await ready();

    let parent = knownParent;
    if (parentKey !== undefined && parent === undefined) {
      const [stored] = await store.getCheckpoints([parentKey]);
      generation = stored!.generation;
      cache.sawGeneration(threadId, generation);
      parent = stored!.checkpoint && openCheckpoint(sealer, parentKey, stored!.checkpoint);
    }

    const collector = new ChunkCollector((plain, index) => sealer.address(threadId, plain, index));
    const skeletonRef = collector.add(...dumpedSkeleton!);
    const channels = new Map<string, OpenChannel>();
    const carried: ValueRef[] = [];
    // A version number alone identifies no value (forks count alike), but this parent's value at that version is it.
    for (const [channel, version] of Object.entries(versions)) {
      const held = changed.has(channel) ? undefined : parent?.channels.get(channel);
      if (held === undefined || held.version !== version) continue;
      channels.set(channel, held);
      carried.push(held.ref);
    }
    passed.forEach(([channel], at) => {
      if (channels.has(channel)) return;
      const version = Object.hasOwn(versions, channel) ? versions[channel] : undefined;
      channels.set(channel, { version, ref: collector.add(...dumped[at]!) });
    });

    // Exit durability puts a checkpoint again as its own parent: it keeps the parent that it had.
    const ownParent = parentId === key.checkpointId ? parent?.parentId : parentId;
    const open: OpenCheckpoint = {
      ...key,
      parentId: ownParent,
      createdAt,
      labels,
      skeleton: skeletonRef,
      channels,
    };
    const record = sealCheckpoint(sealer, open);
    const result = await this.#commit(key, generation, collector, carried, (chunks, condition) => {
      return store.putCheckpoint(record, chunks, condition);
    });
    cache.addCheckpoint(result.generation, open);
  }

  async putWrites({ key, taskId, taskPath, writes }: PutWritesInput): Promise<void> {
    const { sealer, values, cache, ready, store } = this.#parts;
    const byIdx = new Map<number, [channel: string, value: unknown]>();
    writes.forEach(([channel, value], position) => {
      const idx = Object.hasOwn(WRITES_IDX_MAP, channel) ? WRITES_IDX_MAP[channel]! : position;
      byIdx.set(idx, [channel, value]);
    });
    const generation = cache.generation(key.threadId);
    const entries = [...byIdx];
    const dumping = values.dumpAll(
      entries.map(([, [channel, value]]) => {
        return {
          value,
          label: `write to channel ${quoteId(channel)}`,
          place: { ...errorPlace(key), taskId, channel },
        };
      }),
    );
    const dumped = await dumping;
    if (entries.length === 0) return;
    await ready();

    const collector = new ChunkCollector((plain, index) => sealer.address(key.threadId, plain, index));
    const refs = entries.map(([idx, [channel]], at) => ({
      idx,
      channel,
      ref: collector.add(...dumped[at]!),
    }));
    const slots = sealWrites(sealer, key, taskId, taskPath, refs);
    await this.#commit(key, generation, collector, [], (chunks, condition) => {
      return store.putWrites({ ...key, taskId, slots }, chunks, condition);
    });
  }

  /**
   * Sends only the chunks that are not known to be stored, on condition that the thread is still in the generation in
   * which they are. If it was deleted meanwhile, sends all of them.
   */
  async #commit(
    key: CheckpointKey,
    generation: string | undefined,
    collector: ChunkCollector,
    carried: ValueRef[],
    commit: Commit,
  ): Promise<CommitResult> {
    const { cache, sealer } = this.#parts;
    const { threadId } = key;
    const fresh: Chunk[] = [];
    let relies = carried.some((ref) => "hashes" in ref);
    for (const [name, { hash, index, plain }] of collector.chunks) {
      if (cache.storedChunk(threadId, generation, name) === undefined) {
        fresh.push(sealer.sealChunk(threadId, plain, hash, index));
      } else {
        relies = true;
      }
    }
    let result = await commit(fresh, relies && generation !== undefined ? { generation } : undefined);
    while (!result.committed) {
      const all = [...collector.chunks.values()].map((chunk) =>
        sealer.sealChunk(threadId, chunk.plain, chunk.hash, chunk.index),
      );
      all.push(...this.#carriedChunks(key, generation!, carried));
      result = await commit(all);
    }
    cache.sawGeneration(threadId, result.generation);
    for (const [name, { plain }] of collector.chunks)
      cache.addChunk(threadId, result.generation, name, plain);
    return result;
  }

  /** The chunks of the parent's values, from memory: the thread was deleted under a running graph. */
  #carriedChunks(key: CheckpointKey, generation: string, carried: ValueRef[]): Chunk[] {
    const { cache, sealer } = this.#parts;
    const chunks = new Map<string, Chunk>();
    const add = (name: string, index: boolean): Uint8Array => {
      const plain = cache.chunk(key.threadId, generation, name);
      if (plain === undefined) throw threadDeleted(key);
      chunks.set(name, sealer.sealChunk(key.threadId, plain, Buffer.from(name, "base64url"), index));
      return plain;
    };
    for (const ref of carried) {
      if ("inline" in ref) continue;
      let level = ref.hashes;
      for (let depth = ref.depth; depth > 0; depth--)
        level = level.flatMap((name) => listedHashes(add(name, true)));
      for (const name of level) add(name, false);
    }
    return [...chunks.values()];
  }
}

/** The channel values that may have to be stored: all but those that the known parent holds at the same version. */
function passedValues(input: PutInput, knownParent: OpenCheckpoint | undefined): [string, unknown][] {
  const { checkpoint, newVersions, parentId } = input;
  return Object.entries(checkpoint.channel_values ?? {}).filter(([channel]) => {
    if (Object.hasOwn(newVersions, channel)) return true;
    const versions = checkpoint.channel_versions ?? {};
    if (!Object.hasOwn(versions, channel)) return true;
    if (parentId === undefined) return false;
    const held = knownParent?.channels.get(channel);
    return held === undefined || held.version !== versions[channel];
  });
}

function withRunId(metadata: CheckpointMetadata, runId: string | undefined): CheckpointMetadata {
  if (runId === undefined || Object.hasOwn(metadata ?? {}, "run_id")) return metadata;
  return { ...metadata, run_id: runId } as CheckpointMetadata;
}

function labelsOf(metadata: CheckpointMetadata | undefined, runId: string | undefined): Labels {
  const { source, step } = (metadata ?? {}) as { source?: unknown; step?: unknown };
  return {
    ...(typeof source === "string" && isWellFormed(source) ? { source } : {}),
    ...(Number.isSafeInteger(step) ? { step: step as number } : {}),
    ...(runId !== undefined && isWellFormed(runId) ? { runId } : {}),
  };
}

function threadDeleted(key: CheckpointKey): SaverError {
  const place = errorPlace(key);
  return new SaverError(
    "THREAD_DELETED",
    `The thread was deleted while a run was going on in it (${describePlace(place)}). ` +
      "The checkpoint was not stored. Start the run again.",
    place,
  );
}
