import { Serializer, type TaskWrites } from "@langgraph-savers/core";

import type { Entry } from "../copy/entry.js";
import type { CheckpointName } from "../stores/store.js";

/**
 * The portable form: a file of JSON lines. A header; for each thread a line that names it and its checkpoints, a line
 * for each checkpoint, oldest first, and a line that ends it; then a line that ends the file, with a hash of all before
 * it, so that a file that was cut or changed is found out.
 */
export const VERSION = 1;

export interface Header {
  format: "langgraph-savers";
  version: number;
  createdAt: string;
  /** Where it came from, without secrets. */
  source: string;
}

export interface ThreadLine {
  thread: string;
  checkpoints: [namespace: string, checkpointId: string][];
}

export interface CheckpointLine {
  checkpoint: string;
  ns: string;
  parent: string | null;
  /** All of the checkpoint but its values. */
  state: Value;
  metadata: Value;
  /** Pairs, since a channel may be called anything. */
  values: [channel: string, value: Value][];
  writes: { task: string; path: string; writes: [idx: number, channel: string, value: Value][] }[];
}

export interface ThreadEndLine {
  threadEnd: string;
}

export interface EndLine {
  end: { threads: number; checkpoints: number; sha256: string };
}

/** What the pack's serializer makes of a value: JSON as it is, anything else as bytes. */
type Value = { json: unknown } | { type: string; base64: string };

const serializer = new Serializer();
const CANNOT_BE_WRITTEN = "cannot be written as data";

export function encodeEntry(entry: Entry): CheckpointLine {
  const { channel_values: values, ...state } = entry.checkpoint;
  return {
    checkpoint: entry.checkpointId,
    ns: entry.namespace,
    parent: entry.parentId ?? null,
    state: encode(state, "the checkpoint"),
    metadata: encode(entry.metadata ?? {}, "the metadata"),
    values: Object.entries(values).map(([name, value]) => [name, encode(value, `channel ${name}`)]),
    writes: entry.tasks.map(({ taskId, taskPath, writes }) => ({
      task: taskId,
      path: taskPath,
      writes: writes.map(({ idx, channel, value }) => [idx, channel, encode(value, `a write to ${channel}`)]),
    })),
  };
}

export async function decodeEntry(line: CheckpointLine): Promise<Entry> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of line.values)
    // An assignment to `__proto__` would not make a key.
    Object.defineProperty(values, name, {
      value: await decode(value),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  const tasks: TaskWrites[] = [];
  for (const { task, path, writes } of line.writes) {
    const own: TaskWrites = { taskId: task, taskPath: path, writes: [] };
    for (const [idx, channel, value] of writes) own.writes.push({ idx, channel, value: await decode(value) });
    tasks.push(own);
  }
  return {
    namespace: line.ns,
    checkpointId: line.checkpoint,
    parentId: line.parent ?? undefined,
    checkpoint: { ...((await decode(line.state)) as Entry["checkpoint"]), channel_values: values },
    metadata: (await decode(line.metadata)) as NonNullable<Entry["metadata"]>,
    tasks,
  };
}

export function namesOf({ checkpoints }: ThreadLine): CheckpointName[] {
  return checkpoints.map(([namespace, checkpointId]) => ({ namespace, checkpointId }));
}

function encode(value: unknown, what: string): Value {
  try {
    const [type, data] = serializer.dump(value);
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return type === "json"
      ? { json: JSON.parse(bytes.toString()) as unknown }
      : { type, base64: bytes.toString("base64") };
  } catch (cause) {
    throw new Error(
      `${what} ${CANNOT_BE_WRITTEN}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}

/** Loading resolves nothing that is named in the data beyond the serializer's closed list. */
async function decode(value: Value): Promise<unknown> {
  if ("json" in value) return serializer.load("json", Buffer.from(JSON.stringify(value.json)));
  return serializer.load(value.type, Buffer.from(value.base64, "base64"));
}
