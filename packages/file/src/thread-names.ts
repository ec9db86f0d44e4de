import { closeSync } from "node:fs";

import { asSaverError, hasCode } from "./disk/errors.js";
import { openLog, readAt } from "./disk/files.js";
import type { LogName, Root } from "./disk/root.js";
import { nextMarker, readFrame, type Reading } from "./log/frame.js";

const HEAD = 64 * 1024;

/** Which threads there are. An id is only in its log, whose first frames never change: each file is read once. */
export class ThreadNames {
  readonly #root: Root;
  readonly #known = new Map<string, string>();

  constructor(root: Root) {
    this.#root = root;
  }

  /** `nameless`: logs too damaged to tell whose they are. */
  async all(): Promise<{ ids: string[]; nameless: string[] }> {
    try {
      const ids = new Set<string>();
      const nameless: string[] = [];
      for await (const name of this.#root.allLogs()) {
        const owner = this.#known.get(name.path) ?? (await ownerOf(name));
        if (owner === undefined) continue;
        if (owner === DAMAGED) nameless.push(name.path);
        else {
          this.#known.set(name.path, owner);
          ids.add(owner);
        }
      }
      return { ids: [...ids], nameless };
    } catch (error) {
      throw asSaverError("list the threads", error);
    }
  }
}

export const DAMAGED = Symbol("damaged");

/** Undefined for what a deleted thread leaves until it is used again. */
export async function ownerOf({ path }: LogName): Promise<string | undefined | typeof DAMAGED> {
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
      const owner = ownerIn(buffer);
      if (typeof owner === "string" || buffer.byteLength < want) return owner;
    }
  } finally {
    closeSync(fd);
  }
}

function ownerIn(buffer: Buffer): string | undefined | typeof DAMAGED {
  let first: Reading["is"] | undefined;
  for (let at = 0; at !== -1 && at < buffer.byteLength;) {
    const reading = readFrame(buffer, at, 0);
    first ??= reading.is;
    if (reading.is === "frame") {
      if (reading.frame.meta.thread !== undefined) return reading.frame.meta.thread;
      at += reading.frame.length;
    } else {
      at = nextMarker(buffer, at + 1);
    }
  }
  return first === "frame" ? undefined : DAMAGED;
}
