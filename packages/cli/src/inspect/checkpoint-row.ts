import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { nameOf, type CheckpointName } from "../stores/store.js";
import { nextTasks, stopsOf } from "./next-tasks.js";
import { plain } from "./plain.js";
import { stateBytes } from "./state-size.js";

/** What a history tells of a checkpoint. */
export interface CheckpointRow extends CheckpointName {
  parentId: string | undefined;
  step: number | undefined;
  source: string;
  made: Date;
  bytes: number;
  next: string[];
  interrupts: unknown[];
  errors: unknown[];
  writes: number;
}

export function checkpointRow(tuple: CheckpointTuple): CheckpointRow {
  const { checkpoint, metadata, parentConfig, pendingWrites = [] } = tuple;
  const parent: unknown = parentConfig?.configurable?.["checkpoint_id"];
  const { interrupts, errors } = stopsOf(tuple);
  return {
    ...nameOf(tuple),
    parentId: typeof parent === "string" ? parent : undefined,
    step: metadata?.step,
    source: metadata?.source ?? "",
    made: new Date(checkpoint.ts),
    bytes: stateBytes(tuple),
    next: nextTasks(tuple),
    interrupts: interrupts.map((each) => plain(each)),
    errors: errors.map((each) => plain(each)),
    writes: pendingWrites.length,
  };
}

const SHORTEST = 8;

/** How many characters tell these checkpoints apart: enough to type one of them. */
export function uniquePrefix(rows: readonly Pick<CheckpointRow, "checkpointId">[]): number {
  const ids = rows.map(({ checkpointId }) => checkpointId).toSorted();
  let length = SHORTEST;
  ids.forEach((id, at) => {
    const before = ids[at - 1];
    if (before === undefined || before === id) return;
    let same = 0;
    while (id[same] === before[same]) same++;
    length = Math.max(length, same + 1);
  });
  return length;
}
