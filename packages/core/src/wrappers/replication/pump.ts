import type { ThreadLog } from "./backlog.js";
import type { Settings } from "./options.js";
import { outcomeOf } from "./outcome.js";
import type { Replica } from "./replica.js";

const THREADS_AT_ONCE = 8;
const FIRST_PAUSE_MS = 100;
const ATTEMPTS = 5;

/** Takes a side's backlog in the background: some threads at once, with growing pauses while it fails. */
export class Pump {
  readonly #side: Replica;
  readonly #settings: Settings;
  readonly #ready = new Set<string>();
  #running = 0;
  #pause: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(side: Replica, settings: Settings) {
    this.#side = side;
    this.#settings = settings;
    side.onBehind = (threadId) => this.#kick(threadId);
  }

  /** Looks at all threads again: this side or the other has come up. */
  wake(): void {
    for (const [threadId] of this.#side.backlog.entries()) this.#kick(threadId);
  }

  /** Takes all there is now. Rejects with the first outage; what a side refuses for good is left behind. */
  async drain(): Promise<void> {
    const threads = this.#side.backlog.entries().filter(([, log]) => this.#isPossible(log));
    const workers = Array.from({ length: THREADS_AT_ONCE }, async () => {
      for (let next = threads.shift(); next !== undefined; next = threads.shift()) {
        try {
          await this.#side.catchUp(next[0]);
        } catch (error) {
          if (this.#isPossible(next[1]) && this.#settings.isOutage(error)) throw error;
          this.#report(next[0], error);
        }
      }
    });
    await Promise.all(workers);
  }

  /** Takes all there is, also what fails in passing; ends when the side goes down, or does not get on. */
  async finish(): Promise<void> {
    for (let vain = 0; vain < ATTEMPTS && !this.#side.isDown && this.#isBehind();) {
      const before = this.#left();
      const drained = await outcomeOf(this.drain());
      vain = this.#left() < before ? 0 : vain + 1;
      if (!drained.ok) await new Promise((resolve) => setTimeout(resolve, this.#pauseMs()));
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#pause);
  }

  #kick(threadId: string): void {
    if (this.#stopped || this.#side.isDown || this.#pause !== undefined) return;
    const log = this.#side.backlog.get(threadId);
    if (log === undefined || !this.#isPossible(log)) return;
    this.#ready.add(threadId);
    this.#next();
  }

  #next(): void {
    for (const threadId of this.#ready) {
      if (this.#running >= THREADS_AT_ONCE) return;
      this.#ready.delete(threadId);
      this.#running += 1;
      void this.#take(threadId);
    }
  }

  async #take(threadId: string): Promise<void> {
    try {
      await this.#side.catchUp(threadId);
    } catch (error) {
      if (this.#settings.isOutage(error)) this.#rest();
      else this.#report(threadId, error);
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  /** After an outage. While the side is down nothing is tried: the health check wakes the pump. */
  #rest(): void {
    if (this.#stopped || this.#side.isDown || this.#pause !== undefined) return;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.wake();
    }, this.#pauseMs()).unref();
  }

  #pauseMs(): number {
    return Math.min(FIRST_PAUSE_MS * 2 ** this.#side.failures, this.#settings.checkIntervalMs);
  }

  #left(): number {
    const { backlog } = this.#side;
    return backlog.operations + backlog.entries().length;
  }

  #isBehind(): boolean {
    return this.#side.backlog.entries().some(([, log]) => this.#isPossible(log));
  }

  /** A copy needs the other side, and what was refused for good waits for `resync()` or the end of the thread. */
  #isPossible({ operations, need, refused }: ThreadLog): boolean {
    if (need === "mirror") return refused === undefined && !this.#side.other.isDown;
    if (operations.length > 0) return true;
    return need === "merge" && refused === undefined && !this.#side.other.isDown;
  }

  #report(threadId: string, error: unknown): void {
    if (this.#settings.isOutage(error)) return;
    this.#settings.onEvent({ type: "error", side: this.#side.name, threadId, error });
  }
}
