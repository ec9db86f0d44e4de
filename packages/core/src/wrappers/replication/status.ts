/** One of the two savers of a `ReplicatedSaver`. */
export type SideName = "primary" | "secondary";

/** `"catching-up"`: it answers again, and takes what it missed. */
export type SideState = "up" | "catching-up" | "down";

/** When a write counts as done: when both sides have it, or when the primary has. */
export type ReplicationMode = "sync" | "async";

/** What one side is doing. */
export interface SideStatus {
  state: SideState;
  /** Outages in a row; at `failureThreshold` the side counts as down. */
  failures: number;
  /** The last outage seen, also after it is over. */
  lastError: unknown;
  downSince: Date | undefined;
  /** What the side has yet to take: the queue of the async mode, and what it missed while it was down. */
  queue: { operations: number; bytes: number; threads: number };
  /** Threads whose copy on this side is out of date or in doubt, and is to be compared with the other side's. */
  needsResync: number;
}

/** How a `ReplicatedSaver` and its two sides are. */
export interface ReplicationStatus {
  mode: ReplicationMode;
  /** The side that is read first and written first. */
  active: SideName;
  /** True while new data is not on both sides: one is down, or has something yet to take. */
  degraded: boolean;
  primary: SideStatus;
  secondary: SideStatus;
}

/** What was copied to one side. */
export interface CopyCounts {
  checkpoints: number;
  writes: number;
}

/** What `resync` copied to each side. */
export interface ResyncReport {
  /** Threads that were compared. */
  threads: number;
  toPrimary: CopyCounts;
  toSecondary: CopyCounts;
}

/** What happens between the two sides. Ids and counts, never values. */
export type ReplicationEvent =
  /** The active side is down; the other one serves from now on. */
  | { type: "failover"; from: SideName; to: SideName; error: unknown }
  /** The primary has caught up and serves again. */
  | { type: "failback"; to: "primary" }
  /** A side is down: what is written now is on the other side only, until this one has caught up. */
  | { type: "degraded"; side: SideName; error: unknown }
  /** A side that was down answers, and has caught up. */
  | { type: "recovered"; side: SideName }
  /** The queue of a side is full: writers wait (`"wait"`), or a thread is copied as a whole later (`"resync"`). */
  | { type: "queue-full"; side: SideName; action: "wait" }
  | { type: "queue-full"; side: SideName; action: "resync"; threadId: string }
  /** A thread was compared, and what was missing was copied. */
  | ({ type: "resynced"; threadId: string; to: SideName } & CopyCounts)
  /** Something failed in the background: a side refused what the other has, or a thread could not be compared. */
  | { type: "error"; side: SideName; threadId: string; error: unknown }
  /** The saver was closed before a side had taken everything. `resync()` of the next saver finds it. */
  | { type: "incomplete"; side: SideName; operations: number; threads: number };
