import type { Sealer } from "../codec/envelope.js";
import { listedHashes } from "../codec/hash.js";
import type { ValueRef } from "../codec/value-ref.js";
import { damaged, SaverError, quoteId } from "../errors.js";
import { errorPlace, moveSlot, sealCheckpoint, slotRefs } from "../saver/records.js";
import { keyOf, type Opened } from "../saver/reader.js";
import type { CheckpointStore, Chunk, CommitResult, StoredCheckpoint, WritesRecord } from "../store/port.js";

/** How a record is changed on its way; `parentId`, `createdAt` and `skeleton` replace those that it has. */
export interface Changes {
  parentId?: string | undefined;
  createdAt?: number;
  skeleton?: ValueRef;
  chunks?: Chunk[];
  /** Leave the writes behind. */
  withoutWrites?: boolean;
}

/**
 * Copies checkpoints from one thread to another. Bytes are bound to their thread, so each chunk is opened and sealed
 * again, once, however many checkpoints share it.
 */
export class Mover {
  readonly #store: CheckpointStore;
  readonly #sealer: Sealer;
  readonly target: string;
  /** The addresses of chunks in the target by those in the source: stored there, in `#generation`. */
  readonly #moved = new Map<string, string>();
  #generation: string | undefined;

  constructor(store: CheckpointStore, sealer: Sealer, target: string) {
    this.#store = store;
    this.#sealer = sealer;
    this.target = target;
  }

  /** Writes first, so that whoever sees the checkpoint sees them too. */
  async move(opened: Opened, changes: Changes = {}): Promise<void> {
    const { stored, open } = opened;
    const writes = changes.withoutWrites === true ? [] : stored.writes;
    for (const record of writes) await this.#moveWrites(opened, record);
    const channels = [...open.channels.values()];
    const skeleton = changes.skeleton === undefined ? [open.skeleton] : [];
    const chunks = await this.#chunksOf(opened, [...skeleton, ...channels.map(({ ref }) => ref)]);
    const record = sealCheckpoint(this.#sealer, {
      ...open,
      threadId: this.target,
      parentId: "parentId" in changes ? changes.parentId : open.parentId,
      createdAt: changes.createdAt ?? open.createdAt,
      skeleton: changes.skeleton ?? this.#ref(open.skeleton),
      channels: new Map(
        [...open.channels].map(([name, { version, ref }]) => [name, { version, ref: this.#ref(ref) }]),
      ),
    });
    const all = [...chunks, ...(changes.chunks ?? [])];
    this.#check(await this.#store.putCheckpoint(record, all, this.#condition()), all);
  }

  async #moveWrites(opened: Opened, { taskId, slots }: WritesRecord): Promise<void> {
    const from = keyOf(opened.stored);
    const to = { ...from, threadId: this.target };
    const refs = slots.flatMap((slot) => slotRefs(this.#sealer, from, taskId, slot));
    const chunks = await this.#chunksOf(opened, refs);
    const moved = slots.map((slot) =>
      moveSlot(this.#sealer, from, to, taskId, slot, (ref) => this.#ref(ref)),
    );
    const record = { ...to, taskId, slots: moved };
    this.#check(await this.#store.putWrites(record, chunks, this.#condition()), chunks);
  }

  #ref(ref: ValueRef): ValueRef {
    return "inline" in ref ? ref : { ...ref, hashes: ref.hashes.map((hash) => this.#moved.get(hash)!) };
  }

  /** Chunks that the target does not have yet, sealed for it; those that index chunks list before them. */
  async #chunksOf(opened: Opened, refs: readonly ValueRef[]): Promise<Chunk[]> {
    const sent: Chunk[] = [];
    const wanted = refs.flatMap((ref) => ("inline" in ref ? [] : ref.hashes));
    const found = await this.#read(opened, wanted);
    const move = (hash: string): Buffer => {
      const before = this.#moved.get(hash);
      if (before !== undefined) return Buffer.from(before, "base64url");
      const { plain, index } = found.get(hash)!;
      const bytes = index ? Buffer.concat(listedHashes(plain).map(move)) : plain;
      const address = this.#sealer.address(this.target, bytes, index);
      const chunk = this.#sealer.sealChunk(this.target, bytes, address, index);
      sent.push(chunk);
      this.#moved.set(hash, chunk.hash);
      return address;
    };
    for (const hash of wanted) move(hash);
    return sent;
  }

  /** The plain bytes of all chunks below these that were not moved yet: one round trip per level. */
  async #read(
    { stored }: Opened,
    hashes: readonly string[],
  ): Promise<Map<string, { plain: Uint8Array; index: boolean }>> {
    const { threadId, generation } = stored;
    const found = new Map<string, { plain: Uint8Array; index: boolean }>();
    let level = hashes;
    for (;;) {
      const missing = [...new Set(level)].filter((hash) => !this.#moved.has(hash) && !found.has(hash));
      if (missing.length === 0) return found;
      for (const chunk of await this.#store.getChunks(threadId, generation, missing)) {
        try {
          const plain = this.#sealer.openChunk(threadId, chunk, chunk.hash);
          found.set(chunk.hash, { plain, index: chunk.index });
        } catch (cause) {
          throw damaged(errorPlace(keyOf(stored)), "a chunk cannot be opened", cause);
        }
      }
      if (!missing.every((hash) => found.has(hash))) throw await this.#missing(stored);
      level = missing.flatMap((hash) => {
        const { plain, index } = found.get(hash)!;
        return index ? listedHashes(plain) : [];
      });
    }
  }

  /** Not damage where the source was deleted between two reads. */
  async #missing(stored: StoredCheckpoint): Promise<SaverError> {
    const [now] = await this.#store.getCheckpoints([keyOf(stored)]);
    const same = now!.checkpoint !== undefined && now!.generation === stored.generation;
    return same
      ? damaged(errorPlace(keyOf(stored)), "a chunk is missing")
      : deletedMeanwhile(stored.threadId, "copied");
  }

  /** What was moved before is relied upon: the target must not have been deleted since. */
  #condition(): { generation: string } | undefined {
    return this.#generation === undefined ? undefined : { generation: this.#generation };
  }

  #check({ committed, generation }: CommitResult, sent: readonly Chunk[]): void {
    if (committed) {
      // Before the first chunk nothing is relied upon, and a thread may get its generation with that one only.
      if (sent.length > 0) this.#generation ??= generation;
      return;
    }
    throw deletedMeanwhile(this.target, "made");
  }
}

function deletedMeanwhile(threadId: string, being: "copied" | "made"): SaverError {
  return new SaverError(
    "THREAD_DELETED",
    `The thread ${quoteId(threadId)} was deleted while it was being ${being}. Start again.`,
    { threadId },
  );
}
