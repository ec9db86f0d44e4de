import { createHash } from "node:crypto";

import type { CheckpointKey } from "@langgraph-savers/core";

import type { KeyRange } from "../table/table.js";

/**
 * The keys of items. `#` ends each part of a sort key; whatever in an id sorts up to the escape character `$` is
 * escaped, so that ids keep their order (that of their UTF-8 bytes), no two lists of parts give the same key, and the
 * ids of LangGraph stay readable. DynamoDB caps a sort key at 1,024 bytes and a partition key at 2,048: a part that is
 * too long is hashed, and the item then has the id itself in an attribute.
 */
const ESCAPED = /[\0-$]/g;
/** Follows the escape character in no escaped character. */
const HASHED = "$~";
const MAX_THREAD = 1_024;
const MAX_NAMESPACE = 430;
const MAX_ID = 360;
const ID_PREFIX = 300;
const MAX_TASK = 160;

/** In front of partition keys that have a thread's id, or only its hash. */
export const READABLE_THREADS = "T#";
export const HASHED_THREADS = "H#";

/** What a partition holds, in the order of its keys: from chunks to the generation it is the thread's data. */
export const CHUNKS = "B#";
export const CHECKPOINTS = "C#";
export const RELEASES = "D#";
export const EXPIRY_KEY = "E";
export const GENERATION_KEY = "G";
const REGISTERS = "R#";

/** All that is stored for a thread, save its registers. */
export const THREAD_DATA: KeyRange = { from: CHUNKS, to: GENERATION_KEY };

export interface ParsedKey {
  /** Undefined where the key has only a hash of it. */
  namespace: string | undefined;
  checkpointId: string | undefined;
  /** Absent: the checkpoint itself. Undefined: the writes of a task whose id is hashed. */
  taskId?: string | undefined;
}

export function threadKey(threadId: string): string {
  return Buffer.byteLength(threadId) <= MAX_THREAD
    ? `${READABLE_THREADS}${threadId}`
    : `${HASHED_THREADS}${hash(threadId)}`;
}

/** The thread's id, unless the key has only its hash. */
export function threadOf(partitionKey: string): string | undefined {
  return partitionKey.startsWith(READABLE_THREADS) ? partitionKey.slice(READABLE_THREADS.length) : undefined;
}

/** In front of all that is stored for the namespace. */
export function namespacePrefix(namespace: string): string {
  return `${CHECKPOINTS}${equalityPart(namespace, MAX_NAMESPACE)}#`;
}

/** The checkpoint's own key, and in front of those of its writes. */
export function checkpointKey({ namespace, checkpointId }: Omit<CheckpointKey, "threadId">): string {
  return `${namespacePrefix(namespace)}${idPart(checkpointId)}#`;
}

export function writesKey(key: CheckpointKey, taskId: string): string {
  return `${checkpointKey(key)}t${equalityPart(taskId, MAX_TASK)}`;
}

export function chunkKey(generation: string, name: string): string {
  return `${CHUNKS}${generation}#${name}`;
}

/** In front of what was released in a generation; the keys sort by time. */
export function releasePrefix(generation: string): string {
  return `${RELEASES}${generation}#`;
}

export function registerKey(name: string): string {
  return `${REGISTERS}${name}`;
}

/** The key of the checkpoint that an item of either kind belongs to. */
export function ownerKey(sortKey: string): string {
  return sortKey.slice(0, sortKey.lastIndexOf("#") + 1);
}

/**
 * The part of a key that stands for a checkpoint's id: sorts as the id does. Ids that do not fit (more than 360 bytes)
 * sort by their first 300 bytes.
 */
export function idPart(id: string): string {
  const escaped = escape(id);
  return Buffer.byteLength(escaped) <= MAX_ID ? escaped : `${prefixOf(id)}${HASHED}${hash(id)}`;
}

/** At least as great as every key of the namespace with a lesser id. */
export function below(namespace: string, checkpointId: string): string {
  const part = idPart(checkpointId);
  return `${namespacePrefix(namespace)}${part.includes(HASHED) ? endOf(prefixOf(checkpointId)) : part}`;
}

/** Greater than every key that starts with the prefix. */
export function endOf(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}

/** All keys that start with the prefix. */
export function within(prefix: string): KeyRange {
  return { from: prefix, to: endOf(prefix) };
}

export function parseKey(sortKey: string): ParsedKey {
  const [, namespace, checkpointId, task] = sortKey.split("#");
  return {
    namespace: unescape(namespace!),
    checkpointId: unescape(checkpointId!),
    ...(task ? { taskId: unescape(task.slice(1)) } : {}),
  };
}

export function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function equalityPart(id: string, max: number): string {
  const escaped = escape(id);
  return Buffer.byteLength(escaped) <= max ? escaped : `${HASHED}${hash(id)}`;
}

function prefixOf(id: string): string {
  let prefix = "";
  let size = 0;
  for (const character of id) {
    const part = escape(character);
    size += Buffer.byteLength(part);
    if (size > ID_PREFIX) break;
    prefix += part;
  }
  return prefix;
}

function escape(id: string): string {
  return id.replaceAll(ESCAPED, (character) => `$${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function unescape(part: string): string | undefined {
  if (part.includes(HASHED)) return undefined;
  return part.replaceAll(/\$(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
