import { WRITES_IDX_MAP, type CheckpointTuple } from "@langchain/langgraph-checkpoint";

/** The writes of one task at a checkpoint, with what a tuple leaves out: the task's path, and each write's idx. */
export interface TaskWrites {
  taskId: string;
  taskPath: string;
  writes: TaskWrite[];
}

/** A write of a task, with its position. */
export interface TaskWrite {
  /** Negative for the writes to LangGraph's own channels, such as interrupts and errors. */
  idx: number;
  channel: string;
  value: unknown;
}

type PendingWrites = NonNullable<CheckpointTuple["pendingWrites"]>;
type Place = Pick<TaskWrites, "taskPath"> & Pick<TaskWrite, "idx">;

/** Kept beside the tuples that were read for as long as they are in use. */
const places = new WeakMap<PendingWrites, readonly Place[]>();

export function keepPlaces(pendingWrites: PendingWrites, writes: readonly Place[]): void {
  places.set(
    pendingWrites,
    writes.map(({ taskPath, idx }) => ({ taskPath, idx })),
  );
}

/**
 * The writes of a tuple by task. Where the saver that read it did not say more, a task's regular writes are taken to
 * have the idx of their order.
 */
export function taskWritesOf({ pendingWrites = [] }: CheckpointTuple): TaskWrites[] {
  const known = places.get(pendingWrites);
  const tasks = new Map<string, TaskWrites>();
  pendingWrites.forEach(([taskId, channel, value], at) => {
    const task = tasks.get(taskId) ?? { taskId, taskPath: known?.[at]?.taskPath ?? "", writes: [] };
    tasks.set(taskId, task);
    const special = Object.hasOwn(WRITES_IDX_MAP, channel) ? WRITES_IDX_MAP[channel] : undefined;
    const idx = known?.[at]?.idx ?? special ?? task.writes.filter((write) => write.idx >= 0).length;
    task.writes.push({ idx, channel, value });
  });
  return [...tasks.values()];
}

/**
 * The batch for `putWrites` that gives each write its idx again: a regular write's idx is its place among all entries
 * of the batch, so that special writes, whose idx is fixed, fill the gaps between them.
 */
export function writesInPosition(writes: readonly TaskWrite[]): [channel: string, value: unknown][] {
  const special: [string, unknown][] = [];
  const regular = new Map<number, [string, unknown]>();
  for (const { idx, channel, value } of writes) {
    if (idx < 0) special.push([channel, value]);
    else regular.set(idx, [channel, value]);
  }
  const last = Math.max(-1, ...regular.keys());
  const batch: [string, unknown][] = [];
  let filler = special[0];
  for (let at = 0; at <= last; at++) {
    const own = regular.get(at);
    if (own === undefined) filler = special.shift() ?? filler;
    // Twice the same special write is one; where there is none, the writes behind the gap move up, in their order.
    const write = own ?? filler;
    if (write !== undefined) batch.push(write);
  }
  return [...batch, ...special];
}
