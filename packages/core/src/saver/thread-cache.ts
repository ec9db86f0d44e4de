import type { ValueRef } from "../codec/value-ref.js";
import type { CheckpointKey } from "../store/port.js";
import { LruCache } from "./lru.js";
import type { OpenCheckpoint } from "./records.js";

/** What an entry takes beside its bytes, roughly. */
const ENTRY_BYTES = 200;
const MAX_THREADS = 10_000;

/**
 * What this saver knows about threads: chunks and checkpoint records that are stored, each under the generation in
 * which it saw them. Chunks are immutable, so only a new generation (the thread was deleted) makes it forget.
 */
export class ThreadCache {
  readonly #generations = new LruCache<string>(MAX_THREADS);
  readonly #chunks: LruCache<Uint8Array>;
  readonly #checkpoints: LruCache<OpenCheckpoint>;

  constructor(bytes: number) {
    this.#chunks = new LruCache(bytes * 0.75);
    this.#checkpoints = new LruCache(bytes * 0.25);
  }

  generation(threadId: string): string | undefined {
    return this.#generations.get(threadId);
  }

  sawGeneration(threadId: string, generation: string): void {
    this.#generations.set(threadId, generation, 1);
  }

  forget(threadId: string): void {
    this.#generations.delete(threadId);
  }

  chunk(threadId: string, generation: string | undefined, hash: string): Uint8Array | undefined {
    return generation === undefined ? undefined : this.#chunks.get(key(generation, threadId, hash));
  }

  /** Keeps a copy: a chunk is often a view of a much larger value. */
  addChunk(threadId: string, generation: string, hash: string, plain: Uint8Array): void {
    this.#chunks.set(key(generation, threadId, hash), new Uint8Array(plain), plain.byteLength + ENTRY_BYTES);
  }

  checkpoint(at: CheckpointKey): OpenCheckpoint | undefined {
    const generation = this.generation(at.threadId);
    return generation === undefined ? undefined : this.#checkpoints.get(checkpointKey(generation, at));
  }

  addCheckpoint(generation: string, open: OpenCheckpoint): void {
    let size = refBytes(open.skeleton);
    for (const { ref } of open.channels.values()) size += refBytes(ref);
    this.#checkpoints.set(checkpointKey(generation, open), open, size);
  }
}

function refBytes(ref: ValueRef): number {
  return ENTRY_BYTES + ("inline" in ref ? ref.inline.byteLength : ref.hashes.length * 40);
}

function checkpointKey(generation: string, { threadId, namespace, checkpointId }: CheckpointKey): string {
  return key(generation, threadId, key(namespace, checkpointId));
}

/** Lengths in front, so that no two lists of ids give the same key. */
function key(...parts: string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join("");
}
