import { randomUUID } from "node:crypto";

import type { RunnableConfig } from "@langchain/core/runnables";
import {
  maxChannelVersion,
  uuid6,
  type Checkpoint,
  type CheckpointMetadata,
} from "@langchain/langgraph-checkpoint";

import { describePlace, quoteId, SaverError } from "../errors.js";
import { collectorFor, type CollectorParts } from "../saver/collector.js";
import {
  invalid,
  kindOf,
  readFlag,
  readIds,
  readOptions,
  readThreadId,
  requireThreadId,
} from "../saver/config.js";
import { ancestorsOf } from "../saver/delta-history.js";
import { errorPlace } from "../saver/records.js";
import { keyOf, type Opened, type Skeleton } from "../saver/reader.js";
import type { Values } from "../saver/values.js";
import type { Writer } from "../saver/writer.js";
import type { CheckpointSelector, StoredCheckpoint } from "../store/port.js";
import { needsParent } from "./delta-needs.js";
import { Mover, type Changes } from "./moving.js";
import { pagesOf, threadExists, threadExistsAlready, type ThreadParts } from "./parts.js";

/** Options of `fork`. */
export interface ForkOptions {
  /**
   * New values of channels, in place of those that the checkpoint has (they do not go through reducers); `undefined`
   * takes a channel's value away. The fork then starts with a checkpoint of its own that has them, as a child of the copy.
   */
  edits?: Record<string, unknown>;
  /** The thread to make. Default: a new UUID. A fork that was interrupted leaves a part of it: delete that, and try again. */
  threadId?: string;
  /**
   * Copy the whole history that led to the checkpoint. Default false: only the checkpoint and what it needs (the state of
   * its subgraphs; ancestors that a DeltaChannel counts on).
   */
  history?: boolean;
}

export interface ForkParts extends ThreadParts, CollectorParts {
  values: Values;
  writer: Writer;
  nextVersion: (current: number | undefined) => number;
}

/** What is asked for, checked. */
export interface ForkRequest {
  selector: CheckpointSelector;
  target: string;
  edits: Record<string, unknown>;
  history: boolean;
}

export function readFork(config: RunnableConfig, given: ForkOptions | undefined): ForkRequest {
  const options = readOptions("fork", given);
  const ids = readIds("fork", config);
  const { namespace = "", checkpointId } = ids;
  const threadId = requireThreadId("fork", ids);
  const target = readThreadId("fork", options.threadId) ?? randomUUID();
  const { edits = {} } = options;
  const history = readFlag("fork", "history", options.history);
  if (target === threadId) throw invalid("fork", "`threadId` is the thread itself; name a new one, or none");
  if (typeof edits !== "object" || edits === null || Array.isArray(edits))
    throw invalid("fork", `\`edits\` must be an object of channel values, not ${kindOf(edits)}`);
  const selector = { threadId, namespace, ...(checkpointId === undefined ? {} : { checkpointId }) };
  return { selector, target, edits: { ...edits }, history };
}

/**
 * The request with edits of its own. They are dumped before anything is waited for, since the caller goes on changing
 * them, and before anything is made: what cannot be stored must not leave half a fork.
 */
export async function takeEdits({ values }: ForkParts, request: ForkRequest): Promise<ForkRequest> {
  const { selector, target } = request;
  const named = Object.entries(request.edits).map(([channel, value]) => ({
    channel,
    value,
    label: `channel ${quoteId(channel)}`,
    place: { threadId: target, checkpointNs: selector.namespace, channel },
  }));
  const dumped = await values.dumpAll(named);
  const edits = await Promise.all(
    named.map(async ({ channel, value, label, place }, at): Promise<[string, unknown]> => {
      // Not a value but the wish to have none.
      if (value === undefined) return [channel, undefined];
      return [channel, await values.load(...dumped[at]!, label, place)];
    }),
  );
  return { ...request, edits: Object.fromEntries(edits) };
}

/** The config of the new thread, without a checkpoint's id: LangGraph goes on from the newest, which is the fork. */
export async function fork(
  parts: ForkParts,
  { selector, target, edits, history }: ForkRequest,
): Promise<RunnableConfig> {
  const { store, reader, sealer } = parts;
  const [origin] = await store.getCheckpoints([selector]);
  if (origin!.checkpoint === undefined) throw checkpointNotFound(selector);
  if (await threadExists(store, target))
    throw threadExistsAlready("fork", target, "Name another one, or none.");

  const opened = reader.opened(origin!);
  const skeleton = await reader.unlessGone(origin!, () => reader.skeleton(opened));
  if (skeleton === undefined) throw checkpointNotFound(selector);
  const mover = new Mover(store, sealer, target);
  const copied = await moveAncestors(parts, mover, opened, history);
  await moveSubgraphs(parts, mover, opened, copied);
  const edited = Object.keys(edits).length > 0;
  // What its tasks wrote led to another state than the edited one.
  await moveOrigin(parts, mover, opened, skeleton, { ...orphaned(opened, copied), withoutWrites: edited });
  if (edited) await putEdits(parts, opened, target, edits);
  return { configurable: { thread_id: target, checkpoint_ns: selector.namespace } };
}

