import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { NotFoundError, UsageError } from "../command/errors.js";
import { configOf, nameOf, type OpenStore } from "../stores/store.js";

/** At least so much of an id must be written out. */
const SHORTEST = 4;
const LAST_CHARACTER = "\u{10ffff}";

/**
 * The checkpoint that is meant: the newest without a name; `~2` is the second before it along its parents; else an id,
 * or the beginning of one.
 */
export async function findCheckpoint(
  store: OpenStore,
  threadId: string,
  name: string | undefined,
  namespace = "",
): Promise<CheckpointTuple> {
  const [, steps] = /^~(\d+)$/.exec(name ?? "~0") ?? [];
  if (steps !== undefined) return ancestor(store, threadId, namespace, Number(steps));
  const exact = await store.saver.getTuple(configOf(threadId, { namespace, checkpointId: name! }));
  if (exact !== undefined) return exact;
  const found = name!.length < SHORTEST ? [] : await idsWith(store, threadId, namespace, name!);
  if (found.length > 1)
    throw new UsageError(
      `${found.length} checkpoints of the thread begin with that: ${found.slice(0, 5).join(", ")}${found.length > 5 ? ", …" : ""}`,
    );
  const [checkpointId] = found;
  const tuple =
    checkpointId === undefined
      ? undefined
      : await store.saver.getTuple(configOf(threadId, { namespace, checkpointId }));
  if (tuple === undefined)
    throw new NotFoundError(
      `There is no checkpoint ${JSON.stringify(name)} in thread ${JSON.stringify(threadId)}.`,
    );
  return tuple;
}

/** Savers list by descending id: those that begin so come one after the other, right below the greatest of them. */
async function idsWith(
  store: OpenStore,
  threadId: string,
  namespace: string,
  beginning: string,
): Promise<string[]> {
  const found: string[] = [];
  const config = { configurable: { thread_id: threadId, checkpoint_ns: namespace } };
  const before = { configurable: { checkpoint_id: `${beginning}${LAST_CHARACTER}` } };
  for await (const tuple of store.saver.list(config, { before })) {
    const { checkpointId } = nameOf(tuple);
    if (!checkpointId.startsWith(beginning)) break;
    found.push(checkpointId);
  }
  return found;
}

async function ancestor(
  store: OpenStore,
  threadId: string,
  namespace: string,
  steps: number,
): Promise<CheckpointTuple> {
  let tuple = await store.saver.getTuple({
    configurable: { thread_id: threadId, checkpoint_ns: namespace },
  });
  if (tuple === undefined) throw noThread(threadId, namespace);
  for (let step = 0; step < steps; step++) {
    const parent: CheckpointTuple | undefined =
      tuple.parentConfig === undefined ? undefined : await store.saver.getTuple(tuple.parentConfig);
    if (parent === undefined)
      throw new NotFoundError(
        `The newest checkpoint has ${step} stored ancestor${step === 1 ? "" : "s"}, not ${steps}.`,
      );
    tuple = parent;
  }
  return tuple;
}

export function noThread(threadId: string, namespace = ""): NotFoundError {
  const where = namespace === "" ? "" : ` with the namespace ${JSON.stringify(namespace)}`;
  return new NotFoundError(`There is no thread ${JSON.stringify(threadId)}${where}.`);
}
