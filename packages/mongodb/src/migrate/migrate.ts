import { InvalidInputError, SaverError } from "@langgraph-savers/core";

import { storeOf, type MongoDBSaver } from "../saver.js";
import { OfficialSource, type OfficialLocation } from "./official-source.js";

/** What a migration copied. */
export interface MigrationCounts {
  threads: number;
  checkpoints: number;
  /** Writes of tasks, each counted by itself. */
  writes: number;
}

/** Options of `migrateFromOfficial`. */
export interface MigrationOptions {
  /** Start from the first thread again: to catch up with what the official saver stored meanwhile. Default `false`. */
  restart?: boolean;
  /** Called after each thread. */
  onProgress?: (counts: MigrationCounts & { threadId: string }) => void;
  /** Ends the migration after the thread it is at; called again, it goes on with the next one. */
  signal?: AbortSignal;
}

/**
 * Copies the checkpoints and writes of the official `MongoDBSaver` into this one's collection, thread by thread, and
 * reads each thread back. The official saver may go on working, and its collections are only read. What was copied
 * before is not copied twice: interrupted, call it again.
 *
 * @returns what this call copied and verified.
 */
export async function migrateFromOfficial(
  from: OfficialLocation,
  saver: MongoDBSaver,
  options: MigrationOptions = {},
): Promise<MigrationCounts> {
  const store = storeOf(saver);
  if (store === undefined) {
    throw new InvalidInputError(
      "INVALID_INPUT",
      "migrateFromOfficial: the second argument must be a MongoDBSaver of @langgraph-savers/mongodb.",
    );
  }
  await saver.setup();
  const source = new OfficialSource(from);
  const progress = store.migration(source.name);
  const total: MigrationCounts = { threads: 0, checkpoints: 0, writes: 0 };
  let threadId = await source.nextThread(options.restart === true ? undefined : await progress.load());
  while (threadId !== undefined && options.signal?.aborted !== true) {
    const { checkpoints, writes } = await copyThread(source, saver, threadId);
    total.threads += 1;
    total.checkpoints += checkpoints;
    total.writes += writes;
    await progress.save(threadId);
    options.onProgress?.({ ...total, threadId });
    threadId = await source.nextThread(threadId);
  }
  return total;
}

async function copyThread(
  source: OfficialSource,
  saver: MongoDBSaver,
  threadId: string,
): Promise<Omit<MigrationCounts, "threads">> {
  const writesOf = new Map<string, number>();
  let writes = 0;
  // Writes first: a checkpoint is never to be seen without them.
  for await (const batch of source.writes(threadId)) {
    const { namespace, checkpointId, taskId } = batch;
    const configurable = { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId };
    await saver.putWrites({ configurable }, batch.writes, taskId);
    const key = JSON.stringify([namespace, checkpointId]);
    writesOf.set(key, (writesOf.get(key) ?? 0) + batch.count);
    writes += batch.count;
  }
  const expected = new Map<string, number>();
  for await (const { config, namespace, checkpoint, metadata } of source.checkpoints(threadId)) {
    await saver.put(config, checkpoint, metadata, checkpoint.channel_versions);
    const key = JSON.stringify([namespace, checkpoint.id]);
    expected.set(key, writesOf.get(key) ?? 0);
  }
  const checkpoints = expected.size;
  for await (const { config, pendingWrites = [] } of saver.list({ configurable: { thread_id: threadId } })) {
    const key = JSON.stringify([
      config.configurable!["checkpoint_ns"],
      config.configurable!["checkpoint_id"],
    ]);
    // More than was copied is fine: the thread may be in use here already.
    if (pendingWrites.length >= (expected.get(key) ?? 0)) expected.delete(key);
  }
  if (expected.size > 0) {
    throw new SaverError(
      "CHECKPOINT_DAMAGED",
      `${expected.size} of ${checkpoints} checkpoints of the thread were not found as they were copied. ` +
        "Was it deleted meanwhile? Call migrateFromOfficial again.",
      { threadId },
    );
  }
  return { checkpoints, writes };
}
