import type { RunnableConfig } from "@langchain/core/runnables";
import type { Checkpoint, CheckpointMetadata, SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { writesInPosition, type TaskWrite } from "@langgraph-savers/core";
import type { Collection, Document, MongoClient } from "mongodb";

/** Where the official saver keeps its data: the parameters that it was made with. */
export interface OfficialLocation {
  /** A client of the `mongodb` driver. It is not closed. */
  client: MongoClient;
  /** Default: the client's. */
  dbName?: string;
  /** Default `"checkpoints"`. */
  checkpointCollectionName?: string;
  /** Default `"checkpoint_writes"`. */
  checkpointWritesCollectionName?: string;
  /** The `serde` that the official saver was made with. Default: its own, `JsonPlusSerializer`. */
  serde?: SerializerProtocol;
}

interface OfficialKey {
  thread_id: string;
  checkpoint_ns: string;
  checkpoint_id: string;
}

interface OfficialCheckpoint extends OfficialKey {
  parent_checkpoint_id?: string | null;
  type: string;
  checkpoint: Uint8Array;
  metadata: Uint8Array;
}

interface OfficialWrite extends OfficialKey {
  task_id: string;
  idx: number;
  channel: string;
  type: string;
  value: Uint8Array;
}

export interface SourceCheckpoint {
  namespace: string;
  config: RunnableConfig;
  checkpoint: Checkpoint;
  metadata: CheckpointMetadata;
}

export interface SourceWrites {
  namespace: string;
  checkpointId: string;
  taskId: string;
  writes: [channel: string, value: unknown][];
  /** How many there are; `writes` may hold one of them twice. */
  count: number;
}

/** Reads the official saver's collections; never writes. */
export class OfficialSource {
  readonly #checkpoints: Collection<OfficialCheckpoint>;
  readonly #writes: Collection<OfficialWrite>;
  readonly #serde: SerializerProtocol;

  constructor(location: OfficialLocation) {
    const db = location.client.db(location.dbName);
    const options = { promoteBuffers: true, promoteValues: true };
    this.#checkpoints = db.collection(location.checkpointCollectionName ?? "checkpoints", options);
    this.#writes = db.collection(location.checkpointWritesCollectionName ?? "checkpoint_writes", options);
    this.#serde = location.serde ?? new MemorySaver().serde;
  }

  get name(): string {
    return this.#checkpoints.namespace;
  }

  /** The first thread after the given one that has a checkpoint or a write. */
  async nextThread(after: string | undefined): Promise<string | undefined> {
    const filter: Document = { thread_id: after === undefined ? { $type: "string" } : { $gt: after } };
    const options = { sort: { thread_id: 1 as const }, projection: { thread_id: 1 } };
    const found = await Promise.all([
      this.#checkpoints.findOne(filter, options),
      this.#writes.findOne(filter, options),
    ]);
    const ids = found.flatMap((document) => (document === null ? [] : [document.thread_id]));
    // Both are the first of their collection, so the smaller one is the first of all.
    return ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))[0];
  }

  async *checkpoints(threadId: string): AsyncGenerator<SourceCheckpoint> {
    const cursor = this.#checkpoints
      .find({ thread_id: threadId })
      .sort({ checkpoint_ns: 1, checkpoint_id: 1 })
      .allowDiskUse();
    for await (const document of cursor) {
      const { checkpoint_ns: namespace, parent_checkpoint_id: parent, type } = document;
      yield {
        namespace,
        config: {
          configurable: {
            thread_id: threadId,
            checkpoint_ns: namespace,
            ...(parent ? { checkpoint_id: parent } : {}),
          },
        },
        checkpoint: await this.#load<Checkpoint>(type, document.checkpoint),
        metadata: await this.#load<CheckpointMetadata>(type, document.metadata),
      };
    }
  }

  /** All writes of a task at a checkpoint together, in the order of their idx. */
  async *writes(threadId: string): AsyncGenerator<SourceWrites> {
    const cursor = this.#writes
      .find({ thread_id: threadId })
      .sort({ checkpoint_ns: 1, checkpoint_id: 1, task_id: 1, idx: 1 })
      .allowDiskUse();
    let group: OfficialWrite[] = [];
    for await (const document of cursor) {
      if (group.length > 0 && !sameTask(group[0]!, document)) {
        yield await this.#batch(group);
        group = [];
      }
      group.push(document);
    }
    if (group.length > 0) yield await this.#batch(group);
  }

  async #batch(group: OfficialWrite[]): Promise<SourceWrites> {
    const [{ checkpoint_ns: namespace, checkpoint_id: checkpointId, task_id: taskId }] = group as [
      OfficialWrite,
    ];
    const loaded = new Map<number, TaskWrite>();
    for (const { idx, channel, type, value } of group)
      loaded.set(idx, { idx, channel, value: await this.#load(type, value) });
    const writes = writesInPosition([...loaded.values()]);
    return { namespace, checkpointId, taskId, writes, count: loaded.size };
  }

  async #load<T>(type: string, value: Uint8Array): Promise<T> {
    return (await this.#serde.loadsTyped(type, value)) as T;
  }
}

function sameTask(a: OfficialWrite, b: OfficialWrite): boolean {
  return (
    a.checkpoint_ns === b.checkpoint_ns && a.checkpoint_id === b.checkpoint_id && a.task_id === b.task_id
  );
}
