import { createHash } from "node:crypto";

import type {
  CheckpointKey,
  CheckpointRecord,
  Chunk,
  WriteSlot,
} from "../../../packages/core/src/store/port.js";

let made = 0;

/** Bytes that no other call gives, the same in every run. */
function bytes(size: number): Uint8Array {
  made += 1;
  const seed = createHash("sha512").update(`bytes ${made}`).digest();
  return Uint8Array.from({ length: size }, (_, at) => seed[at % seed.byteLength]! ^ (at >> 6));
}

/** A chunk of its own. The store knows it by its name only, so the name need not be its hash. */
export function chunk(size = 100): Chunk {
  return { hash: hashOf(bytes(20)), index: false, data: bytes(size) };
}

export function chunks(count: number): Chunk[] {
  return Array.from({ length: count }, () => chunk());
}

/** An index chunk: its data is the hashes that it lists. */
export function indexOf(listed: readonly Chunk[]): Chunk {
  const data = Buffer.concat(listed.map(({ hash }) => Buffer.from(hash, "base64url")));
  return { hash: hashOf(createHash("sha256").update(data).digest().subarray(0, 20)), index: true, data };
}

function hashOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString("base64url");
}

/** A record whose body is its own, referring to these chunks. */
export function checkpointRecord(
  key: CheckpointKey,
  refersTo: readonly Chunk[],
  more: Partial<CheckpointRecord> = {},
): CheckpointRecord {
  return {
    ...key,
    createdAt: Date.now(),
    labels: {},
    chunks: refersTo.map(({ hash }) => hash),
    body: bytes(60),
    ...more,
  };
}

/** A slot that is kept once it is stored; `special` ones are replaced by later ones. */
export function slot(name: string, refersTo: readonly Chunk[] = []): WriteSlot {
  return { name, replace: false, chunks: refersTo.map(({ hash }) => hash), body: bytes(30) };
}

export function special(name: string, refersTo: readonly Chunk[] = []): WriteSlot {
  return { ...slot(name, refersTo), replace: true };
}

/** The time from which on everything that was done so far is old. */
export function later(): number {
  return Date.now() + 1_000;
}

/** A time that lies after everything done so far, and not after anything that is done from now on. */
export async function instant(): Promise<number> {
  const past = Date.now();
  while (Date.now() <= past) await new Promise(setImmediate);
  return Date.now();
}
