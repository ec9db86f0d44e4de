import { randomBytes } from "node:crypto";

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import {
  listedHashes,
  type CheckpointKey,
  type CheckpointRecord,
  type Chunk,
  type WriteSlot,
  type WritesRecord,
} from "@langgraph-savers/core";

import type { Extent } from "../s3/packs.js";
import type { Item } from "../table/table.js";
import { checkpointKey, chunkKey, parseKey, threadKey, threadOf, writesKey } from "./keys.js";

/**
 * How records are laid out in items. Attribute names count for the size of an item, so they are short:
 *
 * | name  | in                 | what |
 * | `v`   | checkpoints, writes | revision: random, new with every change; deletions are conditional on it |
 * | `g`   | checkpoints, writes | generation of the chunks referred to; absent where there are none |
 * | `b`   | checkpoints, slots  | body |
 * | `c`   | checkpoints, slots  | hashes of chunks, 20 bytes each |
 * | `z`   | checkpoints, slots  | instead of `b` and `c`: `[name, parts, bytes of c, of b]` of a body that is too large for an item |
 * | `t`   | checkpoints, chunks | when it was put; when it was last sent |
 * | `p`, `s`, `e`, `r` | checkpoints | parent, source, step, run |
 * | `o`   | writes              | names of slots in the order in which they came; those that came again are in it again |
 * | `=…`  | writes              | a slot |
 * | `d`   | chunks              | the bytes; `l`: how many; `x`: it is an index chunk |
 * | `q`   | chunks              | instead of `d`: `[object, start]` of the bytes in S3 |
 * | `h`, `n`, `i`, `w` | all     | thread, namespace, checkpoint, task, where the key has only a hash of it |
 * | `ttl` | all                 | when it expires, in seconds since the epoch |
 * | `ix`  | checkpoints         | partition of the index of threads, where there is one |
 * | `rx`  | checkpoints         | the run as the index of runs knows it, where there is one |
 *
 * What `releases.ts`, `registers.ts`, `generations.ts` and `expiry.ts` keep is said there.
 */
const SLOT = "=";

/** Where the parts of a body too large for its item are. */
export interface Spill {
  name: string;
  parts: number;
  hashBytes: number;
  bodyBytes: number;
}

/** The bytes of a record or slot: in the item, or spilled. */
export interface Content {
  chunks: string[];
  body: Uint8Array;
  spill?: Spill;
}

/** What a record or a slot needs: chunks by hash, and the parts of its own body. */
export interface References {
  hashes: string[];
  spills: Spill[];
}

export function newRevision(): string {
  return randomBytes(9).toString("base64url");
}

export function generationOf(item: Item): string | undefined {
  return item["g"]?.S;
}

export function revisionOf(item: Item): string | undefined {
  return item["v"]?.S;
}

/** Condition: the item is still the revision that was seen. */
export function unchanged(item: Item): {
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Item;
} {
  return {
    ConditionExpression: "#v = :seen",
    ExpressionAttributeNames: { "#v": "v" },
    ExpressionAttributeValues: { ":seen": item["v"]! },
  };
}

/** Keys, and the ids that do not fit into them. */
export function identity(key: CheckpointKey, taskId?: string): Item {
  const PK = threadKey(key.threadId);
  const SK = taskId === undefined ? checkpointKey(key) : writesKey(key, taskId);
  const parsed = parseKey(SK);
  return {
    PK: { S: PK },
    SK: { S: SK },
    ...(threadOf(PK) === undefined ? { h: { S: key.threadId } } : {}),
    ...(parsed.namespace === undefined ? { n: { S: key.namespace } } : {}),
    ...(parsed.checkpointId === undefined ? { i: { S: key.checkpointId } } : {}),
    ...(taskId !== undefined && parsed.taskId === undefined ? { w: { S: taskId } } : {}),
  };
}

export function threadIdOf(item: Item): string {
  return threadOf(item["PK"]!.S!) ?? item["h"]!.S!;
}

/** The key of the checkpoint that the item is, or belongs to. */
export function keyOf(item: Item): CheckpointKey {
  const { namespace, checkpointId } = parseKey(item["SK"]!.S!);
  return {
    threadId: threadIdOf(item),
    namespace: namespace ?? item["n"]!.S!,
    checkpointId: checkpointId ?? item["i"]!.S!,
  };
}

export function isCheckpoint(item: Item): boolean {
  return item["SK"]!.S!.endsWith("#");
}

export function checkpointItem(record: CheckpointRecord, content: Content, generation?: string): Item {
  const { parentId, createdAt, labels } = record;
  return {
    ...identity(record),
    v: { S: newRevision() },
    t: { N: String(createdAt) },
    ...(generation === undefined ? {} : { g: { S: generation } }),
    ...(parentId === undefined ? {} : { p: { S: parentId } }),
    ...(labels.source === undefined ? {} : { s: { S: labels.source } }),
    ...(labels.step === undefined ? {} : { e: { N: String(labels.step) } }),
    ...(labels.runId === undefined ? {} : { r: { S: labels.runId } }),
    ...packContent(content),
  };
}

