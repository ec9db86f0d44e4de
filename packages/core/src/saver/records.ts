import { packBody, unpackBody, type Body } from "../codec/body.js";
import { opening, type Sealer } from "../codec/envelope.js";
import { digest } from "../codec/hash.js";
import type { ValueRef } from "../codec/value-ref.js";
import { damaged, type ErrorPlace } from "../errors.js";
import type { CheckpointKey, CheckpointRecord, Labels, WriteSlot, WritesRecord } from "../store/port.js";

export type Version = number | string;

/** A checkpoint record, opened. */
export interface OpenCheckpoint extends CheckpointKey {
  parentId: string | undefined;
  /** The checkpoint without its channel values, and the metadata. */
  skeleton: ValueRef;
  channels: Map<string, OpenChannel>;
  labels: Labels;
  createdAt: number;
}

export interface OpenChannel {
  /** Undefined for a value that came without a version. */
  version: Version | undefined;
  ref: ValueRef;
}

/** One write of a task, opened. */
export interface OpenWrite {
  taskId: string;
  taskPath: string;
  idx: number;
  channel: string;
  ref: ValueRef;
}

interface CheckpointHead {
  /** Name and version of each channel, in the order of the references that follow the skeleton's. */
  channels: [string, Version | null][];
}

interface SlotHead {
  taskPath: string;
  writes: [number, string][];
  /** All slots of the batch: a reader that finds one of them must find the others. */
  batch: string[];
}

export function sealCheckpoint(sealer: Sealer, open: OpenCheckpoint, dense?: boolean): CheckpointRecord {
  const head: CheckpointHead = { channels: [] };
  const refs = [open.skeleton];
  for (const [name, { version, ref }] of open.channels) {
    head.channels.push([name, version ?? null]);
    refs.push(ref);
  }
  const { plain, chunks } = packBody(head, refs);
  const record: CheckpointRecord = {
    threadId: open.threadId,
    namespace: open.namespace,
    checkpointId: open.checkpointId,
    createdAt: open.createdAt,
    labels: open.labels,
    chunks,
    body: plain,
  };
  if (open.parentId !== undefined) record.parentId = open.parentId;
  record.body = sealer.sealBody(record.threadId, checkpointPlace(record), plain, dense);
  return record;
}

export function openCheckpoint(sealer: Sealer, key: CheckpointKey, record: CheckpointRecord): OpenCheckpoint {
  const place = errorPlace(key);
  return opening(
    () => {
      const plain = sealer.openBody(key.threadId, checkpointPlace({ ...record, ...key }), record.body);
      const { head, refs } = unpackBody<CheckpointHead>(plain, record.chunks);
      const [skeleton, ...values] = refs;
      if (skeleton === undefined || values.length !== head.channels.length)
        throw new Error("its parts do not add up");
      const channels = new Map<string, OpenChannel>();
      head.channels.forEach(([name, version], at) => {
        channels.set(name, { version: version ?? undefined, ref: values[at]! });
      });
      const { parentId, labels, createdAt } = record;
      return { ...key, parentId, labels, createdAt, skeleton, channels };
    },
    (reason, cause) => damaged(place, `the checkpoint cannot be opened, ${reason}`, cause),
  );
}

/** The slots of one batch of writes: one for the regular writes together, one for each special write. */
export function sealWrites(
  sealer: Sealer,
  key: CheckpointKey,
  taskId: string,
  taskPath: string,
  writes: { idx: number; channel: string; ref: ValueRef }[],
  dense?: boolean,
): WriteSlot[] {
  const groups = new Map<string, typeof writes>();
  const regular = writes.filter(({ idx }) => idx >= 0);
  if (regular.length > 0) groups.set(regularSlot(regular.map(({ idx }) => idx)), regular);
  for (const write of writes) if (write.idx < 0) groups.set(specialSlot(write.idx), [write]);
  const batch = [...groups.keys()];
  return [...groups].map(([name, group]) => {
    const head: SlotHead = { taskPath, writes: group.map(({ idx, channel }) => [idx, channel]), batch };
    const { plain, chunks } = packBody(
      head,
      group.map(({ ref }) => ref),
    );
    const place = slotPlace(key, taskId, name, chunks);
    const body = sealer.sealBody(key.threadId, place, plain, dense);
    return { name, replace: !isRegularSlot(name), chunks, body };
  });
}

