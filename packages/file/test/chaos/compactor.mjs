import { HOLDING_THREADS, THREADS } from "./history.mjs";

/** Longer than a writer takes from reading a record to storing one that relies on its chunks. */
const GRACE_MS = 10_000;

/**
 * Gives space back in one thread after the other.
 *
 * @param {import("@langgraph-savers/file").FileSaver} saver
 * @param {() => number} random
 */
export async function compact(saver, random) {
  const threads = [...THREADS, ...HOLDING_THREADS];
  for (let n = Math.floor(random() * threads.length); ; n++) {
    const thread = /** @type {string} */ (threads[n % threads.length]);
    if (random() < 0.5) await saver.compact(thread);
    else {
      await saver.setup();
      await saver.store.collectChunks(thread, Date.now() - GRACE_MS);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
