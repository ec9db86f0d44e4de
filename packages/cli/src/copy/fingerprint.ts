import { createHash } from "node:crypto";

import { TASKS } from "@langchain/langgraph-checkpoint";
import { Serializer, type TaskWrite } from "@langgraph-savers/core";

import type { Entry } from "./entry.js";

const serializer = new Serializer();

export interface Fingerprint {
  hash: string;
  /** Of all values and writes, serialised. */
  bytes: number;
}

/** Two entries with the same one are the same in every part. Others may be too: see `partsOf`. */
export function fingerprint(entry: Entry): Fingerprint {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const [name, value] of sections(entry)) {
    const [type, data] = serializer.dump(value);
    hash.update(`${name.length} ${name} ${type} ${data.byteLength} `).update(data);
    bytes += data.byteLength;
  }
  return { hash: hash.digest("base64url"), bytes };
}

/**
 * A hash for each part of an entry, by its name in words. Objects count as the same whatever the order of their keys:
 * some databases sort them.
 */
export function partsOf(entry: Entry): Map<string, string> {
  const parts = new Map<string, string>();
  for (const [name, value] of sections(entry)) {
    const [type, data] = serializer.dump(value);
    const text = type === "json" ? JSON.stringify(sorted(JSON.parse(Buffer.from(data).toString()))) : data;
    parts.set(name, createHash("sha256").update(type).update(text).digest("base64url"));
  }
  return parts;
}

/** The names of the parts in which two entries differ. */
export function differences(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
}

/** All that is stored of an entry, in an order that no store has a say in. */
function* sections({ parentId, checkpoint, metadata, tasks }: Entry): Generator<[string, unknown]> {
  const { channel_values: values, channel_versions: versions, versions_seen: seen, ...rest } = checkpoint;
  // Before version 4 of the format this channel is filled in by some savers on reading, from the parent's writes.
  const isFilled = checkpoint.v < 4 && parentId !== undefined;
  const kept = (record: Record<string, unknown>) =>
    Object.entries(record)
      .filter(([name]) => !(isFilled && name === TASKS))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  yield ["parent", parentId ?? null];
  yield ["checkpoint", { ...rest, channel_versions: kept(versions), versions_seen: kept(seen) }];
  yield ["metadata", Object.entries(metadata ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))];
  for (const [name, value] of kept(values)) yield [`channel ${JSON.stringify(name)}`, value];
  for (const { taskId, writes } of tasks.toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1)))
    yield [`writes of task ${taskId}`, writes.toSorted(byIdx).map(({ channel, value }) => [channel, value])];
}

function byIdx(a: TaskWrite, b: TaskWrite): number {
  return a.idx - b.idx;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Not an object again: one of its keys may be `__proto__`.
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}
