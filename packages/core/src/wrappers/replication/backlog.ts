import type { Copied } from "./copy-thread.js";
import { conflicts, type Operation } from "./operation.js";

/** What one side has yet to take of one thread. */
export interface ThreadLog {
  operations: Operation[];
  /**
   * `"mirror"`: the side lacks operations that are no longer kept, and becomes a copy of the other. `"merge"`: it is not
   * known which side has a write that was refused; each gets what the other has.
   */
  need: "mirror" | "merge" | undefined;
  /** While the two sides are being compared: what comes in is kept for afterwards. */
  copying: boolean;
  /** Something that came in while copying was dropped: another copy is needed. */
  again: boolean;
  /** Why the side cannot take the thread, where trying again does not help. */
  refused: { error: unknown } | undefined;
  /** The one catching up that is under way. */
  running: Promise<void> | undefined;
  /** What the last copy was about. */
  copied: Copied | undefined;
}

export interface BacklogLimits {
  operations: number;
  bytes: number;
}

type IsLanded = (operation: Operation) => boolean;

const BATCH = 16;

/** What one side has yet to take: the operations of each thread in their order, within limits. */
export class Backlog {
  readonly #threads = new Map<string, ThreadLog>();
  readonly #limits: BacklogLimits;
  #operations = 0;
  #bytes = 0;
  #waiting: (() => void)[] = [];

  constructor(limits: BacklogLimits) {
    this.#limits = limits;
  }

  get operations(): number {
    return this.#operations;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#operations > this.#limits.operations || this.#bytes > this.#limits.bytes;
  }

  get(threadId: string): ThreadLog | undefined {
    return this.#threads.get(threadId);
  }

  entries(): [threadId: string, log: ThreadLog][] {
    return [...this.#threads];
  }

  /** True where the side has all of the thread, or of all threads. */
  isCurrent(threadId: string | undefined): boolean {
    return this.#logs(threadId).every(({ operations, need, copying }) => {
      return operations.length === 0 && need !== "mirror" && !copying;
    });
  }

  /** True where the side lacks something that only the other side has. */
  isStale(threadId: string | undefined): boolean {
    return this.#logs(threadId).some(({ need, again }) => need === "mirror" || again);
  }

  /** The thread that takes most of the room, by operations that may be dropped for a copy. */
  longest(): string | undefined {
    const waiting = this.entries().filter(
      ([, { operations, need }]) => operations.length > 0 && need !== "mirror",
    );
    return waiting.toSorted(([, a], [, b]) => b.operations.length - a.operations.length)[0]?.[0];
  }

  /** Keeps an operation that the other side has acknowledged. */
  add(operation: Operation, isLanded: IsLanded): void {
    const log = this.#ensure(operation.threadId);
    if (operation.kind === "deleteThread") {
      this.remove(log, log.operations);
      Object.assign(log, { need: undefined, again: false, refused: undefined });
    } else if (log.need === "mirror" && !log.copying) {
      // The copy will have it, but for the writes of a checkpoint that is not there yet: no list shows those.
      if (operation.kind === "put") {
        this.remove(
          log,
          log.operations.filter(({ checkpoint }) => checkpoint === operation.checkpoint),
        );
        return;
      }
      if (log.refused !== undefined || isLanded(operation)) return;
    }
    log.operations.push(operation);
    this.#operations += 1;
    this.#bytes += operation.bytes;
  }

  /** Drops what the other side can show, and remembers that the thread must be copied from there. */
  spill(threadId: string, isLanded: IsLanded): void {
    const log = this.#ensure(threadId);
    this.remove(
      log,
      log.operations.filter((operation) => operation.kind !== "putWrites" || isLanded(operation)),
    );
    if (log.copying) log.again = true;
    else log.need = "mirror";
  }

  /** Notes that the thread must be compared, if nothing stronger is noted. */
  doubt(threadId: string): ThreadLog {
    const log = this.#ensure(threadId);
    log.need ??= "merge";
    return log;
  }

  remove(log: ThreadLog, done: readonly Operation[]): void {
    if (done.length === 0) return;
    const gone = new Set(done);
    const kept = log.operations.filter((operation) => !gone.has(operation));
    for (const operation of log.operations) {
      if (!gone.has(operation)) continue;
      this.#operations -= 1;
      this.#bytes -= operation.bytes;
    }
    log.operations = kept;
    if (!this.isFull) this.release();
  }

  /** Forgets all about a thread: it is current, or is no more. */
  forget(threadId: string): void {
    const log = this.#threads.get(threadId);
    if (log === undefined) return;
    this.remove(log, log.operations);
    this.#threads.delete(threadId);
  }

  /** Resolves when something was taken, or `release` was called. */
  async change(): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #logs(threadId: string | undefined): ThreadLog[] {
    if (threadId === undefined) return [...this.#threads.values()];
    const log = this.#threads.get(threadId);
    return log === undefined ? [] : [log];
  }

  #ensure(threadId: string): ThreadLog {
    let log = this.#threads.get(threadId);
    if (log === undefined) {
      log = {
        operations: [],
        need: undefined,
        copying: false,
        again: false,
        refused: undefined,
        running: undefined,
        copied: undefined,
      };
      this.#threads.set(threadId, log);
    }
    return log;
  }
}

/** The first operations that may run at once: their order does not count. */
export function firstBatch(operations: readonly Operation[]): Operation[] {
  const batch: Operation[] = [];
  for (const operation of operations) {
    if (batch.length === BATCH || batch.some((earlier) => conflicts(earlier, operation))) break;
    batch.push(operation);
  }
  return batch;
}
