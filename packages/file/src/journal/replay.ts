import { closeSync, lstatSync } from "node:fs";
import { join } from "node:path";

import { hasCode } from "../disk/errors.js";
import { listNames, openExisting, readAt, removeFile } from "../disk/files.js";
import type { Root } from "../disk/root.js";
import { decodeBody, readFrame } from "../log/frame.js";
import type { Logs } from "../log/logs.js";
import { ThreadLog } from "../log/thread-log.js";
import { readEntries, type JournalEntry } from "./entry.js";

interface FoundJournal {
  path: string;
  alive: boolean;
  entries: JournalEntry[];
}

/**
 * Appends what journals hold and logs have lost; a log that was replaced since was copied with all that was in it. A
 * journal whose process is alive is left in place: its logs have all of it, and looking costs nothing but the look. Where
 * one has lost something, the process is another that has got the same number.
 */
export async function replayJournals(root: Root, logs: Logs): Promise<void> {
  const journals: FoundJournal[] = [];
  for (const name of await listNames(root.journals)) {
    const [, pid] = /^(\d+)-[0-9a-f]+\.journal$/.exec(name) ?? [];
    const path = join(root.journals, name);
    if (pid === undefined || !lstatSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const alive = isAlive(Number(pid));
    journals.push({ path, alive, entries: await entriesOf(path) });
  }
  const byThread = new Map<string, JournalEntry[]>();
  for (const entry of journals.flatMap(({ entries }) => entries)) {
    const entries = byThread.get(entry.threadId) ?? [];
    entries.push(entry);
    byThread.set(entry.threadId, entries);
  }
  const replayed = new Set<string>();
  for (const [threadId, entries] of byThread)
    if (await replayThread(root, logs, threadId, entries)) replayed.add(threadId);
  for (const { path, alive, entries } of journals) {
    // Never a second time: what is put from now on must not be replaced by what was before.
    if (!alive || entries.some(({ threadId }) => replayed.has(threadId))) await removeFile(path);
  }
}

async function entriesOf(path: string): Promise<JournalEntry[]> {
  let fd: number;
  try {
    fd = openExisting(path);
  } catch (error) {
    // Its process has just closed it.
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
  try {
    const { size } = lstatSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
    return [...readEntries(await readAt(fd, 0, size))];
  } finally {
    closeSync(fd);
  }
}

/** True when the log had lost some of them. */
async function replayThread(
  root: Root,
  logs: Logs,
  threadId: string,
  entries: JournalEntry[],
): Promise<boolean> {
  const again = await lostEntries(root, threadId, entries);
  for (let at = 0; at < again.length;) {
    at = (await logs.use(threadId, "create", async (log) => {
      let next = at;
      while (next < again.length && (await appendAgain(log, again[next]!))) next += 1;
      await log.sync();
      return next;
    }))!;
  }
  return again.length > 0;
}

/** What is to be appended again: from the first lost one on, since a later one may replace what an earlier one brings. */
async function lostEntries(root: Root, threadId: string, entries: JournalEntry[]): Promise<JournalEntry[]> {
  // An older one next to it has been copied into it, or was deleted: its entries are not to come back.
  const name = (await root.logs(threadId)).at(-1);
  if (name === undefined) return [];
  const here = entries
    .filter(({ hash, number }) => hash === name.hash && number === name.number)
    .toSorted((a, b) => a.at - b.at);
  let log: ThreadLog;
  try {
    log = await ThreadLog.open(name, threadId);
  } catch (error) {
    // Replaced in the meantime.
    if (hasCode(error, "ENOENT")) return lostEntries(root, threadId, entries);
    throw error;
  }
  try {
    if (log.state.sealed === "delete") return [];
    const first = here.findIndex(({ at, frame }) => !log.holds({ at, bytes: frame }));
    return first === -1 ? [] : here.slice(first);
  } finally {
    log.close();
  }
}

/** False when the log is sealed. */
async function appendAgain(log: ThreadLog, { frame }: JournalEntry): Promise<boolean> {
  const reading = readFrame(frame, 0, 0);
  if (reading.is !== "frame") throw new Error("a journal's entry is not a frame");
  const { meta, bodies } = reading.frame;
  const { at, w: _w, synced: _synced, torn: _torn, thread: _thread, ...content } = meta;
  const data = bodies.map(({ at: start, length }) => decodeBody(frame.subarray(start, start + length)));
  return (await log.append(content, data, at)) !== undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
