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

import { LARGE_VALUE_SIZES, VALUE_SIZES } from "../codec/chunker.js";
import { Serializer } from "../codec/serializer/index.js";
import { SaverError } from "../errors.js";
import type { CheckpointStore } from "../store/port.js";
import { getAtOrBefore, readPoint, type HistoryPoint } from "../threads/at-or-before.js";
import {
  copyThread,
  readCopyOptions,
  type CopyThreadOptions,
  type CopyThreadResult,
} from "../threads/copy-thread.js";
import {
  deleteCheckpoints,
  deleteForRuns,
  type DeleteCheckpointsOptions,
  type DeletedCheckpoints,
} from "../threads/delete-checkpoints.js";
import { fork, readFork, takeEdits, type ForkOptions, type ForkParts } from "../threads/fork.js";
import {
  infoOf,
  listThreads,
  stats,
  type ListThreadsOptions,
  type StoreStats,
  type ThreadInfo,
} from "../threads/list-threads.js";
import { threadExists } from "../threads/parts.js";
import { readPolicy, type PrunePolicy } from "../threads/prune/policy.js";
import { prune, type PruneReport, type ThreadPruneReport } from "../threads/prune/prune.js";
import type { ThreadManager } from "../threads/thread-manager.js";
import { verify, type VerifyReport } from "../threads/verify.js";
import {
  givenThreadId,
  invalid,
  kindOf,
  readFlag,
  readFunction,
  readIdList,
  readIds,
  readOptions,
  readString,
  readThreadId,
} from "./config.js";
import { deltaHistory } from "./delta-history.js";
import { readPut, readPutWrites } from "./inputs.js";
import { cacheBytes, makeSealer, onStaleParent, type SaverOptions } from "./options.js";
import { Reader } from "./reader.js";
import { taskWritesOf, type TaskWrites } from "./task-writes.js";
import { ThreadCache } from "./thread-cache.js";
import { eachUntilAborted, untilAborted } from "./until-aborted.js";
import { Values } from "./values.js";
import { Writer } from "./writer.js";

/** What a saver's author knows of its store. */
export interface StoreTraits {
  /** To find a chunk takes longer than to read it: they are of about 16 KB instead of 4. */
  largeChunks?: boolean;
}

/**
 * The engine: LangGraph's checkpointer contract over a store. A backend's saver extends it with a constructor that
 * makes the store.
 */
export class StoreSaver extends BaseCheckpointSaver implements ThreadManager {
  /** The store under the saver: for wrappers and tools. */
  readonly store: CheckpointStore;
  readonly #cache: ThreadCache;
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #threads: ForkParts;
  #setup: Promise<void> | undefined;
  #isSetUp = false;
  #closed = false;
  #closing: Promise<void> | undefined;
  /** Calls of `put` and `putWrites` under way, and who waits for the last of them. */
  #writing = 0;
  #onIdle: (() => void) | undefined;

