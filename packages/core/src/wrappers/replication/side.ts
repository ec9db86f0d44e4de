import type { AnySaver, Settings } from "./options.js";
import { noAnswer, wentDown } from "./outage.js";
import type { SideName, SideState } from "./status.js";

type Kind = "read" | "write";

/** How many time limits a write that hangs may take before what comes after it goes on. */
const PATIENCE = 10;

interface Writing {
  settled: Promise<void>;
  /** Nobody waits for its answer any more, but it may still land. */
  isAbandoned: boolean;
  /** Waited for in vain: should it come to an end after all, the thread is in doubt. */
  givenUp: boolean;
}

/** One of the two savers: its calls within a time limit, and whether it is up. */
export class Side {
  readonly name: SideName;
  readonly saver: AnySaver;
  state: SideState = "up";
  lastError: unknown;
  downSince: Date | undefined;
  /** Called when too many calls in a row have failed, with the state before. */
  onDown: (error: unknown, before: SideState) => void = () => {};
  /** Called when a write that nobody waits for any more has come to its end. */
  protected onLateWrite: (threadId: string) => void = () => {};
  protected readonly settings: Settings;
  // Counted apart: a full disk can still be read.
  readonly #failures: Record<Kind, number> = { read: 0, write: 0 };
  readonly #abandon = new Set<(error: unknown) => void>();
  readonly #writing = new Map<string, Set<Writing>>();

  constructor(name: SideName, saver: AnySaver, settings: Settings) {
    this.name = name;
    this.saver = saver;
    this.settings = settings;
  }

  get isDown(): boolean {
    return this.state === "down";
  }

  get failures(): number {
    return Math.max(this.#failures.read, this.#failures.write);
  }

  read<T>(run: (saver: AnySaver) => Promise<T>): Promise<T> {
    return this.#call("read", start(run, this.saver), this.settings.timeoutMs);
  }

  async write<T>(threadId: string, run: (saver: AnySaver) => Promise<T>): Promise<T> {
    const running = start(run, this.saver);
    const entry = this.#track(threadId, running);
    try {
      return await this.#call("write", running, this.settings.timeoutMs);
    } finally {
      entry.isAbandoned = true;
    }
  }

  /** True where a write of the thread that failed may still land. */
  hasAbandoned(threadId: string): boolean {
    return [...(this.#writing.get(threadId) ?? [])].some(({ isAbandoned }) => isAbandoned);
  }

  /** What a list gives, each step within the time limit. */
  async *stream<T>(list: (saver: AnySaver) => AsyncGenerator<T>): AsyncGenerator<T> {
    const items = list(this.saver);
    try {
      for (;;) {
        const next = await this.read(() => items.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // Not awaited: a saver that hangs would hang here too.
      items.return(undefined).catch(() => {});
    }
  }

  /** Asks the saver whether it is there. */
  async probe(): Promise<void> {
    const { timeoutMs, checkIntervalMs } = this.settings;
    const asked = start(async (saver) => {
      if ("ping" in saver && typeof saver.ping === "function") await saver.ping();
      else await saver.getTuple({ configurable: { thread_id: "langgraph-savers:probe", checkpoint_ns: "" } });
    }, this.saver);
    await this.#call("read", asked, Math.min(timeoutMs, checkIntervalMs));
  }

  /**
   * Waits for writes of the thread that are still under way, also those that were given up as outages: they must not land
   * after what follows. Ends with an error when the side goes down.
   */
  async quiet(threadId: string): Promise<void> {
    const writing = [...(this.#writing.get(threadId) ?? [])];
    if (writing.length === 0) return;
    const patience = PATIENCE * this.settings.timeoutMs;
    const all = Promise.all(writing.map(({ settled }) => settled));
    await this.#orAbandoned(all, patience, () => {
      for (const each of writing) each.givenUp = true;
    });
  }

  markDown(error: unknown): void {
    const before = this.state;
    this.state = "down";
    this.downSince ??= new Date();
    for (const abandon of this.#abandon) abandon(wentDown(this.name, error));
    this.onDown(error, before);
  }

  /** It answers: from now on failures count anew. */
  markAnswering(): void {
    this.state = "catching-up";
    this.#failures.read = 0;
    this.#failures.write = 0;
  }

  async #call<T>(kind: Kind, running: Promise<T>, timeoutMs: number): Promise<T> {
    try {
      const answer = await this.#orAbandoned(running, timeoutMs, () => {
        throw noAnswer(this.name, timeoutMs);
      });
      this.#failures.read = 0;
      if (kind === "write") this.#failures.write = 0;
      return answer;
    } catch (error) {
      if (this.settings.isOutage(error)) this.#failed(kind, error);
      throw error;
    }
  }

  /** Waits no longer than the time given, or than the side is up. */
  async #orAbandoned<T, U>(running: Promise<T>, timeoutMs: number, onTimeout: () => U): Promise<T | U> {
    let timer: NodeJS.Timeout | undefined;
    let abandon!: (error: unknown) => void;
    const timeout = Symbol("timeout");
    const abandoned = new Promise<typeof timeout>((resolve, reject) => {
      abandon = reject;
      timer = setTimeout(resolve, timeoutMs, timeout).unref();
    });
    this.#abandon.add(abandon);
    try {
      const first = await Promise.race([running, abandoned]);
      return first === timeout ? onTimeout() : first;
    } finally {
      clearTimeout(timer);
      this.#abandon.delete(abandon);
    }
  }

  #failed(kind: Kind, error: unknown): void {
    // The calls that were under way when it went down say nothing new.
    if (this.isDown) return;
    this.lastError = error;
    this.#failures[kind] += 1;
    if (this.#failures[kind] >= this.settings.failureThreshold) this.markDown(error);
  }

  #track(threadId: string, running: Promise<unknown>): Writing {
    const writing = this.#writing.get(threadId) ?? new Set();
    this.#writing.set(threadId, writing);
    const ended = () => {
      writing.delete(entry);
      if (writing.size === 0) this.#writing.delete(threadId);
      if (entry.givenUp) this.onLateWrite(threadId);
    };
    const entry: Writing = { settled: running.then(ended, ended), isAbandoned: false, givenUp: false };
    writing.add(entry);
    return entry;
  }
}

/** A call as a promise, also where it throws at once. It is made before this returns. */
async function start<T>(run: (saver: AnySaver) => Promise<T>, saver: AnySaver): Promise<T> {
  return run(saver);
}
