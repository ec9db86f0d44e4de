import { invalid, kindOf } from "../../saver/config.js";
import { readTime } from "../at-or-before.js";

/** What `prune` keeps. The newest checkpoint of each namespace always stays, unless `strategy` is `"delete"`. */
export interface PrunePolicy {
  /** As in LangGraph's Python savers: `"keep_latest"` is `keepLast: 1`, `"delete"` removes the whole thread, open interrupts and all. */
  strategy?: "keep_latest" | "delete";
  /** Keep this many of the newest checkpoints of each namespace. Default 1. */
  keepLast?: number;
  /**
   * Only what was put before this time, or is older than this many milliseconds, goes. With `strategy: "delete"`: only
   * threads whose last checkpoint is.
   */
  olderThan?: number | Date;
  /** Keep the newest finished checkpoint (no tasks to come) of each namespace. Default false. */
  keepFinished?: boolean;
  /** Keep checkpoints with an interrupt that nobody has answered yet. Default true. */
  keepInterrupted?: boolean;
  /** Change nothing; report what would go and stay. */
  dryRun?: boolean;
}

/** A policy, checked, with its times made absolute. */
export interface ReadPolicy {
  wholeThreads: boolean;
  keepLast: number;
  /** What was put at this time or later stays. */
  before: number;
  keepFinished: boolean;
  keepInterrupted: boolean;
  dryRun: boolean;
}

export function readPolicy(policy: PrunePolicy, now = Date.now()): ReadPolicy {
  if (typeof policy !== "object" || policy === null)
    throw invalid("prune", `the policy must be an object, not ${kindOf(policy)}`);
  const {
    strategy,
    keepLast,
    olderThan,
    keepFinished = false,
    keepInterrupted = true,
    dryRun = false,
  } = policy;
  if (strategy === undefined && keepLast === undefined && olderThan === undefined)
    throw invalid("prune", "the policy says nothing to prune by; give `keepLast`, `olderThan` or `strategy`");
  if (strategy !== undefined && strategy !== "keep_latest" && strategy !== "delete")
    throw invalid("prune", '`strategy` must be "keep_latest" or "delete"');
  if (strategy !== undefined && keepLast !== undefined)
    throw invalid("prune", "give `strategy` or `keepLast`, not both");
  if (keepLast !== undefined && (!Number.isSafeInteger(keepLast) || keepLast < 1))
    throw invalid(
      "prune",
      '`keepLast` must be a whole number from 1 on; to delete threads, use strategy "delete"',
    );
  if (strategy === "delete" && policy.keepFinished === true)
    throw invalid("prune", '`strategy` "delete" removes whole threads: leave out `keepFinished`');
  for (const [name, value] of Object.entries({ keepFinished, keepInterrupted, dryRun }))
    if (typeof value !== "boolean") throw invalid("prune", `\`${name}\` must be true or false`);
  return {
    wholeThreads: strategy === "delete",
    keepLast: keepLast ?? 1,
    before: readAge(olderThan, now),
    keepFinished,
    keepInterrupted,
    dryRun,
  };
}

function readAge(olderThan: number | Date | undefined, now: number): number {
  if (olderThan === undefined) return Infinity;
  if (olderThan instanceof Date) return readTime("prune", "olderThan", olderThan);
  if (typeof olderThan === "number" && olderThan >= 0 && Number.isFinite(olderThan)) return now - olderThan;
  throw invalid("prune", "`olderThan` must be a Date, or a number of milliseconds from 0 on");
}
