import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  getCheckpointId,
  type CheckpointMetadata,
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";

import { Storage, StorageError, type Place, type Stored } from "./storage.js";
import { fromText, toText } from "./text-codec.js";

export class SaverFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** What every method of a saver stands on: reading configs, reaching the storage, values as text. */
export abstract class SaverGround extends BaseCheckpointSaver {
  private readonly epoch: number;

  constructor(
    readonly storage = new Storage(),
    protected readonly custom?: SerializerProtocol,
  ) {
    super(custom);
    this.epoch = storage.epoch;
  }

  protected async reach(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.storage.reach(this.epoch);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        if (!error.isTransient || attempt === 3) {
          throw new SaverFailure("STORAGE", "the storage failed; see the cause and try again", error);
        }
      }
    }
  }

  protected placeOf(config: RunnableConfig): { thread?: string; namespace?: string; id?: string } {
    const { thread_id: thread, checkpoint_ns: namespace } = config.configurable ?? {};
    const id: unknown = getCheckpointId(config);
    const place: { thread?: string; namespace?: string; id?: string } = {};
    if (thread !== undefined && thread !== null) place.thread = this.threadId(thread);
    if (namespace !== undefined) place.namespace = this.checkId("checkpoint_ns", namespace);
    if (id !== undefined && id !== "") place.id = this.checkId("checkpoint_id", id);
    return place;
  }

  protected placeToWrite(config: RunnableConfig): {
    thread: string;
    namespace: string;
    id: string | undefined;
  } {
    const { thread, namespace = "", id } = this.placeOf(config);
    if (thread === undefined) throw new SaverFailure("NO_THREAD", "configurable.thread_id is missing");
    return { thread, namespace, id };
  }

  protected threadId(thread: unknown): string {
    return typeof thread === "number" ? String(thread) : this.checkId("thread_id", thread);
  }

  protected checkId(name: string, id: unknown): string {
    if (typeof id !== "string") throw new SaverFailure("BAD_ID", `${name} must be a string`);
    return id;
  }

  protected key(...parts: string[]): string {
    return JSON.stringify(parts);
  }

  protected configOf({ thread, namespace, id }: Place): RunnableConfig {
    return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
  }

  protected metadataFor(config: RunnableConfig, metadata: CheckpointMetadata): CheckpointMetadata {
    const runId: unknown = config.metadata?.["run_id"];
    return runId === undefined ? metadata : Object.assign({ ...metadata }, { run_id: runId });
  }

  /** Runs as far as it can before it waits for anything: what is passed goes on changing. */
  protected async serialise(name: string, value: unknown): Promise<Stored> {
    try {
      return this.custom ? await this.custom.dumpsTyped(value) : this.dump(value, name);
    } catch (error) {
      throw new SaverFailure(
        "UNSTORABLE",
        `${name}: ${this.custom ? "the serializer failed" : String(error)}`,
        error,
      );
    }
  }

  protected dump(value: unknown, name: string): Stored {
    return ["text", toText(value, name)];
  }

  protected async deserialise(record: Place, [type, data]: Stored): Promise<unknown> {
    try {
      return this.custom ? await this.custom.loadsTyped(type, data) : fromText(data as string);
    } catch (error) {
      throw this.damaged(record, error);
    }
  }

  protected damaged({ thread, namespace, id }: Place, cause?: unknown): SaverFailure {
    return new SaverFailure("DAMAGED", `checkpoint ${this.key(thread, namespace, id)} cannot be read`, cause);
  }
}
