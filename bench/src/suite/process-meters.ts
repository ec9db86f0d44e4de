import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/** All bytes that this process has handed to write calls, of files and sockets; undefined where the system does not say. */
export function writtenBytes(): number | undefined {
  try {
    return Number(/wchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

const TICK_MS = 1;

/** The longest time that others had to wait for their turn on the event loop. */
export class BlockWatch {
  #timer: NodeJS.Timeout | undefined;
  #last = 0;
  #longest = 0;

  begin(): void {
    this.#longest = 0;
    this.#last = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** In milliseconds. */
  async end(): Promise<number> {
    // A block that reached to the end is over only when the timers have had their turn.
    await nextTurn();
    this.#tick();
    clearInterval(this.#timer);
    return this.#longest;
  }

  #tick(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, now - this.#last - TICK_MS);
    this.#last = now;
  }
}

/** Milliseconds of processor time that this process has taken, in all its threads. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
