/** For so long, calls that never wait for anything may follow each other. */
const BREATH_MS = 1;

/** When the first call came since others last had their turn. */
let since: number | undefined;
let next: Promise<void> | undefined;
let theirTurn: (() => void) | undefined;

/**
 * What goes to the page cache, or comes from it, never waits: whoever calls and calls must not keep timers and the I/O of
 * others from their turn. A promise when their turn has come, undefined while it has not.
 */
export function breath(): Promise<void> | undefined {
  if (since === undefined) {
    since = performance.now();
    setImmediate(turned);
    return undefined;
  }
  if (next === undefined && performance.now() - since < BREATH_MS) return undefined;
  return (next ??= new Promise((resolve) => (theirTurn = resolve)));
}

function turned(): void {
  const resolve = theirTurn;
  since = undefined;
  next = undefined;
  theirTurn = undefined;
  resolve?.();
}
