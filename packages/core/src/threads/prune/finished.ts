import { TASKS } from "@langchain/langgraph-checkpoint";

import { keyOf, type Opened, type Reader } from "../../saver/reader.js";

const INPUT = "__start__";
const BRANCH = "branch:to:";
const JOIN = "join:";

/**
 * Whether no task is to come after a checkpoint, for graphs of the Graph API and the functional API: no input waits, no
 * edge leads on, no Send is pending and no join is complete.
 */
export async function isFinished(reader: Reader, opened: Opened): Promise<boolean> {
  const { open, chunks } = opened;
  const names = [...open.channels.keys()];
  if (names.some((name) => name === INPUT || name.startsWith(BRANCH))) return false;
  const waiting = names.filter((name) => name === TASKS || name.startsWith(JOIN));
  await chunks.fetch(waiting.map((name) => open.channels.get(name)!.ref));
  for (const name of waiting) {
    const value = await reader.loadChannel(keyOf(opened.stored), name, open.channels.get(name)!.ref, chunks);
    if (!Array.isArray(value)) continue;
    if (name === TASKS ? value.length > 0 : isComplete(name, value)) return false;
  }
  return true;
}

/** `join:a+b:c` with all of its starts, `a` and `b`, seen. */
function isComplete(name: string, seen: readonly unknown[]): boolean {
  const starts = seen.filter((each): each is string => typeof each === "string");
  const end = JOIN.length + starts.join("+").length;
  const expected = name.slice(JOIN.length, end);
  return starts.length > 0 && name[end] === ":" && starts.every((start) => expected.includes(start));
}
