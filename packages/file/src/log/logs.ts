import { breath } from "../disk/breath.js";
import type { Root } from "../disk/root.js";
import { asSaverError, hasCode } from "../disk/errors.js";
import { writeAll } from "../disk/files.js";
import { newGeneration, writeSuccessor } from "./compaction.js";
import { encodeFrame, type Fate } from "./frame.js";
import { ThreadLog } from "./thread-log.js";

interface OpenLog {
  log: ThreadLog;
  users: number;
  /** Close it as soon as nobody uses it. */
  retired: boolean;
}

/** `read` makes do with a log that cannot be replaced just now; `create` makes one where there is none. */
type Purpose = "read" | "write" | "create";

/** The current log of each thread: found, created, replaced when sealed, and kept open for a bounded number of them. */
export class Logs {
  readonly #root: Root;
  readonly #maxOpen: number;
  readonly #durable: boolean;
  /** Least recently used first. */
  readonly #open = new Map<string, OpenLog>();
  readonly #opening = new Map<string, Promise<OpenLog | undefined>>();
  /** Threads whose log had a failed fsync: to be copied before anything is added. */
  readonly #distrusted = new Set<string>();
  /** Logs that are open or being opened, and those who wait for one of them to be closed. */
  #files = 0;
  readonly #waiting: (() => void)[] = [];
  #closed = false;

  /** `durable`: whether the name of a new log has to survive a power loss. */
  constructor(root: Root, maxOpen: number, durable: boolean) {
    this.#root = root;
    this.#maxOpen = maxOpen;
    this.#durable = durable;
  }

  /**
   * Runs `work` on the thread's current log, read up to its end. Undefined when the thread has none and none is to be
   * made.
   */
  async use<T>(
    threadId: string,
    purpose: Purpose,
    work: (log: ThreadLog) => Promise<T> | T,
  ): Promise<T | undefined> {
    try {
      // One who polls must not keep a writer's sync from finishing. A writer waits when it has written.
      if (purpose !== "create") await breath();
      const open = this.#atHand(threadId, purpose) ?? (await this.#current(threadId, purpose));
      if (open === undefined) return undefined;
      try {
        return await work(open.log);
      } catch (error) {
        if (hasCode(error, "ENOENT")) this.#retire(threadId, open);
        throw error;
      } finally {
        if (open.log.poisoned) {
          this.distrust(threadId);
          this.#retire(threadId, open);
        }
        this.#release(open);
      }
    } catch (error) {
      throw asSaverError("use the thread's log", error);
    }
  }

  /** Seals the log in use and replaces it. `before`: of what went before that time, nothing is kept. */
  async replace(threadId: string, why: Exclude<Fate, "sweep">, before?: number): Promise<void> {
    const seal = { kind: "seal", why, ...(before === undefined ? {} : { before }) } as const;
    for (let sealed = false; !sealed;) {
      const done = await this.use(threadId, "write", async (log) => {
        if (why === "delete" && leavesNothing(log)) return true;
        // What a journal alone has made durable must be so here, before the copy is all there is.
        await log.sync();
        // Sealed by another meanwhile: then the next one is to be replaced.
        return (await log.append(seal, [])) !== undefined;
      });
      sealed = done ?? true;
    }
    // Finding the current log finishes what the seal began.
    await this.use(threadId, "write", () => {});
  }

  /** An fsync of the thread's log failed: the next one who writes makes a copy of what can be read now. */
  distrust(threadId: string): void {
    this.#distrusted.add(threadId);
  }

  /** What is in use is closed when it no longer is, and so is what calls that are still under way open. */
  close(): void {
    this.#closed = true;
    for (const [threadId, open] of this.#open) {
      this.#retire(threadId, open);
      if (open.users === 0) this.#close(open);
    }
  }

  /** The thread's log where it is open and can be used as it is: nothing to wait for. */
  #atHand(threadId: string, purpose: Purpose): OpenLog | undefined {
    const open = this.#open.get(threadId);
    if (open === undefined || open.log.state.sealed !== undefined) return undefined;
    if (purpose !== "read" && this.#distrusted.has(threadId)) return undefined;
    // To append is to look for what others have added first.
    if (purpose !== "create" && open.log.isBehind()) return undefined;
    return this.#enter(threadId, open);
  }

