import type { SaverError } from "../../errors.js";
import { keyOf } from "../../saver/reader.js";
import type { CheckpointName, CheckpointStore } from "../../store/port.js";
import { GRACE_MS } from "../../store/grace.js";
import { isOfOneThread, PAGE, pagesOf, threadExists, threadsOf, type ThreadParts } from "../parts.js";
import { planPrune, type KeepReason } from "./plan.js";
import type { ReadPolicy } from "./policy.js";

/** What `prune` deleted, and what stayed, of all threads. */
export interface PruneReport {
  /** Checkpoints of all threads. */
  deleted: number;
  kept: number;
  /** Bytes given back: those of what was deleted now, and the values of what went in earlier calls. */
  bytes: number;
  threads: ThreadPruneReport[];
  /** Threads that were passed over because they cannot be read; of `"all"` only: one that is named fails the call. */
  failed: FailedPrune[];
}

/** A thread that `prune` of `"all"` passed over. */
export interface FailedPrune {
  threadId: string;
  error: SaverError;
}

/** What `prune` deleted of one thread. */
export interface ThreadPruneReport {
  threadId: string;
  deleted: PrunedCheckpoint[];
  kept: (PrunedCheckpoint & { reasons: KeepReason[] })[];
  bytes: number;
}

/** A checkpoint that `prune` looked at, and what keeps it. */
export interface PrunedCheckpoint {
  checkpointNs: string;
  checkpointId: string;
}

/** Thread by thread: decides what stays, deletes the rest, and gives back what nothing has needed for the grace period. */
export async function prune(
  parts: ThreadParts,
  threadIds: readonly string[] | "all",
  policy: ReadPolicy,
  onThread: (report: ThreadPruneReport) => void = () => {},
): Promise<PruneReport> {
  const report: PruneReport = { deleted: 0, kept: 0, bytes: 0, threads: [], failed: [] };
  for await (const threadId of threadIds === "all" ? allIds(parts) : new Set(threadIds)) {
    let thread: ThreadPruneReport | undefined;
    try {
      thread = await pruneThread(parts, threadId, policy);
    } catch (error) {
      if (threadIds !== "all" || !isOfOneThread(error)) throw error;
      report.failed.push({ threadId, error });
    }
    if (thread === undefined) continue;
    report.deleted += thread.deleted.length;
    report.kept += thread.kept.length;
    report.bytes += thread.bytes;
    report.threads.push(thread);
    onThread(thread);
  }
  return report;
}

/** Undefined where there is no such thread. */
async function pruneThread(
  parts: ThreadParts,
  threadId: string,
  policy: ReadPolicy,
): Promise<ThreadPruneReport | undefined> {
  if (policy.wholeThreads) return pruneWhole(parts, threadId, policy);
  const { kept, going } = await planPrune(parts, threadId, policy);
  if (kept.size + going.length === 0) {
    // All its checkpoints were deleted, and their values are still there; nothing lists it any more.
    if (!policy.dryRun) await parts.store.collectChunks(threadId, Date.now() - GRACE_MS);
    return undefined;
  }
  const report: ThreadPruneReport = {
    threadId,
    deleted: going.map(published),
    kept: [...kept.values()].map(({ reasons, ...name }) => ({ ...published(name), reasons })),
    bytes: 0,
  };
  if (policy.dryRun) return report;
  report.bytes += await deleteAll(parts.store, threadId, going);
  report.bytes += (await parts.store.collectChunks(threadId, Date.now() - GRACE_MS)).bytes;
  return report;
}

async function pruneWhole(
  { store, cache }: ThreadParts,
  threadId: string,
  { before, dryRun }: ReadPolicy,
): Promise<ThreadPruneReport | undefined> {
  const summary = await store.getThread(threadId);
  if (summary === undefined) return undefined;
  let goes = summary.updatedAt < before;
  const seen: CheckpointName[] = [];
  for await (const page of pagesOf(store, { threadId })) {
    seen.push(...page.map(keyOf));
    // Put since it was summed up: somebody goes on with it.
    goes &&= page.every(({ checkpoint }) => checkpoint === undefined || checkpoint.createdAt < before);
  }
  const report: ThreadPruneReport = {
    threadId,
    deleted: goes ? seen.map(published) : [],
    kept: goes ? [] : seen.map((name) => ({ ...published(name), reasons: ["recent"] })),
    bytes: 0,
  };
  if (!goes || dryRun) return report;
  report.bytes = summary.bytes;
  if (before !== Infinity) {
    // Somebody may go on with the thread just now: what was put since stays.
    await deleteAll(store, threadId, seen);
    if (await threadExists(store, threadId)) return report;
  }
  await store.deleteThread(threadId);
  cache.forget(threadId);
  return report;
}

async function deleteAll(
  store: CheckpointStore,
  threadId: string,
  names: readonly CheckpointName[],
): Promise<number> {
  let bytes = 0;
  for (let at = 0; at < names.length; at += PAGE)
    bytes += (await store.deleteCheckpoints(threadId, names.slice(at, at + PAGE))).bytes;
  return bytes;
}

async function* allIds({ store }: ThreadParts): AsyncGenerator<string> {
  for await (const { threadId } of threadsOf(store)) yield threadId;
}

function published({ namespace, checkpointId }: CheckpointName): PrunedCheckpoint {
  return { checkpointNs: namespace, checkpointId };
}
