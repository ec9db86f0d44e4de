import { WRITES_IDX_MAP, type Checkpoint, type CheckpointMetadata } from "@langchain/langgraph-checkpoint";

import { PASSING_INLINE_BYTES, type ChunkCollector, type ValueRef } from "../codec/value-ref.js";
import { describePlace, quoteId, SaverError, type ErrorPlace } from "../errors.js";
import type {
  CheckpointKey,
  CheckpointStore,
  Chunk,
  CommitCondition,
  CommitResult,
  Labels,
} from "../store/port.js";
import { listedHashes } from "../codec/hash.js";
import { collectorFor, type CollectorParts } from "./collector.js";
import { isWellFormed } from "./config.js";
import { currentFences, registersOf, type Fence } from "./fences.js";
import { errorPlace, openCheckpoint, sealCheckpoint, sealWrites } from "./records.js";
import type { OpenChannel, OpenCheckpoint, Version } from "./records.js";
import { claimNewest, type OnStaleParent } from "./stale-parent.js";
import type { ThreadCache } from "./thread-cache.js";
import type { NamedValue, Values } from "./values.js";

export interface WriterParts extends CollectorParts {
  store: CheckpointStore;
  values: Values;
  cache: ThreadCache;
  /** Awaited before the first I/O, and after all values are serialised; undefined when there is nothing to wait for. */
  ready: () => Promise<void> | undefined;
  onStaleParent: OnStaleParent;
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

/** What a writer knows of the chunks that it is about to refer to. */
interface Stored {
  names: Set<string>;
  /** Whether to compress what is new. */
  dense: boolean;
}

const METADATA = "checkpoint's metadata";

/** A channel's value or a write to it, with its name for messages. */
class ChannelValue implements NamedValue {
  readonly #key: CheckpointKey;
  readonly #channel: string;
  readonly #taskId: string | undefined;
  readonly value: unknown;

  constructor(key: CheckpointKey, channel: string, value: unknown, taskId?: string) {
    this.#key = key;
    this.#channel = channel;
    this.#taskId = taskId;
    this.value = value;
  }

  get label(): string {
    return `${this.#taskId === undefined ? "" : "write to "}channel ${quoteId(this.#channel)}`;
  }

  get place(): ErrorPlace {
    const place: ErrorPlace = { ...errorPlace(this.#key), channel: this.#channel };
    return this.#taskId === undefined ? place : { ...place, taskId: this.#taskId };
  }
}

type Commit = (chunks: Chunk[], condition?: CommitCondition) => Promise<CommitResult>;

/** The write half of the engine: encode everything, then commit chunks and record in one call to the store. */
export class Writer {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  async put(input: PutInput): Promise<void> {
    const { sealer, values, cache, ready, store, onStaleParent } = this.#parts;
    const { key, parentId, checkpoint } = input;
    const { threadId } = key;
    const parentKey = parentId === undefined ? undefined : { ...key, checkpointId: parentId };
    const knownParent = parentKey && cache.checkpoint(parentKey);
    let generation = cache.generation(threadId);
    let fences = currentFences(store, threadId);

    const passed = passedValues(input, knownParent);
    const metadata = withRunId(input.metadata, input.runId);
    const { channel_values: _, ...skeleton } = checkpoint;
    const createdAt = Date.now();
    const labels = labelsOf(metadata);
    const versions: Record<string, Version> = { ...checkpoint.channel_versions };
    const changed = new Set(Object.keys(input.newVersions));
    const named: NamedValue[] = passed.map(([channel, value]) => new ChannelValue(key, channel, value));
    // Last, so that the others are found by their position.
    named.push({ value: { checkpoint: skeleton, metadata }, label: METADATA, place: errorPlace(key) });
    const dumping = values.dumpAll(named);
    const dumped = Array.isArray(dumping) ? dumping : await dumping;
    const waiting = ready();
    if (waiting !== undefined) await waiting;

    let parent = knownParent;
    if (parentKey !== undefined && parent === undefined) {
      const [stored] = await store.getCheckpoints([parentKey]);
      generation = stored!.generation;
      cache.sawGeneration(threadId, generation);
      parent = stored!.checkpoint && openCheckpoint(sealer, parentKey, stored!.checkpoint);
    }

    const collector = collectorFor(this.#parts, threadId);
    const skeletonRef = collector.add(...dumped.at(-1)!, PASSING_INLINE_BYTES);
    const channels = new Map<string, OpenChannel>();
    const carried: ValueRef[] = [];
    // A version number alone identifies no value (forks count alike), but this parent's value at that version is it.
    for (const [channel, version] of Object.entries(versions)) {
      const held = changed.has(channel) ? undefined : parent?.channels.get(channel);
      if (held === undefined || held.version !== version) continue;
      const ref = collector.carry(held.ref);
      channels.set(channel, ref === held.ref ? held : { version, ref });
      if (ref === held.ref) carried.push(ref);
    }
    passed.forEach(([channel], at) => {
      if (channels.has(channel)) return;
      const version = Object.hasOwn(versions, channel) ? versions[channel] : undefined;
      const [type, bytes] = dumped[at]!;
      channels.set(channel, { version, ref: collector.add(type, bytes, PASSING_INLINE_BYTES) });
    });

    // Exit durability puts a checkpoint again as its own parent: it keeps the parent that it had.
    const ownParent = parentId === key.checkpointId ? parent?.parentId : parentId;
    const open: OpenCheckpoint = {
      threadId,
      namespace: key.namespace,
      checkpointId: key.checkpointId,
      parentId: ownParent,
      createdAt,
      labels,
      skeleton: skeletonRef,
      channels,
    };
    const stored = this.#stored(threadId, generation, collector);
    const record = sealCheckpoint(sealer, open, stored.dense);
    if (onStaleParent === "reject") fences = [...fences, ...(await claimNewest(store, key, ownParent))];
    const result = await this.#commit(
      key,
      generation,
      fences,
      collector,
      stored,
      carried,
      (chunks, condition) => {
        return store.putCheckpoint(record, chunks, condition);
      },
    );
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
    const fences = currentFences(store, key.threadId);
    const entries = [...byIdx];
    const dumping = values.dumpAll(
      entries.map(([, [channel, value]]) => new ChannelValue(key, channel, value, taskId)),
    );
    const dumped = Array.isArray(dumping) ? dumping : await dumping;
    if (entries.length === 0) return;
    const waiting = ready();
    if (waiting !== undefined) await waiting;

    const collector = collectorFor(this.#parts, key.threadId);
    const refs = entries.map(([idx, [channel]], at) => ({
      idx,
      channel,
      ref: collector.add(...dumped[at]!, PASSING_INLINE_BYTES),
    }));
    const stored = this.#stored(key.threadId, generation, collector);
    const slots = sealWrites(sealer, key, taskId, taskPath, refs, stored.dense);
    await this.#commit(key, generation, fences, collector, stored, [], (chunks, condition) => {
      const { threadId, namespace, checkpointId } = key;
      return store.putWrites({ threadId, namespace, checkpointId, taskId, slots }, chunks, condition);
    });
  }

  /** Which of the chunks are known to be stored, and whether to compress the others. */
  #stored(threadId: string, generation: string | undefined, collector: ChunkCollector): Stored {
    const { cache, sealer } = this.#parts;
    const names = new Set<string>();
    let fresh = collector.inlineBytes;
    for (const [name, { plain }] of collector.chunks) {
      if (cache.storedChunk(threadId, generation, name) === undefined) fresh += plain.byteLength;
      else names.add(name);
    }
    return { names, dense: sealer.isDense(fresh, collector.bytes) };
  }

