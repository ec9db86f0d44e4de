import type { RunnableConfig } from "@langchain/core/runnables";
import { RESUME, type CheckpointTuple, type PendingWrite } from "@langchain/langgraph-checkpoint";

import { byTask, Fingerprints, isSpecial, type Print, type TaskPrint } from "./fingerprint.js";
import type { Side } from "./side.js";
import type { CopyCounts } from "./status.js";

/** The copy was given up because the thread is being deleted. */
export class CopyStopped extends Error {}

export interface CopyOptions {
  /** Whether the source first gets what only the target has. Otherwise the target becomes a copy of the source. */
  merge: boolean;
  isStopped: () => boolean;
  /** Called before the target's thread is deleted in order to be copied as a whole. */
  onDestructive: () => void;
}

/** What was copied to the target and, where the two were merged, to the source. */
export interface Copied {
  toTarget: CopyCounts;
  toSource: CopyCounts;
}

interface Pass extends CopyCounts {
  /** True where the target has something that putting cannot change into what the source has. */
  conflict: boolean;
}

/**
 * Makes the target's copy of a thread the same as the source's, by what every saver has: list, put, putWrites and
 * deleteThread. Lists show neither a task's path nor the gaps between its writes, so these are not copied.
 */
export async function copyThread(
  source: Side,
  target: Side,
  threadId: string,
  options: CopyOptions,
): Promise<Copied> {
  const prints = new Fingerprints([source.saver.serde, target.saver.serde]);
  const pass = (from: Side, to: Side, exact: boolean) =>
    copyMissing(from, to, threadId, { prints, exact, isStopped: options.isStopped });
  const toSource = options.merge ? await pass(target, source, false) : { checkpoints: 0, writes: 0 };
  let toTarget = await pass(source, target, true);
  if (toTarget.conflict) {
    options.onDestructive();
    await target.write(threadId, (saver) => saver.deleteThread(threadId));
    toTarget = await pass(source, target, true);
  }
  return { toTarget: countsOf(toTarget), toSource: countsOf(toSource) };
}

/** `exact`: what differs is replaced. Otherwise only what is missing is added. */
async function copyMissing(
  from: Side,
  to: Side,
  threadId: string,
  options: { prints: Fingerprints; exact: boolean; isStopped: () => boolean },
): Promise<Pass> {
  const { prints, exact, isStopped } = options;
  const there = new Map<string, Print>();
  const goOn = () => {
    if (isStopped()) throw new CopyStopped("The thread is being deleted");
  };
  for await (const tuple of tuplesOf(to, threadId)) {
    goOn();
    there.set(nameOf(tuple), await prints.of(tuple));
  }
  const pass: Pass = { checkpoints: 0, writes: 0, conflict: false };
  const send = (run: Parameters<Side["write"]>[1]) => {
    goOn();
    return to.write(threadId, run);
  };
  for await (const tuple of tuplesOf(from, threadId)) {
    goOn();
    const print = await prints.of(tuple);
    const held = there.get(nameOf(tuple));
    there.delete(nameOf(tuple));
    if (held === undefined || (exact && held.content !== print.content)) {
      await send((saver) => saver.put(...putArguments(tuple, threadId)));
      pass.checkpoints += 1;
    }
    if (exact && !isContained(held, print)) return { ...pass, conflict: true };
    const writesOf = byTask(tuple.pendingWrites ?? []);
    for (const [taskId, task] of print.tasks) {
      const missing = missingWrites(task, held?.tasks.get(taskId), exact);
      const writes = writesOf.get(taskId)!.filter(([, channel]) => missing(channel));
      for (const batch of batchesOf(writes.map(([, channel, value]) => [channel, value]))) {
        await send((saver) => saver.putWrites(configOf(tuple, threadId, tuple.checkpoint.id), batch, taskId));
        pass.writes += batch.length;
      }
    }
  }
  goOn();
  return { ...pass, conflict: exact && there.size > 0 };
}

/** True where all writes that are held are in the print, or can be replaced by its own. */
function isContained(held: Print | undefined, print: Print): boolean {
  return [...(held?.tasks ?? [])].every(([taskId, { regular, special }]) => {
    const task = print.tasks.get(taskId);
    if (task === undefined || (regular !== "" && regular !== task.regular)) return false;
    return [...special.keys()].every((channel) => task.special.has(channel));
  });
}

/** Tells which channels' writes of a task are to be sent. Regular writes go together: their positions count. */
function missingWrites(
  task: TaskPrint,
  held: TaskPrint | undefined,
  exact: boolean,
): (channel: string) => boolean {
  return (channel) => {
    if (!isSpecial(channel)) return (held?.regular ?? "") === "";
    const own = held?.special.get(channel);
    return own === undefined || (exact && own !== task.special.get(channel));
  };
}

/**
 * A resumed task puts its RESUME in front of its results, and interrupts and errors apart from them: so the results get
 * the positions that they had.
 */
function batchesOf(writes: PendingWrite[]): PendingWrite[][] {
  const together: PendingWrite[] = [];
  const apart: PendingWrite[] = [];
  for (const write of writes) (isSpecial(write[0]) && write[0] !== RESUME ? apart : together).push(write);
  return [together, apart].filter(({ length }) => length > 0);
}

function tuplesOf(side: Side, threadId: string): AsyncGenerator<CheckpointTuple> {
  return side.stream((saver) => saver.list({ configurable: { thread_id: threadId } }));
}

function putArguments(tuple: CheckpointTuple, threadId: string): Parameters<Side["saver"]["put"]> {
  const { checkpoint, metadata, parentConfig } = tuple;
  const parentId: unknown = parentConfig?.configurable?.["checkpoint_id"];
  const config = configOf(tuple, threadId, parentId);
  const runId: unknown = (metadata as Record<string, unknown> | undefined)?.["run_id"];
  if (runId !== undefined) config.metadata = { run_id: runId };
  return [config, checkpoint, metadata ?? ({} as never), { ...checkpoint.channel_versions }];
}

function configOf({ config }: CheckpointTuple, threadId: string, checkpointId: unknown): RunnableConfig {
  const namespace: unknown = config.configurable?.["checkpoint_ns"] ?? "";
  return {
    configurable: {
      thread_id: threadId,
      checkpoint_ns: namespace,
      ...(checkpointId === undefined ? {} : { checkpoint_id: checkpointId }),
    },
  };
}

/** The thread, too: lists may be of several. */
export function nameOf({ config, checkpoint }: CheckpointTuple): string {
  const { thread_id: threadId, checkpoint_ns: namespace } = config.configurable ?? {};
  return JSON.stringify([threadId, namespace ?? "", checkpoint.id]);
}

function countsOf({ checkpoints, writes }: CopyCounts): CopyCounts {
  return { checkpoints, writes };
}
