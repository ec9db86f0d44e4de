import { Backlog, firstBatch, type ThreadLog } from "./backlog.js";
import { CopyStopped, copyThread, type Copied } from "./copy-thread.js";
import { Landed } from "./landed.js";
import type { Answer, Operation } from "./operation.js";
import type { AnySaver, Settings } from "./options.js";
import { outOfDate } from "./outage.js";
import { outcomeOf } from "./outcome.js";
import { Side } from "./side.js";
import type { SideName, SideStatus } from "./status.js";

/** A side, and what it has yet to take from the other. */
export class Replica extends Side {
  readonly backlog: Backlog;
  /** Told that a thread has something to take. */
  onBehind: (threadId: string) => void = () => {};
  readonly #landed = new Landed();
  /** Threads that are being deleted: nothing is replayed or copied meanwhile. */
  readonly #held = new Map<string, Promise<void>>();
  #other: Replica | undefined;

  constructor(name: SideName, saver: AnySaver, settings: Settings) {
    super(name, saver, settings);
    this.backlog = new Backlog({ operations: settings.queueLimit, bytes: settings.queueBytes });
    // It may have undone what was replayed after it.
    this.onLateWrite = (threadId) => this.markStale(threadId);
  }

  get other(): Replica {
    return this.#other!;
  }

  static pair(primary: Replica, secondary: Replica): void {
    primary.#other = secondary;
    secondary.#other = primary;
  }

  isStored(threadId: string, checkpoint: string): boolean {
    return this.#landed.has(threadId, checkpoint);
  }

  /**
   * Stores an operation, after all that this side has yet to take of its thread. `live` is the call with the caller's own
   * arguments; it is made at once or not at all, since they change.
   */
  async store(operation: Operation, live?: (saver: AnySaver) => Promise<Answer>): Promise<Answer> {
    const { threadId } = operation;
    const isDeletion = operation.kind === "deleteThread";
    let call = live ?? this.#replay(operation);
    if (this.hasAbandoned(threadId)) {
      call = this.#replay(operation);
      await this.quiet(threadId);
    }
    if (!isDeletion && !this.backlog.isCurrent(threadId)) {
      call = this.#replay(operation);
      await this.catchUp(threadId);
    }
    const answer = await this.write(threadId, call);
    this.#note(operation);
    if (isDeletion) this.backlog.forget(threadId);
    return answer;
  }

  /** Keeps an operation that the other side has stored, for later. */
  owe(operation: Operation): void {
    const { threadId } = operation;
    const wasFull = this.backlog.isFull;
    this.backlog.add(operation, this.#isLanded);
    if (this.backlog.isFull) {
      if (this.isDown || this.settings.onQueueFull === "resync") {
        this.#spill(threadId);
      } else if (!wasFull) {
        this.settings.onEvent({ type: "queue-full", side: this.name, action: "wait" });
      }
    }
    this.onBehind(threadId);
  }

  /**
   * Resolves when there is room for more. Where waiting does not help, since one thread is stuck, its operations are
   * dropped for a copy.
   */
  async room(): Promise<void> {
    if (!this.backlog.isFull || this.settings.onQueueFull !== "wait") return;
    const wait = { isOver: false };
    const timer = setTimeout(() => {
      wait.isOver = true;
      this.backlog.release();
    }, this.settings.timeoutMs).unref();
    while (this.backlog.isFull && !this.isDown && !wait.isOver) await this.backlog.change();
    clearTimeout(timer);
    const longest = this.backlog.longest();
    if (wait.isOver && this.backlog.isFull && longest !== undefined) this.#spill(longest);
  }

  /** This side lacks, or has too much of, what the other has right. Never noted of both: one of them is right. */
  markStale(threadId: string): void {
    if (this.other.backlog.isStale(threadId)) return;
    this.backlog.spill(threadId, this.#isLanded);
    this.onBehind(threadId);
  }

  /** It is not known which side has a write that failed: both are compared as soon as they are up. */
  doubt(threadId: string): void {
    // Comparing is for both; noted of both, each would wait for the other.
    if (this.other.backlog.get(threadId)?.need !== undefined) return;
    this.backlog.doubt(threadId);
    this.onBehind(threadId);
  }

  /** Makes this side current for the thread: replays what it missed, or copies the thread. */
  async catchUp(threadId: string): Promise<void> {
    do {
      await this.#held.get(threadId);
      await this.#catchUpUnheld(threadId);
    } while (this.#held.has(threadId));
  }

  /** Compares the thread with the other side's now. `mirror`: this side becomes a copy, whatever it has. */
  async compare(threadId: string, mirror: boolean): Promise<Copied | undefined> {
    const theirs = this.other.backlog.get(threadId);
    if (theirs?.running !== undefined) await outcomeOf(theirs.running);
    if (theirs !== undefined && (mirror || theirs.need === "merge")) {
      Object.assign(theirs, { need: undefined, refused: undefined });
      if (theirs.operations.length === 0) this.other.backlog.forget(threadId);
    }
    const log = this.backlog.doubt(threadId);
    log.refused = undefined;
    if (mirror) log.need = "mirror";
    await this.catchUp(threadId);
    return log.copied;
  }

  /** Stops replaying and copying the thread until the returned function is called. */
  async hold(threadId: string): Promise<() => void> {
    let resolve!: () => void;
    this.#held.set(threadId, new Promise<void>((done) => (resolve = done)));
    const running = this.backlog.get(threadId)?.running;
    if (running !== undefined) await outcomeOf(running);
    return () => {
      this.#held.delete(threadId);
      resolve();
      if (this.backlog.get(threadId) !== undefined) this.onBehind(threadId);
    };
  }

  status(): SideStatus {
    const logs = this.backlog.entries().map(([, log]) => log);
    return {
      state: this.state,
      failures: this.failures,
      lastError: this.lastError,
      downSince: this.downSince,
      queue: {
        operations: this.backlog.operations,
        bytes: this.backlog.bytes,
        threads: logs.filter(({ operations }) => operations.length > 0).length,
      },
      needsResync: logs.filter(({ need, again }) => need !== undefined || again).length,
    };
  }

  /** Ends early where the thread is held. */
  async #catchUpUnheld(threadId: string): Promise<void> {
    const log = this.backlog.get(threadId);
    if (log === undefined) return;
    log.running ??= this.#run(threadId, log).finally(() => (log.running = undefined));
    await log.running;
  }

  async #run(threadId: string, log: ThreadLog): Promise<void> {
    while (!this.#held.has(threadId)) {
      if (log.need === "mirror") {
        await this.#copy(threadId, log);
        continue;
      }
      // Before any comparing: a deletion that this side has yet to take would be undone by it.
      const batch = firstBatch(log.operations);
      if (batch.length > 0) {
        await this.quiet(threadId);
        await this.#take(threadId, log, batch);
      } else if (log.need === "merge" && this.#canCompare(log)) {
        await this.#copy(threadId, log);
      } else {
        if (log.need === undefined) this.backlog.forget(threadId);
        return;
      }
    }
  }

  /** A thread in doubt is served as it is while it cannot be compared. */
  #canCompare(log: ThreadLog): boolean {
    return !this.other.isDown && log.refused === undefined;
  }

