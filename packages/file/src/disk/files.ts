import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fsync,
  linkSync,
  mkdir,
  mkdirSync,
  open,
  openSync,
  read,
  readdir,
  readdirSync,
  readFileSync,
  readSync,
  unlink,
  unlinkSync,
  write,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";

import { hasCode } from "./errors.js";

/**
 * The file system calls that the package makes, in one place. What reaches no further than the page cache, small reads and
 * writes and names, is synchronous: it takes microseconds, where a trip through the thread pool takes longer than the call.
 */
const readAsync = promisify(read);
const writeAsync = promisify(write);
const openAsync = promisify(open);
const fsyncAsync = promisify(fsync);
const unlinkAsync = promisify(unlink);
const mkdirAsync = promisify(mkdir);
const fdatasyncAsync = promisify(fdatasync);
export const listNames: (folder: string) => Promise<string[]> = promisify(readdir) as (
  folder: string,
) => Promise<string[]>;
/** For a folder that holds a few hundred names at the most. */
export const listFew: (folder: string) => string[] = readdirSync;

const SMALL = 256 * 1024;

/** No symbolic link is followed: whatever lies in the root, nothing outside of it is opened. */
const { O_RDWR, O_APPEND, O_NOFOLLOW, O_CREAT, O_EXCL, O_RDONLY, O_DIRECTORY } = constants;

export function openLog(path: string): number {
  return openSync(path, O_RDWR | O_APPEND | (O_NOFOLLOW ?? 0));
}

/** For writing in place: the journal. */
export function openExisting(path: string): number {
  return openSync(path, O_RDWR | (O_NOFOLLOW ?? 0));
}

/** With exactly these permissions, whatever the process's umask. */
export function createFile(path: string, mode: number): number {
  const fd = openSync(path, O_RDWR | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), mode);
  fchmodSync(fd, mode);
  return fd;
}

/** False when there is something of that name already, which stays as it is. */
export async function makeFolder(path: string, mode: number): Promise<boolean> {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
  chmodSync(path, mode);
  return true;
}

/** Also the folders above it that are missing. */
export async function makeFolders(path: string, mode: number): Promise<void> {
  if ((await mkdirAsync(path, { recursive: true, mode })) !== undefined) chmodSync(path, mode);
}

/** The content of a small file, or undefined where there is none. */
export function readText(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

/** Up to `length` bytes from `position` on; fewer at the end of the file. */
export async function readAt(fd: number, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const left = length - filled;
    const count =
      length <= SMALL
        ? readSync(fd, buffer, filled, left, position + filled)
        : (await readAsync(fd, buffer, filled, left, position + filled)).bytesRead;
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

/** As `readAt`, for what is known to be small. */
export function readSmall(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  const count = readSync(fd, buffer, 0, length, position);
  return buffer.subarray(0, count);
}

/** Appends in one call, since only that is contiguous beside other processes. False when the file took only a part. */
export function appendWhole(fd: number, bytes: Uint8Array): boolean | Promise<boolean> {
  const { byteLength } = bytes;
  if (byteLength <= SMALL) return writeSync(fd, bytes) === byteLength;
  return writeAsync(fd, bytes, 0, byteLength, null).then(({ bytesWritten }) => bytesWritten === byteLength);
}

/** Writes all of it, at a position or at the end. */
export async function writeAll(fd: number, bytes: Uint8Array, position: number | null = null): Promise<void> {
  let done = 0;
  while (done < bytes.byteLength) {
    const at = position === null ? null : position + done;
    const left = bytes.byteLength - done;
    done +=
      left <= SMALL
        ? writeSync(fd, bytes, done, left, at)
        : (await writeAsync(fd, bytes, done, left, at)).bytesWritten;
  }
}

/** `here`: without a trip through the thread pool, holding up all else. */
export async function syncData(fd: number, here = false): Promise<void> {
  if (here) fdatasyncSync(fd);
  else await fdatasyncAsync(fd);
}

/** Makes the entries of a folder durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const fd = await openAsync(folder, O_RDONLY | (O_DIRECTORY ?? 0));
  try {
    await fsyncAsync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Gives a finished file its name; false when the name is taken. Never replaces anything. */
export async function publish(temporary: string, path: string): Promise<boolean> {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** `here`: without a trip through the thread pool, for what is small or has another name. */
export async function removeFile(path: string, here = false): Promise<void> {
  try {
    if (here) unlinkSync(path);
    else await unlinkAsync(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
