import type { Sealer } from "../codec/envelope.js";
import { assemble, leafHashes, type ValueRef } from "../codec/value-ref.js";
import { damaged, isSaverError, type ErrorPlace } from "../errors.js";
import type { CheckpointStore } from "../store/port.js";
import type { ThreadCache } from "./thread-cache.js";

/** The chunks of one thread that a read needs, fetched together and verified. */
export class ChunkReader {
  readonly #store: CheckpointStore;
  readonly #sealer: Sealer;
  readonly #cache: ThreadCache;
  readonly #threadId: string;
  readonly #generation: string;
  /** Also holds what came from the cache, which may forget it at any time. */
  readonly #chunks = new Map<string, Uint8Array>();
  readonly #failures = new Map<string, unknown>();
  readonly #asked = new Set<string>();

  constructor(
    store: CheckpointStore,
    sealer: Sealer,
    cache: ThreadCache,
    threadId: string,
    generation: string,
  ) {
    this.#store = store;
    this.#sealer = sealer;
    this.#cache = cache;
    this.#threadId = threadId;
    this.#generation = generation;
  }

  /** One round trip per level of nesting, whatever the number of values. */
  async fetch(refs: readonly ValueRef[]): Promise<void> {
    for (;;) {
      const missing = new Set<string>();
      for (const ref of refs) {
        for (const hash of leafHashes(ref, this.#chunk, missing) ?? []) {
          if (this.#chunk(hash) === undefined) missing.add(hash);
        }
      }
      const wanted = [...missing].filter((hash) => !this.#asked.has(hash));
      if (wanted.length === 0) return;
      for (const hash of wanted) this.#asked.add(hash);
      for (const chunk of await this.#store.getChunks(this.#threadId, this.#generation, wanted)) {
        this.#asked.add(chunk.hash);
        try {
          const plain = this.#sealer.openChunk(this.#threadId, chunk, chunk.hash);
          this.#chunks.set(chunk.hash, plain);
          this.#cache.addChunk(this.#threadId, this.#generation, chunk.hash, plain);
        } catch (error) {
          this.#failures.set(chunk.hash, error);
        }
      }
    }
  }

  /** The bytes of a fetched value, in memory of their own; an error that names the place if any of them is not right. */
  read(ref: ValueRef, label: string, place: ErrorPlace): Uint8Array {
    try {
      return assemble(ref, this.#chunk);
    } catch (error) {
      const coded = [...this.#failures.values()].find(isSaverError);
      if (coded !== undefined) throw coded;
      const [failure = error] = this.#failures.values();
      throw damaged(place, `the ${label} is not whole, ${messageOf(failure)}`, failure);
    }
  }

  readonly #chunk = (hash: string): Uint8Array | undefined => {
    const here = this.#chunks.get(hash);
    if (here !== undefined) return here;
    const cached = this.#cache.chunk(this.#threadId, this.#generation, hash);
    if (cached !== undefined) this.#chunks.set(hash, cached);
    return cached;
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