  #enter(threadId: string, open: OpenLog): OpenLog {
    open.users += 1;
    this.#open.delete(threadId);
    this.#open.set(threadId, open);
    return open;
  }

  async #current(threadId: string, purpose: Purpose): Promise<OpenLog | undefined> {
    for (;;) {
      const open = await this.#acquire(threadId, purpose);
      if (open === undefined) return undefined;
      try {
        await open.log.refresh();
        if (purpose !== "read" && this.#distrusted.has(threadId))
          await open.log.append({ kind: "seal", why: "compact" }, []);
        if (open.log.state.sealed === undefined) return open;
        await this.#succeed(open.log);
        this.#distrusted.delete(threadId);
        this.#retire(threadId, open);
      } catch (error) {
        // A full disk keeps nobody from reading what is there.
        const { sealed } = open.log.state;
        if (purpose === "read" && (sealed === "compact" || sealed === "sweep")) return open;
        this.#retire(threadId, open);
        this.#release(open);
        throw error;
      }
      this.#release(open);
    }
  }

  async #acquire(threadId: string, purpose: Purpose): Promise<OpenLog | undefined> {
    for (;;) {
      const known = this.#open.get(threadId);
      if (known !== undefined) return this.#enter(threadId, known);
      const underWay = this.#opening.get(threadId);
      const opened = await (underWay ?? this.#start(threadId, purpose));
      // Whoever opens it is its first user, lest it be closed as idle before it was used.
      if (opened !== undefined && underWay === undefined) return opened;
      if (opened === undefined && purpose !== "create") return undefined;
    }
  }

  #start(threadId: string, purpose: Purpose): Promise<OpenLog | undefined> {
    const opening = this.#openOne(threadId, purpose).finally(() => this.#opening.delete(threadId));
    this.#opening.set(threadId, opening);
    return opening;
  }

  async #openOne(threadId: string, purpose: Purpose): Promise<OpenLog | undefined> {
    await this.#reserve();
    let log: ThreadLog | undefined;
    try {
      log = await this.#find(threadId, purpose);
    } finally {
      if (log === undefined) this.#free();
    }
    if (log === undefined) return undefined;
    const open: OpenLog = { log, users: 1, retired: this.#closed };
    if (!this.#closed) this.#open.set(threadId, open);
    return open;
  }

  async #find(threadId: string, purpose: Purpose): Promise<ThreadLog | undefined> {
    for (;;) {
      try {
        return await this.#findOnce(threadId, purpose);
      } catch (error) {
        const full = hasCode(error, "EMFILE", "ENFILE");
        if (!(full && this.#closeIdle())) throw error;
      }
    }
  }

  async #findOnce(threadId: string, purpose: Purpose): Promise<ThreadLog | undefined> {
    let names = await this.#root.logs(threadId);
    if (names.length === 0) {
      if (purpose !== "create") return undefined;
      const first = this.#root.firstLog(threadId);
      await this.#root.create(first, (fd) => writeStart(fd, threadId), { durable: this.#durable });
      names = await this.#root.logs(threadId);
    }
    const log = await ThreadLog.openIfThere(names.at(-1)!, threadId);
    // Replaced or swept since it was listed.
    if (log === undefined) return this.#findOnce(threadId, purpose);
    try {
      // Left behind by a process that was killed after it had put the newer one in place.
      for (const old of names.slice(0, -1)) await this.#root.removeReplaced(old);
    } catch (error) {
      if (purpose !== "read") {
        log.close();
        throw error;
      }
    }
    return log;
  }

  /** Finishes what a seal began, unless someone else has: puts the log's successor in place, or sweeps it. */
  async #succeed({ name, threadId }: ThreadLog): Promise<void> {
    // Read anew, since what was damaged after it had been read must not be copied as if it were intact.
    const log = await ThreadLog.openIfThere(name, threadId);
    if (log === undefined) return;
    try {
      const { sealed } = log.state;
      // The name has come back since: the one that was sealed is long gone.
      if (sealed === undefined) return;
      if (sealed === "sweep") {
        await this.#root.removeSwept(name);
        return;
      }
      const next = this.#root.nextLog(name, sealed === "delete");
      await this.#root.create(next, (fd) => writeSuccessor(log, fd), { wanted: () => log.linked });
      await this.#root.removeReplaced(name);
    } finally {
      log.close();
    }
  }

  #retire(threadId: string, open: OpenLog): void {
    open.retired = true;
    if (this.#open.get(threadId) === open) this.#open.delete(threadId);
  }

  #release(open: OpenLog): void {
    open.users -= 1;
    if (open.users > 0) return;
    if (open.retired) this.#close(open);
    else this.#waiting.shift()?.();
  }

  /** Waits until one more may be open. Nobody waits here with a log in use: all those in use are released in time. */
  async #reserve(): Promise<void> {
    while (this.#files >= this.#maxOpen && !this.#closeIdle())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#files += 1;
  }

  #free(): void {
    this.#files -= 1;
    this.#waiting.shift()?.();
  }

  /** Closes the one that was not used for longest; false when all are in use. */
  #closeIdle(): boolean {
    for (const [threadId, open] of this.#open) {
      if (open.users > 0) continue;
      this.#retire(threadId, open);
      this.#close(open);
      return true;
    }
    return false;
  }

  #close({ log }: OpenLog): void {
    log.close();
    this.#free();
  }
}

/** Whether nothing would change by deleting the thread: it is what a deletion left. */
function leavesNothing({ state }: ThreadLog): boolean {
  return (
    state.threadId === undefined && state.lost.length === 0 && state.chunks.size === 0 && state.hasNoRecords()
  );
}

async function writeStart(fd: number, threadId: string): Promise<void> {
  const meta = {
    kind: "start",
    generation: newGeneration(),
    thread: threadId,
    at: Date.now(),
    w: "",
    synced: 0,
  } as const;
  await writeAll(fd, encodeFrame(meta, []).bytes);
}
