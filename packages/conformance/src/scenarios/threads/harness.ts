import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { equal } from "../../check.js";
import type { ThreadInfo, ThreadListOptions, ThreadOperations } from "../../thread-operations.js";
import { codedRefusal, configOf, listAll, putOne } from "../calls.js";

/** The saver as one that manages threads: a scenario says in `needs` what it calls. */
export function manager(saver: BaseCheckpointSaver): ThreadOperations {
  return saver as unknown as ThreadOperations;
}

/** Every checkpoint of a thread, of all its namespaces, newest first. */
export function everythingOf(saver: BaseCheckpointSaver, thread: string): Promise<CheckpointTuple[]> {
  return listAll(saver, { configurable: { thread_id: thread } });
}

export function idOf({ checkpoint }: CheckpointTuple): string {
  return checkpoint.id;
}

/** A call that must be refused with a coded error, and leave all that is stored as it was. */
export async function refusedUnchanged(
  saver: BaseCheckpointSaver,
  action: () => unknown,
): Promise<Error & { code: string }> {
  const before = await listAll(saver, {});
  const error = await codedRefusal(action);
  equal(await listAll(saver, {}), before, "the stored checkpoints");
  return error;
}

/**
 * A chain of checkpoints, as the steps of a run: `step` changes in each, `kept` stays as the first one set it. Returns the
 * ids, oldest first.
 */
export async function putChain(
  saver: BaseCheckpointSaver,
  thread: string,
  count: number,
  options: { namespace?: string; from?: number; metadata?: Record<string, unknown> } = {},
): Promise<string[]> {
  const { namespace = "", from = 0, metadata = {} } = options;
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const step = from + at;
    const first = at === 0;
    ids.push(
      await putOne(saver, thread, {
        namespace,
        values: { step, kept: `kept of ${thread} in ${namespace}` },
        versions: { step: step + 2, kept: 1 },
        changed: first ? ["step", "kept"] : ["step"],
        metadata: { step, ...metadata },
        ...(first ? {} : { parent: ids.at(-1)! }),
      }),
    );
  }
  return ids;
}

/** What `putChain` stored at a step. */
export function chainValues(thread: string, step: number, namespace = ""): Record<string, unknown> {
  return { step, kept: `kept of ${thread} in ${namespace}` };
}

/** A time after all that was done so far, and not after anything that is done from now on. */
export async function instant(): Promise<number> {
  const past = Date.now();
  while (Date.now() <= past) await new Promise(setImmediate);
  return Date.now();
}

export async function threadList(
  saver: BaseCheckpointSaver,
  options?: ThreadListOptions,
): Promise<ThreadInfo[]> {
  const found: ThreadInfo[] = [];
  for await (const info of manager(saver).listThreads(options)) found.push(info);
  return found;
}

export async function threadIds(saver: BaseCheckpointSaver, options?: ThreadListOptions): Promise<string[]> {
  return (await threadList(saver, options)).map(({ threadId }) => threadId);
}

/** Writes of one task, for a checkpoint. */
export async function write(
  saver: BaseCheckpointSaver,
  thread: string,
  id: string,
  value: unknown,
  { namespace = "", task = "task" } = {},
): Promise<void> {
  await saver.putWrites(configOf(thread, id, namespace), [["a", value]], task);
}
