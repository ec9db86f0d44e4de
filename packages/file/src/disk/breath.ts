import { setImmediate } from "node:timers/promises";

/** For so long, calls that never wait for anything may follow each other. */
const BREATH_MS = 1;

let last = performance.now();
let next: Promise<void> | undefined;

/**
 * What goes to the page cache, or comes from it, never waits: whoever calls and calls must not keep timers and the I/O of
 * others from their turn. A promise when their turn has come, undefined while it has not.
 */
export function breath(): Promise<void> | undefined {
  if (next === undefined && performance.now() - last < BREATH_MS) return undefined;
  next ??= setImmediate().then(() => {
    last = performance.now();
    next = undefined;
  });
  return next;
}