  /**
   * Sends only the chunks that are not known to be stored, on condition that the thread is still in the generation in
   * which they are. If it was deleted meanwhile, sends all of them.
   */
  async #commit(
    key: CheckpointKey,
    generation: string | undefined,
    fences: readonly Fence[],
    collector: ChunkCollector,
    stored: Stored,
    carried: ValueRef[],
    commit: Commit,
  ): Promise<CommitResult> {
    const { cache, sealer } = this.#parts;
    const { threadId } = key;
    const fresh: Chunk[] = [];
    const relies = stored.names.size > 0 || carried.some((ref) => "hashes" in ref);
    for (const chunk of collector.chunks.values()) {
      if (stored.names.has(chunk.name)) continue;
      const sealed = sealer.sealChunk(threadId, chunk.plain, chunk.hash, chunk.index, stored.dense);
      // What is cached is then part of what is stored, and takes no copy.
      chunk.plain = sealer.plainIn(sealed) ?? chunk.plain;
      fresh.push(sealed);
    }
    const fenced = () => {
      const registers = registersOf(fences);
      return registers === undefined ? undefined : { registers };
    };
    const relied = relies && generation !== undefined ? { generation } : undefined;
    let result = await commit(fresh, relied === undefined ? fenced() : { ...fenced(), ...relied });
    while (!result.committed) {
      if (result.fenced === true) throw await stoppedBy(fences);
      const all = [...collector.chunks.values()].map((chunk) =>
        sealer.sealChunk(threadId, chunk.plain, chunk.hash, chunk.index),
      );
      all.push(...this.#carriedChunks(key, generation!, carried));
      result = await commit(all, fenced());
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

function labelsOf(metadata: CheckpointMetadata | undefined): Labels {
  const { source, step, run_id: runId } = (metadata ?? {}) as Record<string, unknown>;
  const labels: Labels = {};
  if (typeof source === "string" && isWellFormed(source)) labels.source = source;
  if (Number.isSafeInteger(step)) labels.step = step as number;
  if (typeof runId === "string" && isWellFormed(runId)) labels.runId = runId;
  return labels;
}

/** The error of the fence that stopped a commit: the first whose register has changed. */
async function stoppedBy(fences: readonly Fence[]): Promise<SaverError> {
  for (const { store, threadId, register, value, stopped } of fences)
    if ((await store.getRegister(threadId, register)) !== value) return stopped();
  return fences.at(-1)!.stopped();
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
