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

import type { Packs } from "../s3/packs.js";
import type { Item, Table } from "../table/table.js";
import { AllThreads } from "./all-threads.js";
import { CheckpointDeletions } from "./checkpoint-deletions.js";
import { ChunkStore } from "./chunks.js";
import { Collection } from "./collection.js";
import { Commits } from "./commits.js";
import { Deletions } from "./deletions.js";
import { Expiry } from "./expiry.js";
import { Generations } from "./generations.js";
import { Groups } from "./groups.js";
import { GENERATION_KEY } from "./keys.js";
import { Lists } from "./lists.js";
import type { Lookup } from "./lookup.js";
import { Reads } from "./reads.js";
import { Registers } from "./registers.js";
import { Releases } from "./releases.js";
import { Renewals } from "./renewals.js";
import { Runs } from "./runs.js";
import { ThreadIndex } from "./thread-index.js";
import { summarise } from "./thread-summary.js";

export interface DynamoStoreParts {
  table: Table;
  ttlSeconds: number | undefined;
  /** How to find threads, and runs. */
  lookup: { threads: Lookup; runs: Lookup };
  packs: Packs | undefined;
  onClose: () => void;
}

/** The port over one DynamoDB table. */
export class DynamoStore implements CheckpointStore {
  readonly #table: Table;
  readonly #expiry: Expiry;
  readonly #chunks: ChunkStore;
  readonly #commits: Commits;
  readonly #reads: Reads;
  readonly #lists: Lists;
  readonly #deletions: Deletions;
  readonly #checkpointDeletions: CheckpointDeletions;
  readonly #collection: Collection;
  readonly #registers: Registers;
  readonly #runs: Runs;
  readonly #allThreads: AllThreads;
  readonly #onClose: () => void;

  constructor({ table, ttlSeconds, lookup, packs, onClose }: DynamoStoreParts) {
    const expiry = new Expiry(ttlSeconds);
    const generations = new Generations(table, expiry);
    const renewals = new Renewals({ table, expiry, packs });
    const chunks = new ChunkStore({ table, expiry, packs });
    const groups = new Groups({ table, chunks, generations, expiry, renewals });
    const releases = new Releases(table, expiry, chunks);
    const registers = new Registers(table);
    const index = new ThreadIndex(table, lookup.threads);
    const runs = new Runs(table, lookup.runs, expiry);
    const indexEntries = (record: CheckpointRecord): Item => ({
      ...index.entry(record.threadId),
      ...runs.entry(record),
    });
    this.#table = table;
    this.#expiry = expiry;
    this.#chunks = chunks;
    this.#commits = new Commits({
      table,
      chunks,
      generations,
      expiry,
      registers,
      releases,
      renewals,
      indexEntries,
    });
    this.#reads = new Reads(groups, generations);
    this.#lists = new Lists(groups);
    this.#deletions = new Deletions(table, generations, packs);
    this.#checkpointDeletions = new CheckpointDeletions({ table, groups, releases, expiry });
    this.#collection = new Collection({ table, chunks, generations, releases, packs });
    this.#registers = registers;
    this.#runs = runs;
    this.#allThreads = new AllThreads({ table, index, reads: this.#reads, expiry });
    this.#onClose = onClose;
  }

  /** Nothing on the way to the first call: a table that is not there shows by the first request. */
  async setup(): Promise<void> {}

  putCheckpoint(
    record: CheckpointRecord,
    chunks: Chunk[],
    condition?: CommitCondition,
  ): Promise<CommitResult> {
    return this.#commits.putCheckpoint(record, chunks, condition);
  }

  putWrites(record: WritesRecord, chunks: Chunk[], condition?: CommitCondition): Promise<CommitResult> {
    return this.#commits.putWrites(record, chunks, condition);
  }

  getCheckpoints(selectors: CheckpointSelector[]): Promise<StoredCheckpoint[]> {
    return Promise.all(selectors.map((selector) => this.#reads.get(selector)));
  }

  listCheckpoints(query: ListQuery): Promise<Page<StoredCheckpoint>> {
    const { threadId } = query;
    return threadId === undefined
      ? this.#allThreads.listCheckpoints(query)
      : this.#lists.list({ ...query, threadId });
  }

  listAncestors(query: AncestorQuery): Promise<Page<StoredCheckpoint>> {
    return this.#reads.ancestors(query);
  }

  getChunks(threadId: string, generation: string, hashes: string[]): Promise<Chunk[]> {
    return this.#chunks.read(threadId, generation, hashes);
  }

  listThreads(query: ThreadQuery): Promise<Page<ThreadSummary>> {
    return this.#allThreads.listThreads(query);
  }

  getThread(threadId: string): Promise<ThreadSummary | undefined> {
    return summarise(this.#table, this.#expiry, threadId);
  }

  listRuns(query: RunQuery): Promise<Page<CheckpointKey>> {
    return this.#runs.list(query);
  }

  deleteCheckpoints(threadId: string, names: readonly CheckpointName[]): Promise<Deleted> {
    return this.#checkpointDeletions.delete(threadId, names);
  }

  collectChunks(threadId: string, before: number): Promise<Collected> {
    return this.#collection.collect(threadId, before);
  }

  getRegister(threadId: string, name: RegisterName): Promise<string | undefined> {
    return this.#registers.get(threadId, name);
  }

  setRegister(
    threadId: string,
    name: RegisterName,
    value: string | undefined,
    expected: string | undefined,
  ): Promise<boolean> {
    return this.#registers.set(threadId, name, value, expected);
  }

  deleteThread(threadId: string): Promise<void> {
    return this.#deletions.deleteThread(threadId);
  }

  finishDeletion(threadId: string): Promise<void> {
    return this.#deletions.finish(threadId);
  }

  async ping(): Promise<void> {
    await this.#table.get({ PK: "ping", SK: GENERATION_KEY });
  }

  async close(): Promise<void> {
    this.#onClose();
  }
}
