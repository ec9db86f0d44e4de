import { randomBytes } from "node:crypto";
import { closeSync } from "node:fs";
import { join } from "node:path";

import { hasCode } from "../disk/errors.js";
import { createFile, openExisting, removeFile, syncData, syncFolder, writeAll } from "../disk/files.js";
import type { Root } from "../disk/root.js";
import { OneAtATime } from "../log/one-at-a-time.js";
import { Syncer } from "../log/syncer.js";
import type { ThreadLog } from "../log/thread-log.js";
import { encodeEntry } from "./entry.js";

const CAPACITY = 8 * 1024 * 1024;
/** A larger frame is synced in its log: writing it twice would cost more than it saves. */
const LARGEST = CAPACITY / 16;

/** Logs that are synced at once when the journal is full. */
const AT_ONCE = 16;

/** A log with frames that only a journal is known to hold. */
interface DirtyLog {
  threadId: string;
  path: string;
}

interface JournalFile {
  path: string;
  fd: number;
  syncer: Syncer;
}

/**
 * One file per process in front of all logs. It is written in place into blocks that exist already, so that a sync of it
 * costs one write of the disk and serves every commit that waits; the logs themselves are synced when it is full. After
 * a power loss its frames are appended to the logs that lost them.
 */
export class Journal {
  readonly #root: Root;
  readonly #onSyncFailure: (threadId: string) => void;
  #file: JournalFile;
  /** Files that were given up; commits may still be waiting for their sync. */
  readonly #former: JournalFile[] = [];
  #epoch = Date.now();
  #position = 0;
  readonly #dirty = new Map<string, DirtyLog>();
  readonly #queue = new OneAtATime();
  /** `suspect`: a sync of it failed. `needed`: a log could not be synced, and this is the only good copy of its frames. */
  #condition: "good" | "suspect" | "needed" = "good";
  #closed = false;

  private constructor(root: Root, file: JournalFile, onSyncFailure: (threadId: string) => void) {
    this.#root = root;
    this.#file = file;
    this.#onSyncFailure = onSyncFailure;
  }

  /** `onSyncFailure` is told the threads whose logs could not be synced. */
  static async create(root: Root, onSyncFailure: (threadId: string) => void): Promise<Journal> {
    return new Journal(root, await newFile(root), onSyncFailure);
  }

  /** Resolves when the frame will survive a power loss. `alone`: see `Syncer`. */
  async commit(log: ThreadLog, at: number, frame: Buffer, alone: boolean): Promise<void> {
    const { threadId } = log;
    const { generation } = log.state;
    const { path, hash, number } = log.name;
    if (frame.byteLength > LARGEST || this.#closed) {
      await log.sync(alone);
      return;
    }
    const entry = { threadId, hash, number, generation, at, frame };
    let file!: JournalFile;
    await this.#queue.run(async () => {
      let bytes = encodeEntry(this.#epoch, entry);
      if (this.#condition !== "good" || this.#position + bytes.byteLength > CAPACITY) {
        await this.#recycle();
        bytes = encodeEntry(this.#epoch, entry);
      }
      file = this.#file;
      await writeAll(file.fd, bytes, this.#position);
      this.#position += bytes.byteLength;
      this.#dirty.set(path, { threadId, path });
    });
    try {
      await file.syncer.sync(alone);
    } catch (error) {
      if (file === this.#file && this.#condition === "good") this.#condition = "suspect";
      throw error;
    }
  }

  /** Makes the logs durable by themselves, and removes the journal. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue.idle();
    const files = [...this.#former, this.#file];
    await Promise.allSettled(files.map(({ syncer }) => syncer.sync()));
    try {
      await this.#syncLogs();
      if (this.#condition !== "needed") await removeFile(this.#file.path);
    } finally {
      for (const { fd } of files) closeSync(fd);
    }
  }

  /** Makes room: what the journal holds is made durable in the logs. */
  async #recycle(): Promise<void> {
    if (this.#condition !== "needed") await this.#syncLogs();
    if (this.#condition !== "good") {
      const file = await newFile(this.#root);
      // One that is needed stays for the next process that opens the directory.
      if (this.#condition === "suspect") await removeFile(this.#file.path);
      this.#former.push(this.#file);
      this.#file = file;
      this.#condition = "good";
    }
    this.#dirty.clear();
    this.#epoch += 1;
    this.#position = 0;
  }

  async #syncLogs(): Promise<void> {
    const dirty = [...this.#dirty.values()];
    for (let at = 0; at < dirty.length; at += AT_ONCE) {
      const synced = await Promise.allSettled(dirty.slice(at, at + AT_ONCE).map(({ path }) => syncLog(path)));
      synced.forEach(({ status }, which) => {
        if (status === "fulfilled") return;
        this.#condition = "needed";
        this.#onSyncFailure(dirty[at + which]!.threadId);
      });
    }
  }
}

async function newFile(root: Root): Promise<JournalFile> {
  const path = join(root.journals, `${process.pid}-${randomBytes(6).toString("hex")}.journal`);
  const fd = createFile(path, root.modes.file);
  try {
    await writeAll(fd, Buffer.alloc(CAPACITY));
    await syncData(fd);
    await syncFolder(root.journals);
  } catch (error) {
    closeSync(fd);
    await removeFile(path);
    throw error;
  }
  return { path, fd, syncer: new Syncer((here) => syncData(fd, here)) };
}

/** Through a handle of its own: a sync serves the file, whoever wrote to it. A log that is gone was copied and synced. */
async function syncLog(path: string): Promise<void> {
  let fd: number;
  try {
    fd = openExisting(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  try {
    await syncData(fd);
  } finally {
    closeSync(fd);
  }
}