  constructor(store: CheckpointStore, options: SaverOptions = {}, { largeChunks = false }: StoreTraits = {}) {
    const serde = options.serde ?? new Serializer();
    super(serde);
    this.store = store;
    const sealer = makeSealer(options);
    const values = new Values(serde);
    const chunkSizes = largeChunks ? LARGE_VALUE_SIZES : VALUE_SIZES;
    this.#cache = new ThreadCache(cacheBytes(options));
    const ready = () => this.#ready();
    const cache = this.#cache;
    this.#writer = new Writer({
      store,
      sealer,
      chunkSizes,
      values,
      cache,
      ready,
      onStaleParent: onStaleParent(options),
    });
    const nextVersion = (current: number | undefined) => this.getNextVersion(current);
    this.#reader = new Reader({ store, sealer, values, cache, nextVersion });
    this.#threads = {
      store,
      sealer,
      chunkSizes,
      values,
      cache,
      reader: this.#reader,
      writer: this.#writer,
      nextVersion,
    };
  }

  /** Makes the store ready. Not needed before first use; call it to set up at deployment instead. Idempotent. */
  async setup(): Promise<void> {
    await this.#ready();
  }

  /** What every call awaits: less than `setup` where a saver does more at deployment than on the hot path. */
  #ready(): Promise<void> | undefined {
    if (this.#closed) throw new SaverError("SAVER_CLOSED", "The saver is closed. Make a new one.");
    if (this.#isSetUp) return undefined;
    this.#setup ??= this.store.setup().then(
      () => {
        this.#isSetUp = true;
      },
      (error: unknown) => {
        this.#setup = undefined;
        throw error;
      },
    );
    return this.#setup;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace = "", checkpointId } = readIds("getTuple", config);
    if (threadId === undefined) return undefined;
    return untilAborted(config.signal, async () => {
      await this.#ready();
      return this.#reader.getTuple({
        threadId,
        namespace,
        ...(checkpointId === undefined ? {} : { checkpointId }),
      });
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
    await untilAborted(config?.signal, async () => this.#ready());
    const query = {
      ...(threadId === undefined ? {} : { threadId }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(checkpointId === undefined ? {} : { checkpointId }),
      ...(before === undefined ? {} : { before }),
    };
    yield* eachUntilAborted(config?.signal, this.#reader.list(query, filter, Math.floor(limit)));
  }

  /** Not ended by `config.signal`: with durability "exit" LangGraph puts the state of a run after it was aborted. */
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { key, parentId } = readPut(config, checkpoint);
    const input = {
      key,
      parentId,
      checkpoint,
      metadata,
      newVersions: newVersions ?? {},
      runId: runIdOf(config),
    };
    await this.#write(() => this.#writer.put(input));
    const { threadId, namespace, checkpointId } = key;
    return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } };
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void> {
    const checked = readPutWrites(config, writes, taskId, taskPath);
    await this.#write(() => this.#writer.putWrites({ ...checked, taskId, writes }));
  }

  override async deleteThread(threadId: string): Promise<void> {
    const id = givenThreadId("deleteThread", threadId);
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
    const selector =
      threadId === undefined
        ? undefined
        : { threadId, namespace, ...(checkpointId === undefined ? {} : { checkpointId }) };
    return untilAborted(options.config.signal, async () => {
      await this.#ready();
      return deltaHistory(this.store, this.#reader, selector, options.channels);
    });
  }

  /** The pending writes of a tuple that this saver read, by task, with the path and the positions that it leaves out. */
  taskWrites(tuple: CheckpointTuple): TaskWrites[] {
    return taskWritesOf(tuple);
  }

  async *listThreads(options?: ListThreadsOptions): AsyncGenerator<ThreadInfo> {
    await this.#ready();
    yield* listThreads(this.store, options);
  }

  async exists(threadId: string): Promise<boolean> {
    const id = givenThreadId("exists", threadId);
    await this.#ready();
    return threadExists(this.store, id);
  }

  async threadInfo(threadId: string): Promise<ThreadInfo | undefined> {
    const id = givenThreadId("threadInfo", threadId);
    await this.#ready();
    const summary = await this.store.getThread(id);
    return summary && infoOf(summary);
  }

  async getAtOrBefore(threadId: string, point: HistoryPoint): Promise<CheckpointTuple | undefined> {
    const id = givenThreadId("getAtOrBefore", threadId);
    const wanted = readPoint(point);
    await this.#ready();
    return getAtOrBefore(this.#threads, id, wanted);
  }

  async copyThread(source: string, target: string, options?: CopyThreadOptions): Promise<CopyThreadResult> {
    const from = givenThreadId("copyThread", source);
    const to = givenThreadId("copyThread", target);
    const ifExists = readCopyOptions(from, to, options);
    await this.#ready();
    return copyThread(this.#threads, from, to, ifExists);
  }

  async fork(config: RunnableConfig, options?: ForkOptions): Promise<RunnableConfig> {
    const request = await takeEdits(this.#threads, readFork(config, options));
    await this.#ready();
    return fork(this.#threads, request);
  }

  async deleteCheckpoints(
    threadId: string,
    checkpointIds: readonly string[],
    options?: DeleteCheckpointsOptions,
  ): Promise<DeletedCheckpoints> {
    const id = givenThreadId("deleteCheckpoints", threadId);
    const ids = readIdList("deleteCheckpoints", "checkpointIds", checkpointIds);
    const { checkpointNs, force } = readOptions("deleteCheckpoints", options);
    const chosen = {
      checkpointNs: readString("deleteCheckpoints", "checkpointNs", checkpointNs),
      force: readFlag("deleteCheckpoints", "force", force),
    };
    await this.#ready();
    return deleteCheckpoints(this.#threads, id, ids, chosen);
  }

  async deleteForRuns(
    runIds: readonly string[],
    options?: Pick<DeleteCheckpointsOptions, "force">,
  ): Promise<DeletedCheckpoints> {
    const ids = readIdList("deleteForRuns", "runIds", runIds);
    const force = readFlag("deleteForRuns", "force", readOptions("deleteForRuns", options).force);
    await this.#ready();
    return deleteForRuns(this.#threads, ids, force);
  }

  async prune(
    threadIds: readonly string[] | "all",
    policy: PrunePolicy,
    onThread?: (report: ThreadPruneReport) => void,
  ): Promise<PruneReport> {
    const read = readPolicy(policy);
    const ids = threadIds === "all" ? threadIds : readIdList("prune", "threadIds", threadIds);
    readFunction("prune", "onThread", onThread);
    await this.#ready();
    return prune(this.#threads, ids, read, onThread);
  }

  async stats(): Promise<StoreStats> {
    await this.#ready();
    return stats(this.store);
  }

  async ping(): Promise<void> {
    await this.#ready();
    await this.store.ping();
  }

  async verify(threadId?: string, onThread?: (threadId: string) => void): Promise<VerifyReport> {
    const id = readThreadId("verify", threadId);
    await this.#ready();
    return verify(this.store, this.#reader, id, onThread);
  }

  /** Closes what the saver itself opened, after the writes under way. Idempotent; from now on every call is refused. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed = true;
    if (this.#writing > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.store.close();
  }

  async #write(work: () => Promise<void>): Promise<void> {
    this.#writing += 1;
    try {
      await work();
    } finally {
      this.#writing -= 1;
      if (this.#writing === 0) this.#onIdle?.();
    }
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
