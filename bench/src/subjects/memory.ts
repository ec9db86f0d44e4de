import { MemorySaver } from "@langchain/langgraph-checkpoint";
import {
  InMemorySaver,
  MemoryStore,
  type CheckpointRecord,
  type Chunk,
  type WritesRecord,
} from "@langgraph-savers/core";

import { nothing, type Opened } from "./subject.js";

export async function openOurs(): Promise<Opened> {
  const store = new ByteCounter();
  const saver = new InMemorySaver({ store });
  return {
    saver,
    cold: async () => ({ saver: new InMemorySaver({ store }), close: nothing }),
    stored: async () => store.bytes,
    close: nothing,
  };
}

export async function openOfficial(): Promise<Opened> {
  const saver = new MemorySaver();
  return {
    saver,
    // It has no cache: warm or cold is the same to it.
    cold: async () => ({ saver, close: nothing }),
    stored: async () => bytesIn(saver.storage) + bytesIn(saver.writes),
    close: nothing,
  };
}

function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + bytesIn(each), 0);
}

/** The reference store, with all bytes that reach it added up: bodies, chunks, their hashes and all ids. */
class ByteCounter extends MemoryStore {
  bytes = 0;

  override async putCheckpoint(
    record: CheckpointRecord,
    chunks: Chunk[],
    condition?: { generation: string },
  ) {
    const ids = [record.threadId, record.namespace, record.checkpointId, record.parentId ?? ""];
    this.#count(record.body, record.chunks, chunks, [...ids, JSON.stringify(record.labels), "createdAt"]);
    return super.putCheckpoint(record, chunks, condition);
  }

  override async putWrites(record: WritesRecord, chunks: Chunk[], condition?: { generation: string }) {
    const ids = [record.threadId, record.namespace, record.checkpointId, record.taskId];
    record.slots.forEach((slot, at) => {
      this.#count(slot.body, slot.chunks, at === 0 ? chunks : [], [...(at === 0 ? ids : []), slot.name]);
    });
    return super.putWrites(record, chunks, condition);
  }

  #count(body: Uint8Array, refs: string[], chunks: Chunk[], texts: string[]): void {
    const HASH_BYTES = 20;
    this.bytes += body.byteLength + refs.length * HASH_BYTES;
    for (const text of texts) this.bytes += Buffer.byteLength(text);
    for (const { data } of chunks) this.bytes += data.byteLength + HASH_BYTES;
  }
}
