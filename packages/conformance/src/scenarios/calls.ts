import type { RunnableConfig } from "@langchain/core/runnables";
import {
  uuid6,
  type BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";

import { brief } from "../brief.js";
import { CheckFailure, check, equal } from "../check.js";

let steps = 0;
let lastId = "";

/** Ids that ascend in the order in which they are asked for, as a running graph's do (its steps are the clock sequence). */
export function newId(): string {
  let id: string;
  do id = uuid6((steps += 1));
  while (id <= lastId);
  lastId = id;
  return id;
}

export function configOf(
  threadId?: unknown,
  checkpointId?: unknown,
  namespace: unknown = "",
): RunnableConfig {
  const configurable: Record<string, unknown> = { checkpoint_ns: namespace };
  if (threadId !== undefined) configurable["thread_id"] = threadId;
  if (checkpointId !== undefined) configurable["checkpoint_id"] = checkpointId;
  return { configurable };
}

/** The config that a saver returns: these three keys and no other. */
export function threeKeys(threadId: string, checkpointId: string, namespace = ""): RunnableConfig {
  return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } };
}

/** A checkpoint whose channels are all at version 1, unless told. */
export function checkpointOf(
  values: Record<string, unknown> = {},
  overrides: Partial<Checkpoint> = {},
): Checkpoint {
  return {
    v: 4,
    id: newId(),
    ts: "2026-01-02T03:04:05.678Z",
    channel_values: values,
    channel_versions: Object.fromEntries(Object.keys(values).map((channel) => [channel, 1])),
    versions_seen: {},
    ...overrides,
  };
}

/** Metadata as the loop makes it; `extra` stands for whatever else a caller adds. */
export function metadataOf(extra: Record<string, unknown> = {}): CheckpointMetadata {
  return { source: "loop", step: 0, parents: {}, ...extra };
}

export interface PutOptions {
  namespace?: string;
  parent?: string;
  id?: string;
  values?: Record<string, unknown>;
  versions?: ChannelVersions;
  /** The channels that changed; all that have a version, unless told. */
  changed?: string[];
  metadata?: Record<string, unknown>;
  v?: number;
}

/** Puts one checkpoint and returns its id. */
export async function putOne(
  saver: BaseCheckpointSaver,
  threadId: string,
  options: PutOptions = {},
): Promise<string> {
  const checkpoint = checkpointOf(options.values);
  if (options.id !== undefined) checkpoint.id = options.id;
  if (options.v !== undefined) checkpoint.v = options.v;
  if (options.versions !== undefined) checkpoint.channel_versions = options.versions;
  const changed = options.changed ?? Object.keys(checkpoint.channel_versions);
  const newVersions = Object.fromEntries(
    changed.map((channel) => [channel, checkpoint.channel_versions[channel]!]),
  );
  const config = configOf(threadId, options.parent, options.namespace ?? "");
  await saver.put(config, checkpoint, metadataOf(options.metadata), newVersions);
  return checkpoint.id;
}

/** `putWrites` as LangGraph 1.7 calls it, with the path of the task. */
export type PutWritesWithPath = (
  config: RunnableConfig,
  writes: PendingWrite[],
  taskId: string,
  taskPath?: string,
) => Promise<void>;

export async function getOne(
  saver: BaseCheckpointSaver,
  threadId: string,
  id?: string,
  namespace = "",
): Promise<CheckpointTuple> {
  const tuple = await saver.getTuple(configOf(threadId, id, namespace));
  check(tuple !== undefined, `checkpoint ${id ?? "(latest)"} of namespace "${namespace}" is found`);
  return tuple;
}

export async function valuesOf(
  saver: BaseCheckpointSaver,
  threadId: string,
  id?: string,
  namespace = "",
): Promise<Record<string, unknown>> {
  return (await getOne(saver, threadId, id, namespace)).checkpoint.channel_values;
}

export async function writesOf(
  saver: BaseCheckpointSaver,
  threadId: string,
  id: string,
  namespace = "",
): Promise<CheckpointPendingWrite[]> {
  return (await getOne(saver, threadId, id, namespace)).pendingWrites ?? [];
}

/** The same writes, in whatever order: the order has a scenario of its own. */
export function sameWrites(actual: CheckpointPendingWrite[], expected: CheckpointPendingWrite[]): void {
  equal(sortedWrites(actual), sortedWrites(expected), "the writes");
}

function sortedWrites(writes: CheckpointPendingWrite[]): CheckpointPendingWrite[] {
  return writes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

export async function listAll(
  saver: BaseCheckpointSaver,
  config: RunnableConfig,
  options?: CheckpointListOptions,
): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list(config, options)) tuples.push(tuple);
  return tuples;
}

export async function listIds(
  saver: BaseCheckpointSaver,
  config: RunnableConfig,
  options?: CheckpointListOptions,
): Promise<string[]> {
  return (await listAll(saver, config, options)).map((tuple) => tuple.checkpoint.id);
}

/** The same ids, in whatever order: the order has scenarios of its own. */
export function sameIds(actual: readonly string[], expected: readonly string[]): void {
  equal(actual.toSorted(), expected.toSorted(), "the ids");
}

/** Runs what must fail, also where it throws at once, and returns the error. */
export async function refusal(action: () => unknown, askedForBy?: string, what = "A call"): Promise<Error> {
  const outcome = await settle(action);
  if (!("error" in outcome)) {
    // Where another scenario asks for the refusal, this one only misses what it wants to look at.
    const message =
      askedForBy === undefined
        ? `${what} that must be refused was not`
        : `Nothing was refused, so that there is no refusal to look at: see \`${askedForBy}\``;
    throw new CheckFailure(message, "a clear error", brief(outcome.value));
  }
  return clearError(outcome.error);
}

/** A refusal with a stable code: what the contract asks of every error. */
export async function codedRefusal(action: () => unknown): Promise<Error & { code: string }> {
  const error = (await refusal(action)) as Error & { code?: unknown };
  if (typeof error.code !== "string") {
    throw new CheckFailure(
      "An error has no code",
      "an Error with a string `code`",
      `${error.name}: ${error.message}`,
    );
  }
  return error as Error & { code: string };
}

/** What was thrown is an Error that says something. */
export function clearError(thrown: unknown): Error {
  if (!(thrown instanceof Error) || thrown.message === "") {
    throw new CheckFailure("What was thrown is no clear error", "an Error with a message", brief(thrown));
  }
  return thrown;
}

/** What became of a call that is allowed to fail. */
export async function settle(action: () => unknown): Promise<{ value?: unknown; error?: unknown }> {
  try {
    return { value: await action() };
  } catch (error) {
    return { error };
  }
}

/** Text that does not compress away and is the same in every run. */
export function noise(length: number, seed = 1): string {
  const letters: string[] = [];
  let state = seed >>> 0 || 1;
  for (let at = 0; at < length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    letters.push(String.fromCharCode(33 + ((state >>> 0) % 90)));
  }
  return letters.join("");
}