export function checkpointOf(item: Item): CheckpointRecord {
  const { chunks, body } = contentOf(item);
  return {
    ...keyOf(item),
    ...(item["p"] === undefined ? {} : { parentId: item["p"].S! }),
    createdAt: Number(item["t"]!.N),
    labels: {
      ...(item["s"] === undefined ? {} : { source: item["s"].S! }),
      ...(item["e"] === undefined ? {} : { step: Number(item["e"].N) }),
      ...(item["r"] === undefined ? {} : { runId: item["r"].S! }),
    },
    chunks,
    body,
  };
}

export function slotAttribute(name: string): string {
  return `${SLOT}${name}`;
}

export function packSlot(content: Content): AttributeValue {
  return { M: packContent(content) };
}

export function slotOrder(names: string[]): AttributeValue {
  return { L: names.map((S) => ({ S })) };
}

/** Slots in the order in which they were first stored; whether they may be replaced is a matter of those who write. */
export function writesOf(item: Item): WritesRecord {
  const { taskId } = parseKey(item["SK"]!.S!);
  const names = new Set((item["o"]?.L ?? []).map(({ S }) => S!));
  const slots: WriteSlot[] = [];
  for (const name of names) {
    const slot = item[slotAttribute(name)]?.M;
    if (slot !== undefined) slots.push({ name, replace: false, ...contentOf(slot) });
  }
  return { ...keyOf(item), taskId: taskId ?? item["w"]!.S!, slots };
}

/** Where an item has content: the checkpoint itself, and every slot of writes. */
function partsOf(item: Item): Item[] {
  const slots = Object.entries(item).flatMap(([name, value]) =>
    name.startsWith(SLOT) && value.M !== undefined ? [value.M] : [],
  );
  return [item, ...slots];
}

/** The parts of an item whose bytes are spilled. */
export function spilledParts(item: Item): Item[] {
  return partsOf(item).filter((part) => part["z"] !== undefined);
}

/** What an item refers to, without what is in the parts of spilled bodies. */
export function referencesOf(item: Item): References {
  return {
    hashes: partsOf(item).flatMap((part) => contentOf(part).chunks),
    spills: spilledParts(item).map(spillOf),
  };
}

/** Bytes of the bodies in an item, spilled ones included. */
export function bytesOfBodies(item: Item): number {
  return partsOf(item).reduce(
    (sum, part) => sum + (part["z"] ? spillOf(part).bodyBytes : (part["b"]?.B?.byteLength ?? 0)),
    0,
  );
}

export function spillOf(part: Item): Spill {
  const [name, ...numbers] = part["z"]!.L!;
  const [parts, hashBytes, bodyBytes] = numbers.map(({ N }) => Number(N));
  return { name: name!.S!, parts: parts!, hashBytes: hashBytes!, bodyBytes: bodyBytes! };
}

export function packSpill({ name, parts, hashBytes, bodyBytes }: Spill): AttributeValue {
  return { L: [{ S: name }, ...[parts, hashBytes, bodyBytes].map((number) => ({ N: String(number) }))] };
}

/** `extent`: where its bytes are, if not in the item. */
export function chunkItem(threadId: string, generation: string, chunk: Chunk, extent?: Extent): Item {
  return {
    PK: { S: threadKey(threadId) },
    SK: { S: chunkKey(generation, chunk.hash) },
    t: { N: String(Date.now()) },
    l: { N: String(chunk.data.byteLength) },
    ...(extent === undefined ? { d: { B: chunk.data } } : { q: packExtent(extent) }),
    ...(chunk.index ? { x: { BOOL: true } } : {}),
  };
}

export function extentOf(item: Item): Extent | undefined {
  const object = objectOf(item);
  if (object === undefined) return undefined;
  return { object, start: Number(item["q"]!.L![1]!.N), length: chunkBytes(item) };
}

/** The object in S3 that has the chunk's bytes, if one does. */
export function objectOf(item: Item): string | undefined {
  return item["q"]?.L?.[0]?.S;
}

/** Bytes of a chunk, wherever they are. */
export function chunkBytes(item: Item): number {
  return Number(item["l"]!.N);
}

function packExtent({ object, start }: Extent): AttributeValue {
  return { L: [{ S: object }, { N: String(start) }] };
}

export function packHashes(hashes: readonly string[]): Uint8Array {
  return Buffer.concat(hashes.map((hash) => Buffer.from(hash, "base64url")));
}

function packContent({ chunks, body, spill }: Content): Item {
  if (spill !== undefined) return { z: packSpill(spill) };
  return { b: { B: body }, ...(chunks.length === 0 ? {} : { c: { B: packHashes(chunks) } }) };
}

/** Spilled bytes that were not found leave an empty body, which the engine takes for damage. */
function contentOf(item: Item): { chunks: string[]; body: Uint8Array } {
  return {
    chunks: item["c"] === undefined ? [] : listedHashes(item["c"].B!),
    body: item["b"]?.B ?? new Uint8Array(),
  };
}
