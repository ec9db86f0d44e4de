import { fstatSync, readlinkSync, statSync } from "node:fs";
import { dirname } from "node:path";

import type * as Files from "../../src/disk/files.js";
import type { DiskEvent } from "./disk-model.js";

/** What the package asked of the file system, in order. */
export const events: DiskEvent[] = [];
let syncs = 0;
let created = 0;

/** The package's file system calls, each of them recorded as it takes effect. */
export function recorded(files: typeof Files): typeof Files {
  // Inodes are used again once a file is gone.
  const ids = new Map<number, number>();
  const idOf = (fd: number): number => ids.get(fstatSync(fd).ino)!;
  return {
    ...files,
    appendWhole: async (fd, bytes) => {
      const at = fstatSync(fd).size;
      events.push({ kind: "write", file: idOf(fd), at, bytes: Buffer.from(bytes) });
      return files.appendWhole(fd, bytes);
    },
    writeAll: async (fd, bytes, position) => {
      const at = position ?? fstatSync(fd).size;
      // Of the zeros that a journal begins with, a few are enough: no model of a disk has to hold megabytes of them.
      const told =
        bytes.byteLength > 1024 ** 2 && bytes.every((byte) => byte === 0) ? bytes.subarray(0, 4096) : bytes;
      events.push({ kind: "write", file: idOf(fd), at, bytes: Buffer.from(told) });
      await files.writeAll(fd, bytes, position);
    },
    syncData: async (fd, here) => {
      const sync = (syncs += 1);
      const file = idOf(fd);
      events.push({ kind: "sync-start", file, sync });
      await files.syncData(fd, here);
      events.push({ kind: "sync-end", file, sync });
    },
    createFile: (path, mode) => {
      const fd = files.createFile(path, mode);
      ids.set(fstatSync(fd).ino, (created += 1));
      events.push({ kind: "name", path: readlinkSync(`/proc/self/fd/${fd}`), file: idOf(fd) });
      return fd;
    },
    publish: async (temporary, path) => {
      const file = ids.get(statSync(temporary).ino)!;
      const published = await files.publish(temporary, path);
      if (published) events.push({ kind: "name", path, file });
      return published;
    },
    removeFile: async (path, here) => {
      events.push({ kind: "unname", path });
      await files.removeFile(path, here);
    },
    syncFolder: async (folder) => {
      await files.syncFolder(folder);
      events.push({ kind: "sync-folder", folder: folder.endsWith("..") ? dirname(dirname(folder)) : folder });
    },
  };
}
