import { createHash, randomBytes } from "node:crypto";
import { closeSync, lstatSync } from "node:fs";
import { join, resolve } from "node:path";

import { SaverError, StoredDataError } from "@langgraph-savers/core";

import {
  createFile,
  listFew,
  listNames,
  makeFolder,
  makeFolders,
  publish,
  readText,
  removeFile,
  syncData,
  syncFolder,
  writeAll,
} from "./files.js";

const FORMAT = 1;
/** A temporary file that is older belongs to a process that was killed. */
const STALE_MS = 60 * 60_000;

export interface Modes {
  file: number;
  folder: number;
}

/** One log of a thread: its name says the thread (by hash) and its place in the chain of logs. */
export interface LogName {
  path: string;
  hash: string;
  number: number;
}

/**
 * The directory of a saver, and the only place where paths are made. Ids never reach a path: a thread's files are
 * named after the hash of its id, with a few of its harmless characters in front for the eye.
 */
export class Root {
  readonly path: string;
  readonly journals: string;
  readonly modes: Modes;
  readonly #threads: string;
  readonly #temporary: string;

  constructor(path: string, modes: Modes) {
    this.path = resolve(path);
    this.modes = modes;
    this.#threads = join(this.path, "threads");
    this.#temporary = join(this.path, "tmp");
    this.journals = join(this.path, "journals");
  }