/** The same slot under another key, with its references turned into those that hold there. */
export function moveSlot(
  sealer: Sealer,
  from: CheckpointKey,
  to: CheckpointKey,
  taskId: string,
  slot: WriteSlot,
  move: (ref: ValueRef) => ValueRef,
): WriteSlot {
  const { head, refs } = openSlot(sealer, from, taskId, slot);
  const { plain, chunks } = packBody(head, refs.map(move));
  const place = slotPlace(to, taskId, slot.name, chunks);
  return { ...slot, chunks, body: sealer.sealBody(to.threadId, place, plain) };
}

/** What one slot refers to. */
export function slotRefs(sealer: Sealer, key: CheckpointKey, taskId: string, slot: WriteSlot): ValueRef[] {
  return openSlot(sealer, key, taskId, slot).refs;
}

function openSlot(sealer: Sealer, key: CheckpointKey, taskId: string, slot: WriteSlot): Body<SlotHead> {
  return opening(
    () => {
      const bound = slotPlace(key, taskId, slot.name, slot.chunks);
      return unpackBody<SlotHead>(sealer.openBody(key.threadId, bound, slot.body), slot.chunks);
    },
    (reason, cause) => damaged({ ...errorPlace(key), taskId }, `writes cannot be opened, ${reason}`, cause),
  );
}

/** The writes of one task. Of regular writes with the same idx the first stored one counts. */
export function openWrites(sealer: Sealer, key: CheckpointKey, record: WritesRecord): OpenWrite[] {
  const { taskId } = record;
  const present = new Set(record.slots.map(({ name }) => name));
  const writes = new Map<number, OpenWrite>();
  for (const slot of record.slots) {
    const { head, refs } = openSlot(sealer, key, taskId, slot);
    if (refs.length !== head.writes.length || !head.batch.every((name) => present.has(name))) {
      throw damaged(
        { ...errorPlace(key), taskId },
        "writes cannot be opened, a part of the batch is missing",
      );
    }
    head.writes.forEach(([idx, channel], at) => {
      if (!writes.has(idx))
        writes.set(idx, { taskId, taskPath: head.taskPath, idx, channel, ref: refs[at]! });
    });
  }
  return [...writes.values()];
}

export function errorPlace(key: CheckpointKey): ErrorPlace {
  return { threadId: key.threadId, checkpointNs: key.namespace, checkpointId: key.checkpointId };
}

/** The slot of the writes to one of LangGraph's own channels, whose idx is negative. */
export function specialSlot(idx: number): string {
  return `s${-idx}`;
}

export function isRegularSlot(name: string): boolean {
  return name.startsWith("r");
}

/** Regular writes share a slot per set of positions, so that a task that writes again and again takes no more room. */
function regularSlot(positions: number[]): string {
  const ranges: string[] = [];
  for (let at = 0; at < positions.length;) {
    let end = at;
    while (positions[end + 1] === positions[end]! + 1) end++;
    ranges.push(end === at ? `${positions[at]}` : `${positions[at]}-${positions[end]}`);
    at = end + 1;
  }
  const name = `r${ranges.join(",")}`;
  return name.length <= 60 ? name : `r.${digest([name]).toString("hex")}`;
}

/** All that is stored beside a checkpoint's body, so that a change of any of it shows. */
function checkpointPlace(record: Omit<CheckpointRecord, "body">): string[] {
  const { source, step, runId } = record.labels;
  return [
    "checkpoint",
    record.threadId,
    record.namespace,
    record.checkpointId,
    JSON.stringify([record.parentId, record.createdAt, source, step, runId]),
    record.chunks.join(" "),
  ];
}

function slotPlace(key: CheckpointKey, taskId: string, slot: string, chunks: string[]): string[] {
  return ["writes", key.threadId, key.namespace, key.checkpointId, taskId, slot, chunks.join(" ")];
}
