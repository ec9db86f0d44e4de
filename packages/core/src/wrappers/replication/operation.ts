import type { RunnableConfig } from "@langchain/core/runnables";
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  PendingWrite,
  SerializerProtocol,
} from "@langchain/langgraph-checkpoint";

import { quoteId, type ErrorPlace } from "../../errors.js";
import { givenThreadId } from "../../saver/config.js";
import { readPut, readPutWrites } from "../../saver/inputs.js";
import { errorPlace } from "../../saver/records.js";
import { Values, type Dumped, type NamedValue } from "../../saver/values.js";
import type { CheckpointKey } from "../../store/port.js";
import type { AnySaver } from "./options.js";

/** What `put` returns, and the others do not. */
export type Answer = RunnableConfig | undefined;

/** One write, with its values as they were at the call. */
export interface Operation {
  readonly kind: "put" | "putWrites" | "deleteThread";
  readonly threadId: string;
  /** The checkpoint it belongs to; undefined for the whole thread. */
  readonly checkpoint: string | undefined;
  /** What it changes. Two operations on one target keep their order on both sides. */
  readonly target: string;
  /** What it takes in memory, about. */
  readonly bytes: number;
  /** `isStored` tells which checkpoints of the thread the saver is known to have. */
  apply(saver: AnySaver, isStored: (checkpoint: string) => boolean): Promise<Answer>;
}

/** `putWrites` as LangGraph 1.7 calls it, with the path of the task. */
type PutWrites = (
  config: RunnableConfig,
  writes: PendingWrite[],
  taskId: string,
  ...taskPath: string[]
) => Promise<void>;

const OVERHEAD_BYTES = 500;

/** The order of two operations counts where one deletes the thread, or both change the same thing. */
export function conflicts(a: Operation, b: Operation): boolean {
  return a.kind === "deleteThread" || b.kind === "deleteThread" || a.target === b.target;
}

function checkpointName(namespace: string, checkpointId: string): string {
  return JSON.stringify([namespace, checkpointId]);
}

/**
 * Makes operations of calls. Everything is read off the arguments before this returns: the caller goes on changing them.
 * A promise only where the serializer is asynchronous.
 */
export class Capture {
  readonly #values: Values;

  constructor(serde: SerializerProtocol) {
    this.#values = new Values(serde);
  }

  put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Operation | Promise<Operation> {
    const { key, parentId } = readPut(config, checkpoint);
    const place = errorPlace(key);
    const { channel_values: values, ...skeleton } = checkpoint;
    const channels = Object.keys(values ?? {});
    const parent = parentId === undefined ? undefined : { ...key, checkpointId: parentId };
    const copied = plainConfig(config);
    const changed = { ...newVersions };
    const named = channels.map((channel) => {
      return { value: values[channel], label: `channel ${quoteId(channel)}`, place: { ...place, channel } };
    });
    const rest = { value: { skeleton, metadata }, label: "checkpoint's metadata", place };
    return this.#captured([rest, ...named], (dumped) => {
      return operation("put", key, "put", dumped, async (saver, isStored) => {
        const [head, ...loaded] = await this.#load(dumped, [rest, ...named]);
        const { skeleton: own, metadata: meta } = head as {
          skeleton: Omit<Checkpoint, "channel_values">;
          metadata: CheckpointMetadata;
        };
        const channelValues = Object.fromEntries(channels.map((channel, at) => [channel, loaded[at]]));
        const whole = { ...own, channel_values: channelValues };
        const carried = carriedVersions(whole, changed);
        // A saver that lacks the parent cannot take unchanged channels from it: for it, all of them are new.
        const isCarried =
          parent === undefined ||
          Object.keys(carried).length === 0 ||
          isStored(checkpointName(parent.namespace, parent.checkpointId)) ||
          (await saver.getTuple(placeOf(parent))) !== undefined;
        return saver.put(copied, whole, meta, isCarried ? changed : { ...carried, ...changed });
      });
    });
  }

  putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath: string | undefined,
  ): Operation | Promise<Operation> {
    const { key } = readPutWrites(config, writes, taskId, taskPath);
    const copied = plainConfig(config);
    const path = taskPath === undefined ? [] : [taskPath];
    const channels = writes.map(([channel]) => channel);
    const named = writes.map(([channel, value]) => {
      const place = { ...errorPlace(key), taskId, channel };
      return { value, label: `write to channel ${quoteId(channel)}`, place };
    });
    return this.#captured(named, (dumped) => {
      return operation("putWrites", key, `writes of ${taskId}`, dumped, async (saver) => {
        const loaded = await this.#load(dumped, named);
        const batch = channels.map((channel, at): PendingWrite => [channel, loaded[at]]);
        await (saver.putWrites.bind(saver) as PutWrites)(copied, batch, taskId, ...path);
        return undefined;
      });
    });
  }

  deleteThread(threadId: string): Operation {
    return {
      kind: "deleteThread",
      threadId: givenThreadId("deleteThread", threadId),
      checkpoint: undefined,
      target: "thread",
      bytes: OVERHEAD_BYTES,
      apply: async (saver) => {
        await saver.deleteThread(threadId);
        return undefined;
      },
    };
  }

  #captured(values: NamedValue[], make: (dumped: Dumped[]) => Operation): Operation | Promise<Operation> {
    const dumped = this.#values.dumpAll(values);
    // What is kept for messages is the names, not the caller's values.
    for (const each of values) each.value = undefined;
    return dumped instanceof Promise ? dumped.then(make) : make(dumped);
  }

  #load(dumped: Dumped[], names: { label: string; place: ErrorPlace }[]): Promise<unknown[]> {
    return Promise.all(
      dumped.map(([type, bytes], at) => {
        return this.#values.load(type, bytes, names[at]!.label, names[at]!.place);
      }),
    );
  }
}

function operation(
  kind: "put" | "putWrites",
  { threadId, namespace, checkpointId }: CheckpointKey,
  what: string,
  dumped: Dumped[],
  apply: Operation["apply"],
): Operation {
  const checkpoint = checkpointName(namespace, checkpointId);
  const bytes = dumped.reduce((sum, [, data]) => sum + data.byteLength, OVERHEAD_BYTES);
  return { kind, threadId, checkpoint, target: `${checkpoint} ${what}`, bytes, apply };
}

/** The versions of the channels that have a value and did not change. */
function carriedVersions(
  { channel_values, channel_versions }: Checkpoint,
  changed: ChannelVersions,
): ChannelVersions {
  const versions = Object.entries(channel_versions ?? {});
  return Object.fromEntries(
    versions.filter(([name]) => Object.hasOwn(channel_values, name) && !Object.hasOwn(changed, name)),
  );
}

function placeOf({ threadId, namespace, checkpointId }: CheckpointKey): RunnableConfig {
  return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } };
}

/**
 * What of a config outlives its call: plain data. A run's functions and stores would be kept alive by the queue, and its
 * signal would abort a copy that is made later.
 */
function plainConfig(config: RunnableConfig): RunnableConfig {
  const { configurable, metadata } = config;
  return {
    configurable: plainEntries(configurable),
    ...(metadata === undefined ? {} : { metadata: plainEntries(metadata) }),
  };
}

function plainEntries(record: Record<string, unknown> | undefined): Record<string, unknown> {
  const plain = ["string", "number", "boolean"];
  return Object.fromEntries(Object.entries(record ?? {}).filter(([, value]) => plain.includes(typeof value)));
}
