import { messageOf } from "@langgraph-savers/command/modules";

import { configOf, type OpenStore } from "../stores/store.js";
import { copyThread, type CopyThreadOptions, type ThreadOutcome } from "./copy-thread.js";
import type { Journal } from "./journal.js";
import type { Source } from "./source.js";

export interface CopyOptions extends CopyThreadOptions {
  /** Threads that are under way at once. */
  concurrency: number;
  journal: Journal | undefined;
  onListed(count: number): void;
  onThread(report: CopyReport, total: number, threadId: string): void;
}

export interface CopyReport {
  copied: number;
  same: number;
  /** Done by an earlier run that was interrupted. */
  resumed: number;
  checkpoints: number;
  writes: number;
  bytes: number;
  /** Threads that are not, or not as they should be, in the target. */
  problems: { threadId: string; problem: string }[];
  interrupted: boolean;
}

/** So many threads in a row that fail are no accident of theirs. */
const MOST_FAILURES = 5;

/** Thread by thread, some at a time. What fails is reported, and the others go on. */
export async function copyAll(
  source: Source,
  target: OpenStore | undefined,
  options: CopyOptions,
): Promise<CopyReport> {
  const report = emptyReport();
  const threads: { threadId: string; stamp?: string }[] = [];
  for await (const { threadId, stamp } of source.threads()) {
    threads.push({ threadId, ...(stamp === undefined ? {} : { stamp }) });
    options.onListed(threads.length);
  }
  const waiting = threads.values();
  let failuresInRow = 0;
  let failure: Error | undefined;
  const work = async (): Promise<void> => {
    for (const { threadId, stamp } of waiting) {
      if (options.signal.aborted || failure !== undefined) return;
      try {
        await one(source, target, { threadId, stamp }, options, report);
        failuresInRow = 0;
      } catch (error) {
        if (options.signal.aborted) return;
        report.problems.push({ threadId, problem: messageOf(error) });
        failuresInRow += 1;
        if (failuresInRow >= MOST_FAILURES)
          failure ??= error instanceof Error ? error : new Error(String(error));
      }
      options.onThread(report, threads.length, threadId);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  if (failure !== undefined) throw failure;
  report.interrupted = options.signal.aborted;
  return report;
}

async function one(
  source: Source,
  target: OpenStore | undefined,
  { threadId, stamp }: { threadId: string; stamp: string | undefined },
  options: CopyOptions,
  report: CopyReport,
): Promise<void> {
  const { journal } = options;
  const done = journal?.done.get(threadId);
  if (done !== undefined && done.stamp === stamp && (await isThere(target, threadId, done.newest))) {
    report.resumed += 1;
    return;
  }
  const thread = await source.open(threadId);
  const outcome = await copyThread(thread, target, options);
  countOutcome(report, outcome);
  const newest = thread.names.at(-1);
  if (journal !== undefined && newest !== undefined && outcome.problems.length === 0)
    await journal.add({ threadId, stamp, newest: [newest.namespace, newest.checkpointId] });
}

async function isThere(
  target: OpenStore | undefined,
  threadId: string,
  [namespace, checkpointId]: [string, string],
): Promise<boolean> {
  const tuple = await target?.saver.getTuple(configOf(threadId, { namespace, checkpointId }));
  return tuple !== undefined;
}

export function emptyReport(): CopyReport {
  return {
    copied: 0,
    same: 0,
    resumed: 0,
    checkpoints: 0,
    writes: 0,
    bytes: 0,
    problems: [],
    interrupted: false,
  };
}

export function countOutcome(
  report: CopyReport,
  { threadId, result, problems, ...sizes }: ThreadOutcome,
): void {
  if (result === "copied") report.copied += 1;
  if (result === "same") report.same += 1;
  report.checkpoints += sizes.checkpoints;
  report.writes += sizes.writes;
  report.bytes += sizes.bytes;
  for (const problem of problems) report.problems.push({ threadId, problem });
}