/** Those that the checkpoint cannot be loaded without, or all of them. Returns their ids, and the checkpoint's own. */
async function moveAncestors(
  { store, reader }: ThreadParts,
  mover: Mover,
  origin: Opened,
  history: boolean,
): Promise<Set<string>> {
  const key = keyOf(origin.stored);
  const copied = new Set([key.checkpointId]);
  const chain: Opened[] = [];
  let child = origin;
  for await (const stored of ancestorsOf(store, key)) {
    if (stored.checkpointId === key.checkpointId) continue;
    if (!history && !(await needsParent(reader, child))) break;
    child = reader.opened(stored);
    chain.push(child);
    copied.add(keyOf(stored).checkpointId);
  }
  for (const opened of chain.toReversed()) await mover.move(opened, orphaned(opened, copied));
  return copied;
}

/** The state of the subgraphs that ran from these checkpoints. */
async function moveSubgraphs(
  { store, reader }: ThreadParts,
  mover: Mover,
  { stored }: Opened,
  roots: ReadonlySet<string>,
): Promise<void> {
  const { threadId, namespace } = keyOf(stored);
  const below = namespace === "" ? "" : `${namespace}|`;
  for await (const page of pagesOf(store, { threadId })) {
    for (const each of page) {
      if (each.namespace === namespace || !each.namespace.startsWith(below)) continue;
      const opened = reader.opened(each);
      const skeleton = await reader.unlessGone(each, () => reader.skeleton(opened));
      const parents: unknown = skeleton?.metadata?.parents;
      const root: unknown = (parents as Record<string, unknown> | undefined)?.[namespace];
      if (typeof root === "string" && roots.has(root)) await mover.move(opened);
    }
  }
}

/** Last of all: until it is there, the new thread's newest checkpoint is none that could be taken for the fork. */
async function moveOrigin(
  parts: ForkParts,
  mover: Mover,
  opened: Opened,
  { checkpoint, metadata }: Skeleton,
  changes: Changes,
): Promise<void> {
  const key = keyOf(opened.stored);
  const { target } = mover;
  const marked = { ...metadata, forked_from: originOf(opened.stored) };
  const [dumped] = await parts.values.dumpAll([
    {
      value: { checkpoint, metadata: marked },
      label: "checkpoint's metadata",
      place: errorPlace({ ...key, threadId: target }),
    },
  ]);
  const collector = collectorFor(parts, target);
  const skeleton = collector.add(...dumped!);
  const chunks = [...collector.chunks.values()].map(({ plain, hash, index }) =>
    parts.sealer.sealChunk(target, plain, hash, index),
  );
  // Forked off just now, however old it is: a thread that somebody wants to go on with is not idle.
  await mover.move(opened, { ...changes, createdAt: Date.now(), skeleton, chunks });
}

/** A parent that stays behind in the other thread is none in this one. */
function orphaned({ open }: Opened, copied: ReadonlySet<string>): { parentId?: undefined } {
  return open.parentId === undefined || copied.has(open.parentId) ? {} : { parentId: undefined };
}

/** A child of the copy with the edits, each at a version that no node has seen. */
async function putEdits(
  { reader, writer, nextVersion }: ForkParts,
  { stored }: Opened,
  target: string,
  edits: Record<string, unknown>,
): Promise<void> {
  const key = { ...keyOf(stored), threadId: target };
  const tuple = await reader.getTuple(key);
  if (tuple === undefined) throw checkpointNotFound(key);
  const { checkpoint } = tuple;
  // It is no work of the run that put the original.
  const { run_id: _, ...metadata } = (tuple.metadata ?? {}) as CheckpointMetadata & { run_id?: unknown };
  const versions = checkpoint.channel_versions;
  const all = Object.values(versions) as number[];
  const version = nextVersion(all.length === 0 ? undefined : (maxChannelVersion(...all) as number));
  const channels = new Map(Object.entries(checkpoint.channel_values));
  const newVersions = new Map<string, number>();
  for (const [channel, value] of Object.entries(edits)) {
    newVersions.set(channel, version);
    if (value === undefined) channels.delete(channel);
    else channels.set(channel, value);
  }
  const step = (typeof metadata.step === "number" ? metadata.step : -1) + 1;
  const edited: Checkpoint = {
    ...checkpoint,
    // The tasks to come are a channel of it now, not writes of its parent.
    v: Math.max(checkpoint.v, 4),
    id: uuid6(Math.max(step, 0)),
    ts: new Date().toISOString(),
    // Not by assignment, which would take a channel called `__proto__` for something else.
    channel_values: Object.fromEntries(channels),
    channel_versions: Object.fromEntries([...Object.entries(versions), ...newVersions]),
  };
  await writer.put({
    key: { ...key, checkpointId: edited.id },
    parentId: key.checkpointId,
    checkpoint: edited,
    metadata: { ...metadata, source: "fork", step },
    newVersions: Object.fromEntries(newVersions),
    runId: undefined,
  });
}

function originOf(stored: StoredCheckpoint): Record<string, string> {
  const { threadId, namespace, checkpointId } = keyOf(stored);
  return { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId };
}

function checkpointNotFound({ threadId, namespace, checkpointId }: CheckpointSelector): SaverError {
  const place = {
    threadId,
    checkpointNs: namespace,
    ...(checkpointId === undefined ? {} : { checkpointId }),
  };
  return new SaverError("NOT_FOUND", `fork: there is no such checkpoint (${describePlace(place)}).`, place);
}
