import type { ValueRef } from "../codec/value-ref.js";
import type { CheckpointKey } from "../store/port.js";
import { LruCache } from "./lru.js";
import type { OpenCheckpoint } from "./records.js";

/** What an entry takes beside its bytes, roughly. */
const ENTRY_BYTES = 200;
const MAX_THREADS = 10_000;
/** What may be kept along with a chunk: it counts as memory of its own when there is no more around it. */
const ENVELOPE_BYTES = 16;

/**
 * How long a writer relies on what it saw stored. Less than half of the time for which stores keep what nothing refers
 * to any more, so that whatever relies on a chunk is committed before the chunk can be collected.
 */
const TRUST_MS = 20 * 60_000;

interface Seen<T> {
  value: T;
  /** When a record that refers to it was last read or written. */
  at: number;
}

/**
 * What this saver knows about threads: chunks and checkpoint records that are stored, each under the generation in
 * which it saw them. They are immutable, so for reading an entry is good for as long as it is kept.
 */
export class ThreadCache {
  readonly #generations = new LruCache<Seen<string>>(MAX_THREADS);
  readonly #chunks: LruCache<Seen<Uint8Array>>;
  readonly #checkpoints: LruCache<Seen<OpenCheckpoint>>;

  constructor(bytes: number) {
    this.#chunks = new LruCache(bytes * 0.75);
    this.#checkpoints = new LruCache(bytes * 0.25);
  }

  generation(threadId: string): string | undefined {
    return trusted(this.#generations.get(threadId));
  }

  sawGeneration(threadId: string, generation: string): void {
    const entry = this.#generations.get(threadId);
    if (entry === undefined) this.#generations.set(threadId, seen(generation), 1);
    else {
      entry.value = generation;
      entry.at = Date.now();
    }
  }

  forget(threadId: string): void {
    this.#generations.delete(threadId);
  }

  /** For a reader that holds a record which refers to the chunk: so it is stored now. */
  chunk(threadId: string, generation: string, hash: string): Uint8Array | undefined {
    const entry = this.#chunks.get(key(generation, threadId, hash));
    if (entry !== undefined) entry.at = Date.now();
    return entry?.value;
  }

  /** For a writer: the chunk, if it can rely on it to be stored. */
  storedChunk(threadId: string, generation: string | undefined, hash: string): Uint8Array | undefined {
    return generation === undefined ? undefined : trusted(this.#chunks.get(key(generation, threadId, hash)));
  }

  /** Keeps a copy if the chunk is a view of something larger, which would be kept with it. */
  addChunk(threadId: string, generation: string, hash: string, plain: Uint8Array): void {
    const name = key(generation, threadId, hash);
    const entry = this.#chunks.get(name);
    if (entry !== undefined) {
      entry.at = Date.now();
      return;
    }
    const alone = plain.buffer.byteLength - plain.byteLength <= ENVELOPE_BYTES;
    const own = alone ? plain : new Uint8Array(plain);
    this.#chunks.set(name, seen(own), plain.byteLength + ENTRY_BYTES);
  }

  checkpoint(at: CheckpointKey): OpenCheckpoint | undefined {
    const generation = this.generation(at.threadId);
    return generation === undefined
      ? undefined
      : trusted(this.#checkpoints.get(checkpointKey(generation, at)));
  }

  addCheckpoint(generation: string, open: OpenCheckpoint): void {
    let size = refBytes(open.skeleton);
    for (const { ref } of open.channels.values()) size += refBytes(ref);
    this.#checkpoints.set(checkpointKey(generation, open), seen(open), size);
  }
}

function seen<T>(value: T): Seen<T> {
  return { value, at: Date.now() };
}

function trusted<T>(entry: Seen<T> | undefined): T | undefined {
  return entry !== undefined && Date.now() - entry.at < TRUST_MS ? entry.value : undefined;
}

function refBytes(ref: ValueRef): number {
  return ENTRY_BYTES + ("inline" in ref ? ref.inline.byteLength : ref.hashes.length * 40);
}

function checkpointKey(generation: string, { threadId, namespace, checkpointId }: CheckpointKey): string {
  return key(generation, threadId, `${namespace.length}:${namespace}${checkpointId}`);
}

/** Lengths in front of all but the last, so that no two lists of ids give the same key. */
function key(generation: string, threadId: string, name: string): string {
  return `${generation.length}:${generation}${threadId.length}:${threadId}${name}`;
}
