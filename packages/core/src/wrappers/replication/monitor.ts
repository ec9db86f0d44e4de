import type { Settings } from "./options.js";
import { noneComplete } from "./outage.js";
import type { Pump } from "./pump.js";
import type { Replica } from "./replica.js";
import type { SideState } from "./status.js";

/** Which side serves: health checks, failover, failback. */
export class Monitor {
  active: Replica;
  readonly #primary: Replica;
  readonly #settings: Settings;
  readonly #pumps: Map<Replica, Pump>;
  readonly #checking = new Set<Replica>();
  readonly #interval: NodeJS.Timeout;
  #failback: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(primary: Replica, pumps: Map<Replica, Pump>, settings: Settings) {
    this.active = primary;
    this.#primary = primary;
    this.#pumps = pumps;
    this.#settings = settings;
    for (const side of pumps.keys()) side.onDown = (error, before) => this.#wentDown(side, error, before);
    this.#interval = setInterval(() => {
      for (const side of pumps.keys()) void this.check(side);
    }, settings.checkIntervalMs).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#interval);
    clearTimeout(this.#failback);
  }

  /**
   * The side for a thread, or for a list of all: the active one, unless it is down or lacks what only the other has. For
   * one thread that is true of one side at most.
   */
  sideFor(threadId: string | undefined): Replica {
    const sides = [this.active, this.active.other].filter((side) => !side.backlog.isStale(threadId));
    const side = sides.find(({ isDown }) => !isDown) ?? sides[0];
    if (side === undefined) throw noneComplete();
    return side;
  }

  /** Asks a side whether it is there. One that was down gets what it missed, and only then counts as up. */
  async check(side: Replica): Promise<void> {
    if (this.#checking.has(side)) return;
    this.#checking.add(side);
    try {
      await side.probe();
      if (side.isDown) await this.#recover(side);
      else this.#pumps.get(side)!.wake();
    } catch {
      // Counted by the side itself.
    } finally {
      this.#checking.delete(side);
    }
  }

  async #recover(side: Replica): Promise<void> {
    side.markAnswering();
    try {
      await this.#pumps.get(side)!.drain();
    } catch (error) {
      if (side.state === "catching-up") side.state = "down";
      throw error;
    }
    if (side.state !== "catching-up") return;
    side.state = "up";
    side.downSince = undefined;
    this.#settings.onEvent({ type: "recovered", side: side.name });
    if (this.active.isDown) this.#serveFrom(side, this.active.lastError);
    else if (side === this.#primary) this.#scheduleFailback();
    this.#pumps.get(side.other)!.wake();
  }

  #wentDown(side: Replica, error: unknown, before: SideState): void {
    side.backlog.release();
    if (side === this.#primary) clearTimeout(this.#failback);
    // One that was catching up has not been reported as recovered.
    if (before === "up") this.#settings.onEvent({ type: "degraded", side: side.name, error });
    if (side === this.active && !side.other.isDown) this.#serveFrom(side.other, error);
  }

  #serveFrom(side: Replica, error: unknown): void {
    if (side === this.active) return;
    this.active = side;
    this.#settings.onEvent({ type: "failover", from: side.other.name, to: side.name, error });
  }

  #scheduleFailback(): void {
    clearTimeout(this.#failback);
    if (this.#stopped || this.active === this.#primary) return;
    this.#failback = setTimeout(() => void this.#tryFailback(), this.#settings.failbackDelayMs).unref();
  }

  /** What comes in later than this last look is no matter: a thread is served only when it is complete. */
  async #tryFailback(): Promise<void> {
    try {
      await this.#pumps.get(this.#primary)!.drain();
    } catch {
      this.#scheduleFailback();
      return;
    }
    if (this.#stopped || this.#primary.state !== "up" || this.active === this.#primary) return;
    this.active = this.#primary;
    this.#settings.onEvent({ type: "failback", to: "primary" });
  }
}
