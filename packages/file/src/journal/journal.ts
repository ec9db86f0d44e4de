import { randomBytes } from "node:crypto";
import { closeSync } from "node:fs";
import { join } from "node:path";

import { hasCode } from "../disk/errors.js";
import { createFile, openExisting, removeFile, syncData, syncFolder, writeAll } from "../disk/files.js";
import type { LogName, Root } from "../disk/root.js";
import { Syncer } from "../log/syncer.js";
import type { Appended, ThreadLog } from "../log/thread-log.js";
import { encodeEntry } from "./entry.js";

const CAPACITY = 8 * 1024 * 1024;
/** A larger frame is synced in its log: writing it twice would cost more than it saves. */
const LARGEST = CAPACITY / 16;

/**
 * One file per process in front of all logs. It is written in place into blocks that exist already, so that a sync of it
 * costs one write of the disk and serves every commit that waits; the logs themselves are synced when it is full. After
 * a power loss its frames are appended to the logs that lost them.
 */
export class Journal {
  readonly #root: Root;
  #path: string;
  #fd: number;
  #syncer: Syncer;
  #epoch = Date.now();
  #position = 0;
  /** Logs with frames that only this journal is known to hold. */
  #dirty = new Map<string, LogName>();
  #queue: Promise<void> = Promise.resolve();

  private constructor(root: Root, path: string, fd: number) {
    this.#root = root;
    this.#path = path;
    this.#fd = fd;
    this.#syncer = syncerOf(fd);
  }

  static async create(root: Root): Promise<Journal> {
    const { path, fd } = await newFile(root);
    return new Journal(root, path, fd);
  }

  /** Resolves when the frame will survive a power loss. */
  async commit(log: ThreadLog, { at, bytes: frame }: Appended): Promise<void> {
    const { path, hash, number } = log.name;
    if (frame.byteLength > LARGEST) {
      await log.sync();
      return;
    }
    const entry = { threadId: log.threadId, hash, number, at, frame };
    let sync!: () => Promise<void>;
    const written = this.#queue.then(async () => {
      let bytes = encodeEntry(this.#epoch, entry);
      if (this.#position + bytes.byteLength > CAPACITY) {
        await this.#recycle();
        bytes = encodeEntry(this.#epoch, entry);
      }
      await writeAll(this.#fd, bytes, this.#position);
      this.#position += bytes.byteLength;
      this.#dirty.set(path, log.name);
      const syncer = this.#syncer;
      sync = () => syncer.sync();
    });
    this.#queue = written.catch(() => {});
    await written;
    await sync();
  }

  /** Makes the logs durable by themselves, and removes the journal. */
  async close(): Promise<void> {
    await this.#queue;
    await syncLogs(this.#dirty.values());
    closeSync(this.#fd);
    await removeFile(this.#path);
  }

  async #recycle(): Promise<void> {
    const dirty = this.#dirty;
    this.#dirty = new Map();
    try {
      await syncLogs(dirty.values());
    } catch (error) {
      // The journal now holds the only good copy: it stays for the next one who opens the directory.
      const { path, fd } = await newFile(this.#root);
      this.#path = path;
      this.#fd = fd;
      this.#syncer = syncerOf(fd);
      this.#position = 0;
      throw error;
    }
    this.#epoch += 1;
    this.#position = 0;
  }
}

function syncerOf(fd: number): Syncer {
  return new Syncer(() => syncData(fd));
}

async function newFile(root: Root): Promise<{ path: string; fd: number }> {
  const path = join(root.journals, `${process.pid}-${randomBytes(6).toString("hex")}.journal`);
  const fd = createFile(path, root.modes.file);
  await writeAll(fd, Buffer.alloc(CAPACITY));
  await syncData(fd);
  await syncFolder(root.journals);
  return { path, fd };
}

/** Through a handle of its own: a sync serves the file, whoever wrote to it. A log that is gone was copied and synced. */
async function syncLogs(logs: Iterable<LogName>): Promise<void> {
  await Promise.all(
    [...logs].map(async ({ path }) => {
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
    }),
  );
}
