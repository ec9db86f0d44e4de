import { setImmediate } from "node:timers/promises";

import type { Root } from "../disk/root.js";
import { asSaverError, hasCode } from "../disk/errors.js";
import { writeAll } from "../disk/files.js";
import { newGeneration, writeSuccessor } from "./compaction.js";
import { encodeFrame } from "./frame.js";
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
  /** Least recently used first. */
  readonly #open = new Map<string, OpenLog>();
  readonly #opening = new Map<string, Promise<OpenLog | undefined>>();
  /** Threads whose log had a failed fsync: to be copied before anything is added. */
  readonly #distrusted = new Set<string>();
  /** Logs that are open or being opened, and those who wait for one of them to be closed. */
  #files = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(root: Root, maxOpen: number) {
    this.#root = root;
    this.#maxOpen = maxOpen;
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
      // What comes from the page cache never waits: one who polls must not keep a writer's sync from finishing.
      if (purpose !== "create") await setImmediate();
      const open = await this.#current(threadId, purpose);
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

  /** Seals the log in use and replaces it. */
  async replace(threadId: string, why: "compact" | "repair" | "delete"): Promise<void> {
    for (let sealed = false; !sealed;) {
      const done = await this.use(threadId, "write", async (log) => {
        // What a journal alone has made durable must be so here, before the copy is all there is.
        await log.sync();
        // Sealed by another meanwhile: then the next one is to be replaced.
        return (await log.append({ kind: "seal", why }, [])) !== undefined;
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

  close(): void {
    for (const [threadId, open] of this.#open) {
      this.#retire(threadId, open);
      if (open.users === 0) this.#close(open);
    }
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
        if (purpose === "read" && open.log.state.sealed === "compact") return open;
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
      if (known !== undefined) {
        known.users += 1;
        this.#open.delete(threadId);
        this.#open.set(threadId, known);
        return known;
      }
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
    const open: OpenLog = { log, users: 1, retired: false };
    this.#open.set(threadId, open);
    return open;
  }

  async #find(threadId: string, purpose: Purpose): Promise<ThreadLog | undefined> {
    for (;;) {
      try {
        return await this.#findOnce(threadId, purpose);
      } catch (error) {
        const replaced = hasCode(error, "ENOENT") && (await this.#root.logs(threadId)).length > 0;
        const full = hasCode(error, "EMFILE", "ENFILE");
        if (!replaced && !(full && this.#closeIdle())) throw error;
      }
    }
  }

  async #findOnce(threadId: string, purpose: Purpose): Promise<ThreadLog | undefined> {
    let names = await this.#root.logs(threadId);
    if (names.length === 0) {
      if (purpose !== "create") return undefined;
      await this.#root.create(this.#root.firstLog(threadId), (fd) => writeStart(fd, threadId));
      names = await this.#root.logs(threadId);
    }
    const log = await ThreadLog.open(names.at(-1)!, threadId);
    try {
      // Left behind by a process that was killed after it had put the newer one in place.
      for (const old of names.slice(0, -1)) await this.#root.remove(old);
    } catch (error) {
      if (purpose !== "read") {
        log.close();
        throw error;
      }
    }
    return log;
  }

  /** Puts the successor of a sealed log in place, unless someone else has. */
  async #succeed({ name, threadId }: ThreadLog): Promise<void> {
    let log: ThreadLog;
    try {
      // Read anew, since what was damaged after it had been read must not be copied as if it were intact.
      log = await ThreadLog.open(name, threadId);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return;
      throw error;
    }
    try {
      const next = this.#root.nextLog(name, log.state.sealed === "delete");
      await this.#root.create(next, (fd) => writeSuccessor(log, fd));
      await this.#root.remove(name);
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
