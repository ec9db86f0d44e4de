import type { AggregateOptions, AnyBulkWriteOperation, Collection, Document, MongoClient } from "mongodb";

import { isOnlyDuplicates, writeErrorsOf } from "../driver/failure.js";
import { reconnecting } from "../driver/reconnect.js";
import { withRetry } from "../driver/retry.js";
import { FIRST_GENERATION, type StoredDocument } from "./documents.js";
import { inThread, type KeyRange } from "./keys.js";

const MAX_HINTS = 10_000;
/** As many documents as fit into one answer: the driver's own first batch would end after 101. */
const BATCH_SIZE = 1_000_000;

/** The collection, and what every operation on it has in common. */
export class Backend {
  /** Set anew by setup, which knows what kind of server it is. */
  collection: Collection<StoredDocument>;
  readonly #client: MongoClient;
  readonly #retryTimeoutMs: number;
  /** Generations of threads that were deleted once. Only hints: each use of one is verified in its own command. */
  readonly #generations = new Map<string, string>();

  constructor(client: MongoClient, collection: Collection<StoredDocument>, retryTimeoutMs: number) {
    this.#client = client;
    this.collection = collection;
    this.#retryTimeoutMs = retryTimeoutMs;
  }

  async run<T>(operation: string, attempt: () => Promise<T>): Promise<T> {
    return withRetry(operation, this.#retryTimeoutMs, () => reconnecting(this.#client, attempt));
  }

  async aggregate<T extends Document>(
    operation: string,
    pipeline: Document[],
    options: AggregateOptions = {},
  ): Promise<T[]> {
    return this.run(operation, () =>
      this.collection.aggregate<T>(pipeline, { batchSize: BATCH_SIZE, ...options }).toArray(),
    );
  }

  /**
   * All statements in one `update` command, in their order; the first that fails ends it. False if it ended with an
   * error for which `stopped` holds.
   */
  async update(
    operation: string,
    statements: AnyBulkWriteOperation<StoredDocument>[],
    stopped: (error: unknown) => boolean,
  ): Promise<boolean> {
    return this.run(operation, async () => {
      try {
        await this.collection.bulkWrite(statements, { ordered: true });
        return true;
      } catch (error) {
        if (stopped(error)) return false;
        throw error;
      }
    });
  }

  /** Returns those that are there already; they stay as they are. */
  async insert<T extends StoredDocument>(operation: string, documents: T[]): Promise<T[]> {
    return this.run(operation, async () => {
      try {
        await this.collection.insertMany(documents, { ordered: false });
        return [];
      } catch (error) {
        if (!isOnlyDuplicates(error)) throw error;
        return writeErrorsOf(error).map(({ index }) => documents[index]!);
      }
    });
  }

  /** All documents of a range that match, a page at a time: each is one command, and repeated by itself if it fails. */
  async *pages<T extends { _id: object }>(
    operation: string,
    { $gte, $lt }: KeyRange,
    filter: Document,
    projection: Document,
    limit: number,
  ): AsyncGenerator<T[]> {
    for (let last: Document = { $gte }; ;) {
      const match = { ...inThread($gte.t, { ...last, $lt }), ...filter };
      const stages = [{ $match: match }, { $sort: { _id: 1 } }, { $limit: limit }, { $project: projection }];
      const page = await this.aggregate<T>(operation, stages, { readPreference: "primary" });
      yield page;
      if (page.length < limit) return;
      last = { $gt: page.at(-1)!._id };
    }
  }

  generationHint(threadId: string): string {
    return this.#generations.get(threadId) ?? FIRST_GENERATION;
  }

  sawGeneration(threadId: string, generation: string): void {
    this.#generations.delete(threadId);
    if (generation === FIRST_GENERATION) return;
    this.#generations.set(threadId, generation);
    const [oldest] = this.#generations.keys();
    if (this.#generations.size > MAX_HINTS) this.#generations.delete(oldest!);
  }
}
