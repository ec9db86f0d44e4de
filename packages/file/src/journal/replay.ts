import { closeSync, lstatSync } from "node:fs";
import { join } from "node:path";

import { hasCode } from "../disk/errors.js";
import { listNames, openExisting, readAt, removeFile } from "../disk/files.js";
import type { LogName, Root } from "../disk/root.js";
import { decodeBody, nextMarker, readFrame, type Frame } from "../log/frame.js";
import type { Logs } from "../log/logs.js";
import { ThreadLog } from "../log/thread-log.js";
import { readEntries, type JournalEntry } from "./entry.js";

interface FoundJournal {
  path: string;
  alive: boolean;
  entries: JournalEntry[];
}

/** What journals hold of one thread. */
interface FoundEntries {
  entries: JournalEntry[];
  /** All these journals stay. */
  alive: boolean;
}

/**
 * Appends what journals hold and logs have lost; a log that was replaced since was copied with all that was in it. The
 * journal of a process that was killed goes once its logs are on the disk: they may have all of it by the grace of the
 * operating system only, and a power loss may follow. A journal whose process is alive is left in place: its logs have
 * all of it, and looking costs nothing but the look. Where one has lost something, the process is another that has got
 * the same number.
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
  const byThread = new Map<string, FoundEntries>();
  for (const { alive, entries } of journals) {
    for (const entry of entries) {
      const found = byThread.get(entry.threadId) ?? { entries: [], alive: true };
      found.entries.push(entry);
      found.alive &&= alive;
      byThread.set(entry.threadId, found);
    }
  }
  const replayed = new Set<string>();
  for (const [threadId, found] of byThread)
    if (await replayThread(root, logs, threadId, found)) replayed.add(threadId);
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
async function replayThread(root: Root, logs: Logs, threadId: string, found: FoundEntries): Promise<boolean> {
  for (;;) {
    const replay = await planReplay(root, threadId, found);
    if (replay === undefined) return false;
    if (await perform(logs, threadId, replay)) return true;
  }
}

/** A frame to be appended again. */
interface Repeated {
  at: number;
  bytes: Buffer;
  frame: Frame;
  /** It is in a journal. The others were never acknowledged, or not for the case of a power loss. */
  journaled: boolean;
}

interface Replay {
  log: LogName;
  frames: Repeated[];
  /** Up to where the log was read. */
  end: number;
}

/**
 * What is to be appended again: all from the first lost one on, since a later one may replace or delete what an earlier
 * one brings, or be judged by it. Also what only the log has. Undefined where nothing is lost, nor will be.
 */
async function planReplay(root: Root, threadId: string, found: FoundEntries): Promise<Replay | undefined> {
  // An older one next to it has been copied into it, or was deleted: its entries are not to come back.
  const name = (await root.logs(threadId)).at(-1);
  if (name === undefined) return undefined;
  const log = await ThreadLog.openIfThere(name, threadId);
  // Replaced in the meantime.
  if (log === undefined) return planReplay(root, threadId, found);
  try {
    const { generation, sealed } = log.state;
    if (sealed === "delete" || sealed === "sweep") return undefined;
    const here = found.entries
      .filter(({ hash, number }) => hash === name.hash && number === name.number)
      // Where the first frame is damaged, nobody knows the generation.
      .filter((entry) => entry.generation === generation || generation === "")
      .toSorted((a, b) => a.at - b.at);
    const first = here.findIndex(({ at, frame }) => !log.holds(at, frame));
    if (first === -1) {
      if (!found.alive && here.length > 0) await log.sync();
      return undefined;
    }
    const lost = here.slice(first).map(({ at, frame: bytes }): Repeated => {
      const reading = readFrame(bytes, 0, 0);
      if (reading.is !== "frame") throw new Error("a journal's entry is not a frame");
      return { at, bytes, frame: reading.frame, journaled: true };
    });
    const { frames, end } = await framesFrom(log, lost[0]!.at);
    const journaled = new Set(lost.map(({ at }) => at));
    // Somebody else has begun: what stands behind that was added since.
    const begun = Math.min(...lost.map(({ frame }) => log.state.repeated.get(frame.meta.w) ?? Infinity));
    const others = frames.filter(({ at }) => at < begun && !journaled.has(at));
    return { log: name, frames: [...lost, ...others].toSorted((a, b) => a.at - b.at), end };
  } finally {
    log.close();
  }
}

/** What the power loss has left of a log from there on. */
async function framesFrom(log: ThreadLog, from: number): Promise<{ frames: Repeated[]; end: number }> {
  const buffer = await log.readFrom(from);
  const frames: Repeated[] = [];
  for (let start = 0; start !== -1 && start < buffer.byteLength;) {
    const reading = readFrame(buffer, start, from);
    if (reading.is !== "frame" || !reading.whole) {
      start = nextMarker(buffer, start + 1);
      continue;
    }
    const { meta, length, at } = reading.frame;
    if (meta.again !== undefined || (meta.kind === "seal" && log.state.sealed !== undefined)) break;
    const bytes = buffer.subarray(start, start + length);
    const { frame } = readFrame(bytes, 0, 0) as typeof reading;
    if (meta.kind !== "seal") frames.push({ at, bytes, frame, journaled: false });
    start += length;
  }
  return { frames, end: from + buffer.byteLength };
}

/** False when the log has grown since it was read: what was added must not be repeated, nor come before the rest. */
async function perform(logs: Logs, threadId: string, { log: name, frames, end }: Replay): Promise<boolean> {
  let next = 0;
  while (next < frames.length) {
    const current = await logs.use(threadId, "create", async (log) => {
      for (; next < frames.length; next += 1) {
        const { at } = frames[next]!;
        // A sealed log was replaced by a copy of what it had; all that can be done is to add to it.
        const instead = next === 0 && log.name.number === name.number && at < end;
        const outcome = await appendAgain(log, frames[next]!, instead ? [at, end] : undefined);
        if (outcome === "sealed") break;
        if (outcome === "void" && next === 0) return false;
      }
      await log.sync();
      return true;
    });
    if (current === false) return false;
  }
  return true;
}

/**
 * Only what was not void is in a journal: its records are not judged again by registers. Whoever has repeated a frame
 * before, it counts once.
 */
async function appendAgain(
  log: ThreadLog,
  { bytes, frame, journaled }: Repeated,
  instead: [number, number] | undefined,
): Promise<"done" | "void" | "sealed"> {
  // Needs what was lost with others that were not acknowledged.
  if (!journaled && !log.state.holds(frame)) return "done";
  const { meta, bodies } = frame;
  const { at, w: again, synced: _synced, torn: _torn, thread: _thread, ...content } = meta;
  if (journaled && "registers" in content) delete content.registers;
  const data = bodies.map(({ at: start, length }) => decodeBody(bytes.subarray(start, start + length)));
  const appended = await log.append(content, data, at, {
    again,
    ...(instead === undefined ? {} : { instead }),
  });
  if (appended === undefined) return "sealed";
  return log.state.repeated.has(again) ? "done" : "void";
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
