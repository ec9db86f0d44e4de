import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { MemoryStore, type CheckpointRecord, type Chunk, type WritesRecord } from "@langgraph-savers/core";

/** What full snapshots take: LangGraph's own saver, with the bytes that it keeps added up. */
export class SnapshotCounter extends MemorySaver {
  bytes = 0;

  override async put(...args: Parameters<MemorySaver["put"]>): ReturnType<MemorySaver["put"]> {
    const [, checkpoint, metadata] = args;
    for (const value of [checkpoint, metadata])
      this.bytes += (await this.serde.dumpsTyped(value))[1].byteLength;
    return super.put(...args);
  }

  override async putWrites(...args: Parameters<MemorySaver["putWrites"]>): Promise<void> {
    for (const [, value] of args[1]) this.bytes += (await this.serde.dumpsTyped(value))[1].byteLength;
    return super.putWrites(...args);
  }
}

/** The reference store, with all bytes that reach it added up: bodies, chunks, their hashes and all ids. */
export class ByteCounter extends MemoryStore {
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
