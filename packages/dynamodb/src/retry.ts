import { setTimeout as sleep } from "node:timers/promises";

import { isTransient, translate } from "./errors.js";

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 2_000;

/** Time for one request and its repetitions; the pauses between them grow, with jitter. */
export class Patience {
  readonly #limitMs: number;
  readonly #start = performance.now();
  #attempts = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  get limitMs(): number {
    return this.#limitMs;
  }

  /** Pauses and resolves to true, or to false at once when the time is over. */
  async another(): Promise<boolean> {
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#attempts);
    this.#attempts += 1;
    const pause = Math.random() * longest;
    if (performance.now() - this.#start + pause > this.#limitMs) return false;
    await sleep(pause);
    return true;
  }

  /** It went forward: the next pause is short again. */
  progress(): void {
    this.#attempts = 0;
  }
}

/** Repeats what fails for a passing reason until it succeeds or the time is over. */
export async function retrying<T>(
  patience: Patience,
  service: string,
  place: string,
  attempt: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (!(await patience.another())) throw translate(error, service, place, patience.limitMs);
    }
  }
}

/** Runs the tasks, at most `width` at once; after a failure no further one is started. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length });
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      try {
        results[at] = await task(items[at]!);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
