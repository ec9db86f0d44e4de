import { setTimeout } from "node:timers/promises";

import { invalid } from "../saver/config.js";
import type { StoreSaver } from "../saver/store-saver.js";
import type { PrunePolicy } from "../threads/prune/policy.js";
import type { ThreadPruneReport } from "../threads/prune/prune.js";
import { Lease } from "./lease.js";

/** What `withRetention` keeps, and how often it looks. */
export interface RetentionPolicy {
  /** Checkpoints older than this many milliseconds go; the newest of each namespace stays. */
  maxAgeMs?: number;
  /** At most this many checkpoints stay in each namespace of a thread, beside those that another rule keeps. */
  maxCheckpoints?: number;
  /** Threads in which nothing was put for this many milliseconds are deleted whole. */
  idleThreadMs?: number;
  /** Keep the newest finished checkpoint of each namespace. Default false. */
  keepFinished?: boolean;
  /** Keep checkpoints with an interrupt that nobody has answered yet. Default true. */
  keepInterrupted?: boolean;
  /** From the end of a sweep to the next one. Default 10 minutes. */
  intervalMs?: number;
  /** Each pause is longer or shorter by up to this part of it, so that processes do not sweep in step. Default 0.1. */
  jitter?: number;
  /** Called as each thread is done. */
  onThread?: (report: ThreadPruneReport) => void;
  /** Called after each sweep. */
  onSweep?: (report: SweepReport) => void;
  /** Called when a sweep fails; the next one is tried all the same. Default: a warning of the process. */
  onError?: (error: unknown) => void;
}

/** What a sweep of `withRetention` removed. */
export interface SweepReport {
  /** False: another process is sweeping the same store, and this one left it to that. */
  swept: boolean;
  threads: number;
  deletedThreads: number;
  deletedCheckpoints: number;
  bytes: number;
}

/** A sweep that goes on in the background. */
export interface Retention extends AsyncDisposable {
  /** Sweeps now, or waits for the sweep in hand. */
  sweep(): Promise<SweepReport>;
  /** Ends it: waits for the thread in hand, and leaves the rest of the sweep undone. Idempotent. */
  stop(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 10 * 60_000;
/** Whose registers the lease of sweepers is in; a thread of that id has nothing to do with it. */
const SWEEPER = "langgraph-savers";
const SWEEP_LEASE_MS = 60_000;

/**
 * Keeps a store small: prunes all of its threads by a policy, again and again, beside running graphs. Of several processes
 * one sweeps at a time. Never keeps the process alive.
 *
 * @example
 * const retention = withRetention(saver, { maxCheckpoints: 50, idleThreadMs: 30 * 24 * 3600_000 });
 */
export function withRetention(saver: StoreSaver, policy: RetentionPolicy): Retention {
  const policies = readPolicies(policy);
  const { intervalMs = DEFAULT_INTERVAL_MS, jitter = 0.1 } = policy;
  if (!(intervalMs > 0)) throw invalid("withRetention", "`intervalMs` must be a number greater than 0");
  if (!(jitter >= 0 && jitter <= 1)) throw invalid("withRetention", "`jitter` must be a number from 0 to 1");
  const { onError = warn } = policy;
  const stopped = new AbortController();
  let sweeping: Promise<SweepReport> | undefined;

  const sweep = (): Promise<SweepReport> => {
    sweeping ??= sweepOnce(saver, policies, policy, stopped.signal).finally(() => {
      sweeping = undefined;
    });
    return sweeping;
  };
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        const pause = intervalMs * (1 + jitter * (2 * Math.random() - 1));
        await setTimeout(pause, undefined, { ref: false, signal: stopped.signal });
        await sweep();
      } catch (error) {
        if (!stopped.signal.aborted) onError(error);
      }
    }
  };
  const running = loop();
  const stop = async (): Promise<void> => {
    stopped.abort();
    await running;
    await sweeping?.catch(() => {});
  };
  return { sweep, stop, [Symbol.asyncDispose]: stop };
}

async function sweepOnce(
  saver: StoreSaver,
  policies: readonly PrunePolicy[],
  { onThread, onSweep }: RetentionPolicy,
  stopped: AbortSignal,
): Promise<SweepReport> {
  const report: SweepReport = {
    swept: false,
    threads: 0,
    deletedThreads: 0,
    deletedCheckpoints: 0,
    bytes: 0,
  };
  await saver.ping();
  const terms = { purpose: "sweep", ttlMs: SWEEP_LEASE_MS, waitMs: 0 };
  const lease = await Lease.acquire(saver.store, SWEEPER, terms);
  if (lease === undefined) return report;
  try {
    report.swept = true;
    for await (const { threadId } of saver.listThreads()) {
      if (stopped.aborted || lease.signal.aborted) break;
      for (const policy of policies) {
        const [thread] = (await saver.prune([threadId], policy)).threads;
        if (thread === undefined) break;
        if (thread.deleted.length > 0 && thread.kept.length === 0) report.deletedThreads += 1;
        report.deletedCheckpoints += thread.deleted.length;
        report.bytes += thread.bytes;
        onThread?.(thread);
      }
      report.threads += 1;
    }
  } finally {
    await lease.release();
  }
  onSweep?.(report);
  return report;
}

/** Idle threads first: what is deleted whole need not be pruned. */
function readPolicies(policy: RetentionPolicy): PrunePolicy[] {
  const { maxAgeMs, maxCheckpoints, idleThreadMs, keepFinished, keepInterrupted } = policy ?? {};
  const limits = { maxAgeMs, maxCheckpoints, idleThreadMs };
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && (typeof value !== "number" || !Number.isFinite(value) || value <= 0))
      throw invalid("withRetention", `\`${name}\` must be a number greater than 0`);
  }
  const keep = {
    ...(keepFinished === undefined ? {} : { keepFinished }),
    ...(keepInterrupted === undefined ? {} : { keepInterrupted }),
  };
  const policies: PrunePolicy[] = [];
  if (idleThreadMs !== undefined) policies.push({ strategy: "delete", olderThan: idleThreadMs });
  if (maxAgeMs !== undefined) policies.push({ ...keep, olderThan: maxAgeMs });
  if (maxCheckpoints !== undefined) policies.push({ ...keep, keepLast: maxCheckpoints });
  if (policies.length === 0)
    throw invalid("withRetention", "give `maxAgeMs`, `maxCheckpoints` or `idleThreadMs`");
  return policies;
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
