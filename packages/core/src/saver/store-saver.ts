import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";

import { Serializer } from "../codec/serializer/index.js";
import { SaverError } from "../errors.js";
import type { CheckpointStore } from "../store/port.js";
import { verify, type VerifyReport } from "../threads/verify.js";
import { listThreads, type ListThreadsOptions, type ThreadInfo } from "../threads/list-threads.js";
import { invalid, kindOf, readIds, readString, readThreadId, requireThreadId } from "./config.js";
import { deltaHistory } from "./delta-history.js";
import { cacheBytes, makeSealer, type SaverOptions } from "./options.js";
import { Reader } from "./reader.js";
import { ThreadCache } from "./thread-cache.js";
import { Values } from "./values.js";
import { Writer } from "./writer.js";

/**
 * The engine: LangGraph's checkpointer contract over a store. A backend's saver extends it with a constructor that
 * makes the store.
 */
export class StoreSaver extends BaseCheckpointSaver {
  protected readonly store: CheckpointStore;
  readonly #cache: ThreadCache;
  readonly #writer: Writer;
  readonly #reader: Reader;
  #setup: Promise<void> | undefined;
  #closed = false;

  constructor(store: CheckpointStore, options: SaverOptions = {}) {
    const serde = options.serde ?? new Serializer();
    super(serde);
    this.store = store;
    const sealer = makeSealer(options);
    const values = new Values(serde);
    this.#cache = new ThreadCache(cacheBytes(options));
    const ready = () => this.#ready();
    this.#writer = new Writer({ store, sealer, values, cache: this.#cache, ready });
    const nextVersion = (current: undefined) => this.getNextVersion(current);
    this.#reader = new Reader({ store, sealer, values, cache: this.#cache, nextVersion });
  }

  /** Makes the store ready. Not needed before first use; call it to set up at deployment instead. Idempotent. */
  async setup(): Promise<void> {
    await this.#ready();
  }

  /** What every call awaits: less than `setup` where a saver does more at deployment than on the hot path. */
  async #ready(): Promise<void> {
    if (this.#closed) throw new SaverError("SAVER_CLOSED", "The saver is closed. Make a new one.");
    this.#setup ??= this.store.setup().catch((error: unknown) => {
      this.#setup = undefined;
      throw error;
    });
    await this.#setup;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace = "", checkpointId } = readIds("getTuple", config);
    if (threadId === undefined) return undefined;
    await this.#ready();
    return this.#reader.getTuple({
      threadId,
      namespace,
      ...(checkpointId === undefined ? {} : { checkpointId }),
    });
  }

  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { threadId, namespace, checkpointId } = readIds("list", config);
    const { limit = Infinity, filter } = options ?? {};
    const before = readIds("list", options?.before).checkpointId;
    if (typeof limit !== "number" || Number.isNaN(limit) || limit < 0) {
      throw invalid("list", "`limit` must be a number, 0 or more");
    }
    if (filter !== undefined && (typeof filter !== "object" || filter === null || Array.isArray(filter))) {
      throw invalid("list", `\`filter\` must be an object of metadata keys, not ${kindOf(filter)}`);
    }
    await this.#ready();
    const query = {
      ...(threadId === undefined ? {} : { threadId }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(checkpointId === undefined ? {} : { checkpointId }),
      ...(before === undefined ? {} : { before }),
    };
    yield* this.#reader.list(query, filter, Math.floor(limit));
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const ids = readIds("put", config);
    const threadId = requireThreadId("put", ids);
    const namespace = ids.namespace ?? "";
    const checkpointId = readString("put", "checkpoint.id", checkpoint?.id);
    if (!checkpointId) throw invalid("put", "`checkpoint.id` must be a non-empty string");
    await this.#writer.put({
      key: { threadId, namespace, checkpointId },
      parentId: ids.checkpointId,
      checkpoint,
      metadata,
      newVersions: newVersions ?? {},
      runId: runIdOf(config),
    });
    return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } };
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void> {
    const ids = readIds("putWrites", config);
    const threadId = requireThreadId("putWrites", ids);
    const { namespace = "", checkpointId } = ids;
    if (checkpointId === undefined)
      throw invalid("putWrites", "`config.configurable.checkpoint_id` is missing");
    if (readString("putWrites", "taskId", taskId) === undefined)
      throw invalid("putWrites", "`taskId` is missing");
    const path = readString("putWrites", "taskPath", taskPath) ?? "";
    if (!Array.isArray(writes))
      throw invalid("putWrites", `\`writes\` must be a list, not ${kindOf(writes)}`);
    for (const write of writes as unknown[]) {
      if (!Array.isArray(write) || typeof write[0] !== "string") {
        throw invalid("putWrites", "each of `writes` must be [channel, value] with a string as channel");
      }
    }
    const key = { threadId, namespace, checkpointId };
    await this.#writer.putWrites({ key, taskId, taskPath: path, writes: writes });
  }

  override async deleteThread(threadId: string): Promise<void> {
    const id = readThreadId("deleteThread", threadId);
    if (id === undefined) throw invalid("deleteThread", "the thread id is missing");
    await this.#ready();
    await this.store.deleteThread(id);
    this.#cache.forget(id);
  }

  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const { threadId, namespace = "", checkpointId } = readIds("getDeltaChannelHistory", options.config);
    if (options.channels.length === 0) return {};
    await this.#ready();
    const selector =
      threadId === undefined
        ? undefined
        : { threadId, namespace, ...(checkpointId === undefined ? {} : { checkpointId }) };
    return deltaHistory(this.store, this.#reader, selector, options.channels);
  }

  /** Threads by ascending id, with their first and last activity, sizes and last step. */
  async *listThreads(options: ListThreadsOptions = {}): AsyncGenerator<ThreadInfo> {
    await this.#ready();
    yield* listThreads(this.store, options);
  }

  /** Reads everything that is stored of a thread, or of all, and reports what is missing or damaged. Changes nothing. */
  async verify(threadId?: string): Promise<VerifyReport> {
    const id = readThreadId("verify", threadId);
    await this.setup();
    return verify(this.store, this.#reader, id);
  }

  /** Closes what the saver itself opened. Idempotent; afterwards every call is refused. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** LangGraph.js leaves the run's id in the config's metadata only. */
function runIdOf(config: RunnableConfig): string | undefined {
  const runId: unknown = config.metadata?.["run_id"];
  return typeof runId === "string" ? runId : undefined;
}
