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
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import { afterEach, beforeEach, expect } from "vitest";

import type { SaverUnderTest } from "../saver-under-test.js";

/** A subject that can also be made with a serializer of the test's own. Tests that need one exist only where it can. */
export interface ContractSubject extends SaverUnderTest {
  createWith?(options: { serde?: SerializerProtocol }): Promise<BaseCheckpointSaver> | BaseCheckpointSaver;
}

/** The savers of one test: all of them are destroyed after it, the reopened ones first. */
export interface Savers {
  /** The test's saver, over empty data. */
  (): BaseCheckpointSaver;
  reopen(): Promise<BaseCheckpointSaver>;
  createWith(options: { serde?: SerializerProtocol }): Promise<BaseCheckpointSaver>;
}

export function useSavers(subject: ContractSubject): Savers {
  const open: BaseCheckpointSaver[] = [];
  const track = (saver: BaseCheckpointSaver): BaseCheckpointSaver => {
    open.push(saver);
    return saver;
  };
  beforeEach(async () => {
    track(await subject.create());
  });
  afterEach(async () => {
    for (const saver of open.splice(0).toReversed()) await subject.destroy?.(saver);
  });
  const first = (): BaseCheckpointSaver => open[0]!;
  return Object.assign(first, {
    reopen: async () => track(await subject.reopen!(first())),
    createWith: async (options: { serde?: SerializerProtocol }) => track(await subject.createWith!(options)),
  });
}

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
  expect(tuple, `checkpoint ${id ?? "(latest)"} is stored`).toBeDefined();
  return tuple!;
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

/** Runs what must fail, also where it throws at once, and returns the error: it has a stable `code` and a message. */
export async function refusal(action: () => unknown): Promise<Error & { code: string }> {
  const outcome = await settle(action);
  expect(outcome, "the call is refused").toHaveProperty("error");
  expect(outcome.error).toBeInstanceOf(Error);
  const error = outcome.error as Error & { code: string };
  expect(typeof error.code, `a string code on: ${error.message}`).toBe("string");
  expect(error.message).not.toBe("");
  return error;
}

/** What became of a call that is allowed to fail. */
export async function settle(action: () => unknown): Promise<{ value?: unknown; error?: unknown }> {
  try {
    return { value: await action() };
  } catch (error) {
    return { error };
  }
}