  async setup(): Promise<void> {
    await makeFolders(this.path, this.modes.folder);
    for (const folder of [this.#threads, this.#temporary, this.journals]) await this.#folder(folder);
    await this.#format();
    await this.sweepTemporary();
  }

  /** The logs of a thread, lowest number first. Usually one; two while one replaces the other. */
  async logs(threadId: string): Promise<LogName[]> {
    return this.#logsOf(hashOf(threadId));
  }

  /** The logs of other threads that are kept in one folder with this one's. */
  async neighbours(threadId: string): Promise<LogName[]> {
    const hash = hashOf(threadId);
    return (await this.#inBucket(hash)).filter((name) => name.hash !== hash);
  }

  /** Every log there is. */
  async *allLogs(): AsyncGenerator<LogName> {
    assertFolder(this.#threads);
    for (const bucket of (await listNames(this.#threads)).toSorted()) {
      if (!/^[0-9a-f]{2}$/.test(bucket)) continue;
      const folder = join(this.#threads, bucket);
      assertFolder(folder);
      for (const name of await listNames(folder)) {
        const log = logName(folder, name);
        if (log !== undefined) yield log;
      }
    }
  }

  firstLog(threadId: string): LogName {
    const hash = hashOf(threadId);
    const slug = threadId
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, "-")
      .slice(0, 24);
    return { path: join(this.#bucket(hash), `${slug}~${hash}.0.log`), hash, number: 0 };
  }

  /** The log that replaces another. `plain`: without the readable part of the name. */
  nextLog({ path, hash, number }: LogName, plain: boolean): LogName {
    const slug = plain ? "" : /([^/\\~]*)~[^~]*$/.exec(path)![1]!;
    return { path: join(this.#bucket(hash), `${slug}~${hash}.${number + 1}.log`), hash, number: number + 1 };
  }

  /**
   * Makes a file of the given content appear under its name, whole, or not at all, and its name durable unless that is not
   * asked for. False when there is one already, which stays as it is, or when it is no longer `wanted` once it is written.
   */
  async create(
    { path, hash }: LogName,
    write: (fd: number) => Promise<void>,
    { wanted = () => true, durable = true }: { wanted?: () => boolean; durable?: boolean } = {},
  ): Promise<boolean> {
    const temporary = join(this.#temporary, `${hash}.${randomBytes(6).toString("hex")}`);
    const bucket = this.#bucket(hash);
    await this.#folder(bucket);
    const fd = createFile(temporary, this.modes.file);
    try {
      await write(fd);
      await syncData(fd);
      const created = wanted() && (await publish(temporary, path));
      if (created && durable) await syncFolder(bucket);
      return created;
    } finally {
      closeSync(fd);
      await removeFile(temporary, true);
    }
  }

  /**
   * Removes a log that a newer one has replaced. Looks for that one again: once a thread's last log was swept, its names
   * come back, and this one may be in use.
   */
  async removeReplaced({ path, hash, number }: LogName): Promise<void> {
    const newest = (await this.#logsOf(hash)).at(-1);
    if (newest === undefined || newest.number <= number) return;
    await removeFile(path);
    await syncFolder(this.#bucket(hash));
  }

  /**
   * Removes the one log of a thread, which is sealed and holds nothing. If it comes back with a power loss, it does so
   * before a new one has its name for good, for which the folder is synced.
   */
  async removeSwept({ path }: LogName): Promise<void> {
    await removeFile(path);
  }

  /** Whether the thread has no other log. */
  async isOnly({ hash }: LogName): Promise<boolean> {
    return (await this.#logsOf(hash)).length === 1;
  }

  async #logsOf(hash: string): Promise<LogName[]> {
    const found = (await this.#inBucket(hash)).filter((name) => name.hash === hash);
    return found.toSorted((a, b) => a.number - b.number);
  }

  async #inBucket(hash: string): Promise<LogName[]> {
    const folder = this.#bucket(hash);
    // Only a bucket may be missing: without the folder above, there would seem to be no thread at all.
    assertFolder(this.#threads);
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    assertFolder(folder);
    return listFew(folder).flatMap((name) => logName(folder, name) ?? []);
  }

  #bucket(hash: string): string {
    return join(this.#threads, hash.slice(0, 2));
  }

  async #folder(folder: string): Promise<void> {
    if (
      lstatSync(folder, { throwIfNoEntry: false }) === undefined &&
      (await makeFolder(folder, this.modes.folder))
    )
      await syncFolder(join(folder, ".."));
    assertFolder(folder);
  }

  async #format(): Promise<void> {
    const path = join(this.path, "format.json");
    const text = readText(path);
    if (text === undefined) {
      await this.#writeFormat(path);
      return;
    }
    const format = formatOf(text);
    if (format === FORMAT) return;
    if (format === undefined) {
      throw new SaverError(
        "SETUP_MISMATCH",
        `${JSON.stringify(path)} does not say which format the directory has. Is it one of @langgraph-savers/file? If so, restore the file: {"format":${FORMAT}}.`,
      );
    }
    throw new StoredDataError(
      "FORMAT_TOO_NEW",
      `${JSON.stringify(this.path)} has format ${format}, and this release reads ${FORMAT}. Update @langgraph-savers/file.`,
    );
  }

  async #writeFormat(path: string): Promise<void> {
    const temporary = join(this.#temporary, `format.${randomBytes(6).toString("hex")}`);
    const fd = createFile(temporary, this.modes.file);
    try {
      await writeAll(
        fd,
        Buffer.from(`${JSON.stringify({ format: FORMAT, by: "@langgraph-savers/file" })}\n`),
      );
      await syncData(fd);
      await publish(temporary, path);
      await syncFolder(this.path);
    } finally {
      closeSync(fd);
      await removeFile(temporary, true);
    }
  }

  /** By the clock that dates the files, which need not be this process's. */
  async now(): Promise<number> {
    const path = join(this.#temporary, `now.${randomBytes(6).toString("hex")}`);
    closeSync(createFile(path, this.modes.file));
    const { mtimeMs } = lstatSync(path);
    await removeFile(path);
    return mtimeMs;
  }

  /** Removes what killed processes were writing. */
  async sweepTemporary(): Promise<void> {
    // When a file was last made here, by the disk's clock.
    const now = lstatSync(this.#temporary).mtimeMs;
    for (const name of await listNames(this.#temporary)) {
      const path = join(this.#temporary, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat?.isFile() && now - stat.mtimeMs > STALE_MS) await removeFile(path);
    }
  }
}

function hashOf(threadId: string): string {
  return createHash("sha256").update(threadId).digest("hex").slice(0, 32);
}

/** Looked at each time: whoever puts a link there does not say so. */
function assertFolder(folder: string): void {
  if (lstatSync(folder).isDirectory()) return;
  throw new SaverError(
    "SETUP_MISMATCH",
    `${JSON.stringify(folder)} is not a folder of its own. Remove the link or file that is there.`,
  );
}

function formatOf(text: string): number | undefined {
  try {
    const format = (JSON.parse(text) as { format?: unknown } | null)?.format;
    return Number.isInteger(format) && (format as number) >= FORMAT ? (format as number) : undefined;
  } catch {
    return undefined;
  }
}

function logName(folder: string, name: string): LogName | undefined {
  const [, hash, number] = /^[a-z0-9-]*~([0-9a-f]{32})\.(\d{1,15})\.log$/.exec(name) ?? [];
  return hash === undefined ? undefined : { path: join(folder, name), hash, number: Number(number) };
}
