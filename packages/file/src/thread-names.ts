import { closeSync } from "node:fs";

import { asSaverError, hasCode } from "./disk/errors.js";
import { openLog, readAt } from "./disk/files.js";
import type { LogName, Root } from "./disk/root.js";
import { readFrame } from "./log/frame.js";

const HEAD = 64 * 1024;

/** Which threads there are. An id is only in its log, whose first frames never change: each file is read once. */
export class ThreadNames {
  readonly #root: Root;
  readonly #known = new Map<string, string>();

  constructor(root: Root) {
    this.#root = root;
  }

  async all(): Promise<string[]> {
    try {
      const ids = new Set<string>();
      for await (const name of this.#root.allLogs()) {
        const id = this.#known.get(name.path) ?? (await threadIdOf(name));
        if (id === undefined) continue;
        this.#known.set(name.path, id);
        ids.add(id);
      }
      return [...ids];
    } catch (error) {
      throw asSaverError("list the threads", error);
    }
  }
}

/** Undefined for what a deleted thread leaves until it is used again. */
async function threadIdOf({ path }: LogName): Promise<string | undefined> {
  let fd: number;
  try {
    fd = openLog(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    for (let want = HEAD; ; want *= 16) {
      const buffer = await readAt(fd, 0, want);
      let at = 0;
      for (;;) {
        const reading = readFrame(buffer, at, 0);
        if (reading.is !== "frame") {
          if (reading.is === "cut" && buffer.byteLength === want) break;
          return undefined;
        }
        if (reading.frame.meta.thread !== undefined) return reading.frame.meta.thread;
        at += reading.frame.length;
      }
    }
  } finally {
    closeSync(fd);
  }
}
