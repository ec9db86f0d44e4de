import { lstatSync } from "node:fs";
import { basename } from "node:path";

import type { LogName, Root } from "./disk/root.js";
import { DAMAGED, ownerOf } from "./thread-names.js";
import { ThreadLog } from "./log/thread-log.js";

/**
 * How long a log that holds nothing stays. What is sealed and swept leaves no trace, so that the thread's next log has
 * a name that was there before. Whoever is about to link or remove a log by such a name looks once more right before;
 * only a process that was stopped just there, for longer than this, would take the new one for the old one.
 */
const REST_MS = 24 * 60 * 60_000;
/** Nothing is larger that only a deletion and some registers were written to. */
const LARGEST = 64 * 1024;
/** How many logs one deletion looks at. */
const AT_ONCE = 32;

/** Removes the logs that have held nothing for a day: what deleted threads leave. */
export async function sweepLogs(
  root: Root,
  names: AsyncIterable<LogName> | Iterable<LogName>,
): Promise<void> {
  const now = await root.now();
  // Whoever began to write a log and has rested as long must not give it a name now.
  await root.sweepTemporary();
  for await (const name of names) if (isAtRest(name, now)) await sweep(root, name);
}

/** Some of the logs that deletions left in the thread's folder: each deletion makes up for an earlier one. */
export async function sweepNeighbours(root: Root, threadId: string): Promise<void> {
  const left = (await root.neighbours(threadId)).filter(({ path }) => basename(path).startsWith("~"));
  if (left.length === 0) return;
  const start = Math.floor(Math.random() * left.length);
  await sweepLogs(root, [...left.slice(start), ...left.slice(0, start)].slice(0, AT_ONCE));
}

function isAtRest({ path }: LogName, now: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.isFile() && stat.size <= LARGEST && now - stat.mtimeMs > REST_MS;
}

async function sweep(root: Root, name: LogName): Promise<void> {
  const owner = await ownerOf(name);
  // Where a replacement is not finished, whoever uses the thread next does so first.
  if (owner === DAMAGED || !(await root.isOnly(name))) return;
  const log = await ThreadLog.openIfThere(name, owner ?? "");
  if (log === undefined) return;
  try {
    // Void if someone has added to it in the meantime.
    if (log.state.sealed === undefined && log.state.isEmpty())
      await log.append({ kind: "seal", why: "sweep" }, []);
    if (log.state.sealed === "sweep") await root.removeSwept(name);
  } finally {
    log.close();
  }
}
