import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { invalid, kindOf, readOptions, readString } from "../saver/config.js";
import type { CheckpointRecord } from "../store/port.js";
import { pagesOf, type ThreadParts } from "./parts.js";

/** A point in a thread's history: exactly one of `time`, `step` and `checkpointId`. */
export interface HistoryPoint {
  /** The newest checkpoint that was put at this time or before. */
  time?: Date | number;
  /** The newest checkpoint whose step is this one or an earlier one. */
  step?: number;
  /** This checkpoint, or the one with the greatest id below it. */
  checkpointId?: string;
  /** Default: the root, `""`. */
  checkpointNs?: string;
}

/** Reads records newest first up to the one that is asked for, and the values of that one only. */
export async function getAtOrBefore(
  { store, reader }: Pick<ThreadParts, "store" | "reader">,
  threadId: string,
  { namespace, before, matches }: ReadPoint,
): Promise<CheckpointTuple | undefined> {
  const query = { threadId, namespace, ...(before === undefined ? {} : { before }) };
  for await (const page of pagesOf(store, query)) {
    for (const { checkpointId, checkpoint } of page) {
      if (checkpoint === undefined || !matches(checkpoint)) continue;
      const tuple = await reader.getTuple({ threadId, namespace, checkpointId: checkpointId! });
      // Gone since it was listed: the next one is the newest now.
      if (tuple !== undefined) return tuple;
    }
  }
  return undefined;
}

/** A point, checked. */
export interface ReadPoint {
  namespace: string;
  before?: string;
  matches: (record: CheckpointRecord) => boolean;
}

export function readPoint(given: HistoryPoint | undefined): ReadPoint {
  const point = readOptions("getAtOrBefore", given);
  const { time, step } = point;
  const id = readString("getAtOrBefore", "checkpointId", point.checkpointId);
  const namespace = readString("getAtOrBefore", "checkpointNs", point.checkpointNs) ?? "";
  if ([time, step, id].filter((each) => each !== undefined).length !== 1)
    throw invalid("getAtOrBefore", "give exactly one of `time`, `step` and `checkpointId`");
  if (id !== undefined) {
    // Nothing is between an id and the same with the least character behind it.
    return { namespace, before: `${id}\0`, matches: () => true };
  }
  if (step !== undefined) {
    if (!Number.isSafeInteger(step)) throw invalid("getAtOrBefore", "`step` must be a whole number");
    return { namespace, matches: ({ labels }) => labels.step !== undefined && labels.step <= step };
  }
  const at = readTime("getAtOrBefore", "time", time);
  return { namespace, matches: ({ createdAt }) => createdAt <= at };
}

/** Milliseconds since the epoch. */
export function readTime(method: string, name: string, value: unknown): number {
  const at = value instanceof Date ? value.getTime() : value;
  if (typeof at === "number" && Number.isFinite(at)) return at;
  throw invalid(method, `\`${name}\` must be a valid Date or a number of milliseconds, not ${kindOf(value)}`);
}
