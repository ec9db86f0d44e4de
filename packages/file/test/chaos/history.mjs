// What the storm's processes store, and what is expected of it: every checkpoint carries a digest of its own state, so that
// a reader can tell foreign bytes without knowing who wrote them.
import { createHash } from "node:crypto";

/**
 * @typedef {{ root: string, name: string, seed: number, durability?: "sync" | "group" | "none" }} Part
 *   of a process; without durability it compacts
 *
 * @typedef {{ kind: "put", thread: string, ns: string, id: string, digest: string }
 *   | { kind: "writes", thread: string, ns: string, id: string, task: string, digest: string }
 *   | { kind: "deleting" | "deleted", ids: string[] }
 *   | { kind: "taking" | "taken", thread: string, from: string, token: string }
 *   | { kind: "refused", thread: string, token: string }
 *   | { kind: "counted", thread: string, number: number, digest: string }} Message
 *   "…ing" is about to be asked for, all others were acknowledged
 */

/** Threads of checkpoints and writes. */
export const THREADS = Array.from({ length: 6 }, (_, n) => `thread/${n}`);
/** Threads in which only who has a register may put. */
export const HOLDING_THREADS = ["held/0", "held/1"];

/** @param {unknown} value */
export function digest(value) {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 16);
}

/** @param {Record<string, unknown>} values the channels of a checkpoint, `self` among them or not */
export function digestOfState(values) {
  const others = Object.entries(values).filter(([channel]) => channel !== "self");
  return digest(others.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/**
 * Text of a length that no two calls share, and that does not compress to nothing.
 *
 * @param {() => number} random
 * @param {number} length
 */
export function text(random, length) {
  let out = "";
  while (out.length < length) out += Math.floor(random() * 2 ** 40).toString(36);
  return out.slice(0, length);
}
