import { expect } from "vitest";

import type {
  CheckpointKey,
  CheckpointName,
  CheckpointRecord,
  CheckpointStore,
  Chunk,
  Collected,
  CommitCondition,
  CommitResult,
  Deleted,
  StoredCheckpoint,
  WriteSlot,
} from "../../../packages/core/src/store/port.js";
import { checkpointRecord } from "./data.js";

/** Where a case puts something: an id in the root namespace, or both. */
type At = string | CheckpointName;

interface PutOptions extends Partial<CheckpointRecord> {
  /** What is sent; by default all that the record refers to. */
  sends?: readonly Chunk[];
  condition?: CommitCondition;
}

interface WriteOptions {
  taskId?: string;
  sends?: readonly Chunk[];
  condition?: CommitCondition;
}

/** One thread of a store, in the words of the cases. */
export class TestThread {
  readonly store: CheckpointStore;
  readonly id: string;

  constructor(store: CheckpointStore, id: string) {
    this.store = store;
    this.id = id;
  }

  key(at: At): CheckpointKey {
    const name = typeof at === "string" ? { namespace: "", checkpointId: at } : at;
    return { threadId: this.id, ...name };
  }

  /** A checkpoint that refers to these chunks, and sends them with it. */
  async put(at: At, refersTo: readonly Chunk[] = [], options: PutOptions = {}): Promise<CheckpointRecord> {
    const { sends = refersTo, condition, ...more } = options;
    const record = checkpointRecord(this.key(at), refersTo, more);
    expect(await this.commit(record, sends, condition)).toMatchObject({ committed: true });
    return record;
  }

  commit(
    record: CheckpointRecord,
    sends: readonly Chunk[] = [],
    condition?: CommitCondition,
  ): Promise<CommitResult> {
    return this.store.putCheckpoint(record, [...sends], condition);
  }

  /** Writes of one task that send these chunks. */
  write(at: At, slots: WriteSlot[], options: WriteOptions = {}): Promise<CommitResult> {
    const { taskId = "task", sends = [], condition } = options;
    return this.store.putWrites({ ...this.key(at), taskId, slots }, [...sends], condition);
  }

  async read(at: At): Promise<StoredCheckpoint> {
    const [stored] = await this.store.getCheckpoints([this.key(at)]);
    return stored!;
  }

  /** The newest of a namespace. */
  async newest(namespace = ""): Promise<string | undefined> {
    const [stored] = await this.store.getCheckpoints([{ threadId: this.id, namespace }]);
    return stored!.checkpoint?.checkpointId;
  }

  /** The ids of all checkpoints, newest first, page by page. */
  async list(): Promise<StoredCheckpoint[]> {
    const found: StoredCheckpoint[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await this.store.listCheckpoints({
        threadId: this.id,
        limit: 50,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.items);
      if (page.cursor === undefined) return found;
      cursor = page.cursor;
    }
  }

  async ids(): Promise<string[]> {
    return (await this.list()).map(({ checkpointId }) => checkpointId!);
  }

  delete(...at: At[]): Promise<Deleted> {
    const names = at.map((each) => {
      const { namespace, checkpointId } = this.key(each);
      return { namespace, checkpointId };
    });
    return this.store.deleteCheckpoints(this.id, names);
  }

  collect(before: number): Promise<Collected> {
    return this.store.collectChunks(this.id, before);
  }

  /** Collects, and expects exactly these chunks to go. */
  async collects(before: number, gone: readonly Chunk[]): Promise<void> {
    const collected = await this.collect(before);
    expect(collected.chunks).toBe(gone.length);
    expectBytes(
      collected.bytes,
      gone.map(({ data }) => data),
    );
    expect(await this.holding(gone)).toEqual([]);
  }

  async generation(): Promise<string> {
    return (await this.read("none")).generation;
  }

  /** Those of the chunks that are there, byte for byte. */
  async holding(asked: readonly Chunk[], generation?: string): Promise<Chunk[]> {
    if (asked.length === 0) return [];
    const hashes = asked.map(({ hash }) => hash);
    const found = await this.store.getChunks(this.id, generation ?? (await this.generation()), hashes);
    const byHash = new Map(found.map((each) => [each.hash, each]));
    return asked.filter(({ hash, index, data }) => {
      const there = byHash.get(hash);
      if (there === undefined) return false;
      const same = there.index === index && Buffer.compare(there.data, data) === 0;
      expect(same, `chunk ${hash} is what was stored`).toBe(true);
      return true;
    });
  }

  /** Expects all of these chunks to be there. */
  async holds(...asked: readonly Chunk[]): Promise<void> {
    const there = await this.holding(asked);
    expect(there.length, "chunks that are there").toBe(asked.length);
  }
}

/** Stores count bytes from what they keep; one that keeps text does so give or take its padding. */
export function expectBytes(counted: number, bodies: readonly Uint8Array[]): void {
  const sum = bodies.reduce((total, { byteLength }) => total + byteLength, 0);
  expect(Math.abs(counted - sum), `${counted} bytes counted of ${sum}`).toBeLessThanOrEqual(
    2 * bodies.length,
  );
}