  async #take(threadId: string, log: ThreadLog, batch: Operation[]): Promise<void> {
    const outcomes = await Promise.all(
      batch.map((operation) => outcomeOf(this.write(threadId, this.#replay(operation)))),
    );
    const done: Operation[] = [];
    let outage: { error: unknown } | undefined;
    outcomes.forEach((outcome, at) => {
      const operation = batch[at]!;
      if (outcome.ok) this.#note(operation);
      else if (this.settings.isOutage(outcome.error)) {
        outage ??= outcome;
        return;
      } else {
        // Trying again would not help. A copy of the thread may.
        this.settings.onEvent({ type: "error", side: this.name, threadId, error: outcome.error });
        this.markStale(threadId);
      }
      done.push(operation);
    });
    this.backlog.remove(log, done);
    if (outage !== undefined) throw outage.error;
  }

  async #copy(threadId: string, log: ThreadLog): Promise<void> {
    const source = this.other;
    if (log.refused !== undefined) throw log.refused.error;
    if (source.isDown) throw outOfDate(this.name, threadId, source.lastError);
    if (log.need === "merge" && source.backlog.isStale(threadId)) {
      // The other side becomes a copy of this one: nothing is left to compare.
      log.need = undefined;
      return;
    }
    if (source.backlog.get(threadId)?.copying) throw outOfDate(this.name, threadId, undefined);
    log.copying = true;
    try {
      await this.quiet(threadId);
      // Not `catchUp`: who holds both sides waits for this to end.
      await source.#catchUpUnheld(threadId);
      if (!source.backlog.isCurrent(threadId)) return;
      log.copied = await copyThread(source, this, threadId, {
        merge: log.need === "merge",
        isStopped: () => this.#held.has(threadId),
        onDestructive: () => {
          log.need = "mirror";
          this.#landed.forget(threadId);
        },
      });
      log.need = log.again ? "mirror" : undefined;
      this.settings.onEvent({ type: "resynced", threadId, to: this.name, ...log.copied.toTarget });
    } catch (error) {
      if (log.again) log.need = "mirror";
      if (error instanceof CopyStopped) return;
      if (!this.settings.isOutage(error)) {
        log.refused = { error };
        if (log.need === "mirror") this.backlog.remove(log, log.operations);
      }
      throw error;
    } finally {
      log.again = false;
      log.copying = false;
    }
  }

  #spill(threadId: string): void {
    // What the other side lacks is kept here, whatever room it takes: this is the only place where it is.
    if (this.other.backlog.isStale(threadId)) return;
    this.backlog.spill(threadId, this.#isLanded);
    this.settings.onEvent({ type: "queue-full", side: this.name, action: "resync", threadId });
  }

  /** True where a list of the other side shows the checkpoint that the operation belongs to. */
  readonly #isLanded = ({ threadId, checkpoint }: Operation): boolean => {
    return checkpoint !== undefined && this.other.isStored(threadId, checkpoint);
  };

  #replay(operation: Operation): (saver: AnySaver) => Promise<Answer> {
    const { threadId } = operation;
    return (saver) => operation.apply(saver, (checkpoint) => this.isStored(threadId, checkpoint));
  }

  #note({ kind, threadId, checkpoint }: Operation): void {
    if (kind === "put") this.#landed.add(threadId, checkpoint!);
    else if (kind === "deleteThread") this.#landed.forget(threadId);
  }
}
