import { ERROR, INTERRUPT, TASKS, type CheckpointTuple } from "@langchain/langgraph-checkpoint";

const INPUT = "__start__";
const BRANCH = "branch:to:";
const JOIN = "join:";

/**
 * The nodes that run next, as far as a checkpoint tells without its graph: an input that waits, edges that lead on,
 * Sends that are pending, joins that are complete.
 */
export function nextTasks({ checkpoint }: CheckpointTuple): string[] {
  const next: string[] = [];
  for (const [channel, value] of Object.entries(checkpoint.channel_values)) {
    if (channel === INPUT) next.push(INPUT);
    else if (channel.startsWith(BRANCH)) next.push(channel.slice(BRANCH.length));
    else if (channel === TASKS && Array.isArray(value)) next.push(...value.map(nodeOfSend));
    else if (channel.startsWith(JOIN) && Array.isArray(value)) next.push(...joined(channel, value));
  }
  return next;
}

function nodeOfSend(send: unknown): string {
  const node: unknown = (send as { node?: unknown } | null)?.node;
  return typeof node === "string" ? node : "?";
}

/** `join:a+b:c` waits for a and b, which the value lists as they come, and then runs c. */
function joined(channel: string, seen: readonly unknown[]): string[] {
  const starts = seen.filter((each): each is string => typeof each === "string");
  const end = JOIN.length + starts.join("+").length;
  const expected = channel.slice(JOIN.length, end);
  const isComplete =
    starts.length > 0 && channel[end] === ":" && starts.every((each) => expected.includes(each));
  return isComplete ? [channel.slice(end + 1)] : [];
}

/** Why a graph stopped at a checkpoint. */
export interface Stops {
  /** What is asked of a human, of tasks that have not gone on since. */
  interrupts: unknown[];
  errors: unknown[];
}

export function stopsOf({ pendingWrites = [] }: CheckpointTuple): Stops {
  const answered = new Set(
    pendingWrites.flatMap(([task, channel]) => (channel.startsWith("__") ? [] : [task])),
  );
  const open = pendingWrites.filter(([task]) => !answered.has(task));
  const valuesOf = (wanted: string) =>
    open.flatMap(([, channel, value]): unknown[] => (channel === wanted ? [value] : []));
  return { interrupts: valuesOf(INTERRUPT).flat().map(askedIn), errors: valuesOf(ERROR) };
}

/** An interrupt's own value, out of what LangGraph keeps with it. */
function askedIn(interrupt: unknown): unknown {
  return typeof interrupt === "object" && interrupt !== null && "value" in interrupt
    ? interrupt.value
    : interrupt;
}

/** Channels that LangGraph keeps for itself. */
export function isInternal(channel: string): boolean {
  return channel.startsWith("__") || channel.startsWith(BRANCH) || channel.startsWith(JOIN);
}
