import { closeSync, lstatSync } from "node:fs";
import { join } from "node:path";

import { hasCode } from "../disk/errors.js";
import { listNames, openExisting, readAt, removeFile } from "../disk/files.js";
import type { Root } from "../disk/root.js";
import { decodeBody, readFrame, type FrameContent } from "../log/frame.js";
import type { Logs } from "../log/logs.js";
import { ThreadLog } from "../log/thread-log.js";
import { readEntries, type JournalEntry } from "./entry.js";

/**
 * Appends what journals hold and logs have lost; a log that was replaced since was copied with all that was in it, and
 * is no longer there. A journal whose process is alive is left in place: its logs have all
 * of it, and looking costs nothing but the look.
 */
export async function replayJournals(root: Root, logs: Logs): Promise<void> {
  for (const name of await listNames(root.journals)) {
    const [, pid] = /^(\d+)-[0-9a-f]+\.journal$/.exec(name) ?? [];
    const path = join(root.journals, name);
    if (pid === undefined || !lstatSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const alive = isAlive(Number(pid));
    for (const [threadId, entries] of await entriesByThread(path))
      await replayThread(root, logs, threadId, entries);
    if (!alive) await removeFile(path);
  }
}

async function entriesByThread(path: string): Promise<Map<string, JournalEntry[]>> {
  const byThread = new Map<string, JournalEntry[]>();
  let fd: number;
  try {
    fd = openExisting(path);
  } catch (error) {
    // Its process has just closed it.
    if (hasCode(error, "ENOENT")) return byThread;
    throw error;
  }
  try {
    const { size } = lstatSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
    for (const entry of readEntries(await readAt(fd, 0, size))) {
      const entries = byThread.get(entry.threadId) ?? [];
      entries.push(entry);
      byThread.set(entry.threadId, entries);
    }
  } finally {
    closeSync(fd);
  }
  return byThread;
}

async function replayThread(
  root: Root,
  logs: Logs,
  threadId: string,
  entries: JournalEntry[],
): Promise<void> {
  const again = await lostEntries(root, threadId, entries);
  if (again.length === 0) return;
  for (let at = 0; at < again.length;) {
    at = (await logs.use(threadId, "create", async (log) => {
      let next = at;
      while (next < again.length && (await appendAgain(log, again[next]!))) next += 1;
      await log.sync();
      return next;
    }))!;
  }
}

/** What is to be appended again: from the first lost one on, since a later one may replace what an earlier one brings. */
async function lostEntries(root: Root, threadId: string, entries: JournalEntry[]): Promise<JournalEntry[]> {
  const lost: JournalEntry[] = [];
  for (const name of await root.logs(threadId)) {
    const here = entries.filter(({ hash, number }) => hash === name.hash && number === name.number);
    if (here.length === 0) continue;
    const log = await ThreadLog.open(name, threadId);
    try {
      // What was deleted is not to come back.
      if (log.state.sealed === "delete") continue;
      const first = here.findIndex(({ at, frame }) => !log.holds({ at, bytes: frame }));
      if (first !== -1) lost.push(...here.slice(first));
    } finally {
      log.close();
    }
  }
  return lost;
}

/** False when the log is sealed. */
async function appendAgain(log: ThreadLog, { frame }: JournalEntry): Promise<boolean> {
  const reading = readFrame(frame, 0, 0);
  if (reading.is !== "frame") throw new Error("a journal's entry is not a frame");
  const { meta, bodies } = reading.frame;
  const { at, w: _w, synced: _synced, torn: _torn, thread: _thread, ...content } = meta;
  const data = bodies.map(({ at: start, length }) => decodeBody(frame.subarray(start, start + length)));
  return (await log.append(content as FrameContent, data, at)) !== undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
