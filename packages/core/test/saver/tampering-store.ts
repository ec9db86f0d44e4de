import {
  MemoryStore,
  type AncestorQuery,
  type CheckpointSelector,
  type Chunk,
  type ListQuery,
  type Page,
  type StoredCheckpoint,
} from "../../src/index.js";

export interface Tamper {
  /** Returns what is read in place of `stored`, or undefined to leave it. */
  checkpoint?(stored: StoredCheckpoint): StoredCheckpoint | undefined;
  chunks?(chunks: Chunk[]): Chunk[] | undefined;
}

/** A store whose bytes someone else has changed: what is read is not what was written. */
export class TamperingStore extends MemoryStore {
  tamper: Tamper = {};
  /** True once something that was read had been changed. */
  touched = false;

  override async getCheckpoints(selectors: CheckpointSelector[]): Promise<StoredCheckpoint[]> {
    return (await super.getCheckpoints(selectors)).map((stored) => this.#read(stored));
  }

  override async listCheckpoints(query: ListQuery): Promise<Page<StoredCheckpoint>> {
    const page = await super.listCheckpoints(query);
    return { ...page, items: page.items.map((stored) => this.#read(stored)) };
  }

  override async listAncestors(query: AncestorQuery): Promise<Page<StoredCheckpoint>> {
    const page = await super.listAncestors(query);
    return { ...page, items: page.items.map((stored) => this.#read(stored)) };
  }

  override async getChunks(threadId: string, generation: string, hashes: string[]): Promise<Chunk[]> {
    const chunks = await super.getChunks(threadId, generation, hashes);
    const changed = this.tamper.chunks?.(chunks);
    this.touched ||= changed !== undefined;
    return changed ?? chunks;
  }

  #read(stored: StoredCheckpoint): StoredCheckpoint {
    const changed = this.tamper.checkpoint?.(stored);
    this.touched ||= changed !== undefined;
    return changed ?? stored;
  }
}
