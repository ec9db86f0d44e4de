import type {
  AncestorQuery,
  CheckpointRecord,
  CheckpointSelector,
  CheckpointStore,
  Chunk,
  CommitCondition,
  CommitResult,
  ListQuery,
  Page,
  StoredCheckpoint,
  ThreadQuery,
  ThreadSummary,
  WritesRecord,
} from "@langgraph-savers/core";

import type { Packs } from "../s3/packs.js";
import type { Table } from "../table/table.js";
import { AllThreads } from "./all-threads.js";
import { ChunkStore } from "./chunks.js";
import { Commits } from "./commits.js";
import { Deletions } from "./deletions.js";
import { Expiry } from "./expiry.js";
import { Generations } from "./generations.js";
import { Groups } from "./groups.js";
import { GENERATION_KEY } from "./keys.js";
import { Lists } from "./lists.js";
import { Reads } from "./reads.js";
import { ThreadIndex, type Lookup } from "./thread-index.js";

export interface DynamoStoreParts {
  table: Table;
  ttlSeconds: number | undefined;
  lookup: Lookup;
  packs: Packs | undefined;
  onClose: () => void;
}

/** The port over one DynamoDB table. */
export class DynamoStore implements CheckpointStore {
  readonly #table: Table;
  readonly #chunks: ChunkStore;
  readonly #commits: Commits;
  readonly #reads: Reads;
  readonly #lists: Lists;
  readonly #deletions: Deletions;
  readonly #allThreads: AllThreads;
  readonly #onClose: () => void;

  constructor({ table, ttlSeconds, lookup, packs, onClose }: DynamoStoreParts) {
    const expiry = new Expiry(ttlSeconds);
    const generations = new Generations(table, expiry);
    const chunks = new ChunkStore({ table, expiry, packs });
    const groups = new Groups({ table, chunks, generations, expiry });
    const index = new ThreadIndex(table, lookup);
    this.#table = table;
    this.#chunks = chunks;
    this.#commits = new Commits({ table, chunks, generations, expiry, indexed: index.isIndexed });
    this.#reads = new Reads(groups, generations);
    this.#lists = new Lists(groups);
    this.#deletions = new Deletions(table, generations, packs);
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
