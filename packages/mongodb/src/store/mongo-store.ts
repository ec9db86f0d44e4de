import type {
  AncestorQuery,
  CheckpointKey,
  CheckpointName,
  CheckpointRecord,
  CheckpointSelector,
  CheckpointStore,
  Chunk,
  Collected,
  CommitCondition,
  CommitResult,
  Deleted,
  ListQuery,
  Page,
  RegisterName,
  RunQuery,
  StoredCheckpoint,
  ThreadQuery,
  ThreadSummary,
  WritesRecord,
} from "@langgraph-savers/core";
import type { Collection, MongoClient } from "mongodb";

import { checkConcern, collectionOptions, isReplicated } from "../driver/concerns.js";
import { Backend } from "./backend.js";
import { deleteCheckpoints } from "./checkpoint-deletion.js";
import { getChunks } from "./chunks.js";
import { collectChunks } from "./collection.js";
import { Committer } from "./commit.js";
import { deleteThread } from "./deletion.js";
import type { StoredDocument } from "./documents.js";
import { Expiry } from "./expiry.js";
import { MigrationProgress } from "./migration-progress.js";
import { CheckpointReader } from "./reader.js";
import { getRegister, setRegister } from "./registers.js";
import { listRuns } from "./runs.js";
import { setUp, shard } from "./setup.js";
import { getThread, listThreads } from "./thread-list.js";

export interface MongoStoreOptions {
  client: MongoClient;
  dbName: string | undefined;
  collectionName: string;
  ttl: number | undefined;
  timestamps: boolean;
  retryTimeoutMs: number;
  /** Whether closing the store closes the client. */
  ownsClient: boolean;
}

/** The store port over one collection. */
export class MongoStore implements CheckpointStore {
  readonly #client: MongoClient;
  readonly #ownsClient: boolean;
  readonly #collection: (replicated: boolean) => Collection<StoredDocument>;
  readonly #backend: Backend;
  readonly #expiry: Expiry;
  readonly #committer: Committer;
  readonly #reader: CheckpointReader;

  constructor(options: MongoStoreOptions) {
    const { client, dbName, collectionName, ttl, timestamps, retryTimeoutMs, ownsClient } = options;
    this.#client = client;
    this.#ownsClient = ownsClient;
    checkConcern(client);
    const db = client.db(dbName);
    this.#collection = (replicated) => db.collection(collectionName, collectionOptions(client, replicated));
    this.#backend = new Backend(client, this.#collection(false), retryTimeoutMs);
    this.#expiry = new Expiry(ttl);
    this.#committer = new Committer({ backend: this.#backend, expiry: this.#expiry, timestamps });
    this.#reader = new CheckpointReader(this.#backend);
  }

  async setup(): Promise<void> {
    const replicated = await this.#backend.run("setup", () => isReplicated(this.#client));
    this.#backend.collection = this.#collection(replicated);
    await setUp(this.#backend, this.#expiry.enabled);
  }

  async shard(): Promise<void> {
    const admin = this.#client.db("admin");
    await shard(this.#backend, (command) => admin.command(command));
  }

  /** How far a migration from that source has come. */
  migration(source: string): MigrationProgress {
    return new MigrationProgress(this.#backend, source);
  }

  async putCheckpoint(
    record: CheckpointRecord,
    chunks: Chunk[],
    condition?: CommitCondition,
  ): Promise<CommitResult> {
    return this.#committer.putCheckpoint(record, chunks, condition);
  }

  async putWrites(record: WritesRecord, chunks: Chunk[], condition?: CommitCondition): Promise<CommitResult> {
    return this.#committer.putWrites(record, chunks, condition);
  }

  async getCheckpoints(selectors: CheckpointSelector[]): Promise<StoredCheckpoint[]> {
    return Promise.all(selectors.map((selector) => this.#reader.get(selector)));
  }

  async listCheckpoints(query: ListQuery): Promise<Page<StoredCheckpoint>> {
    return this.#reader.list(query);
  }

  async listAncestors(query: AncestorQuery): Promise<Page<StoredCheckpoint>> {
    return this.#reader.ancestors(query);
  }

  async getChunks(threadId: string, generation: string, hashes: string[]): Promise<Chunk[]> {
    return getChunks(this.#backend, threadId, generation, hashes);
  }

  async listThreads(query: ThreadQuery): Promise<Page<ThreadSummary>> {
    return listThreads(this.#backend, query);
  }

  async getThread(threadId: string): Promise<ThreadSummary | undefined> {
    return getThread(this.#backend, threadId);
  }

  async listRuns(query: RunQuery): Promise<Page<CheckpointKey>> {
    return listRuns(this.#backend, query);
  }

  async deleteCheckpoints(threadId: string, names: readonly CheckpointName[]): Promise<Deleted> {
    return deleteCheckpoints({ backend: this.#backend, expiry: this.#expiry }, threadId, names);
  }

  async collectChunks(threadId: string, before: number): Promise<Collected> {
    return collectChunks(this.#backend, threadId, before);
  }

  async getRegister(threadId: string, name: RegisterName): Promise<string | undefined> {
    return getRegister(this.#backend, threadId, name);
  }

  async setRegister(
    threadId: string,
    name: RegisterName,
    value: string | undefined,
    expected: string | undefined,
  ): Promise<boolean> {
    return setRegister({ backend: this.#backend, expiry: this.#expiry }, threadId, name, value, expected);
  }

  async deleteThread(threadId: string): Promise<void> {
    await deleteThread(this.#backend, threadId);
  }

  /** What a commit leaves behind that raced with a deletion carries the old generation: no reader sees it. */
  async finishDeletion(): Promise<void> {}

  async ping(): Promise<void> {
    await this.#backend.run("ping", () => this.#client.db("admin").command({ ping: 1 }));
  }

  async close(): Promise<void> {
    if (this.#ownsClient) await this.#client.close();
  }
}
