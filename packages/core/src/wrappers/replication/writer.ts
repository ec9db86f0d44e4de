import { Lanes } from "./lanes.js";
import type { Monitor } from "./monitor.js";
import type { Answer, Operation } from "./operation.js";
import type { AnySaver, Settings } from "./options.js";
import { notReplicated } from "./outage.js";
import { outcomeOf, type Outcome } from "./outcome.js";
import type { Replica } from "./replica.js";

type Live = (saver: AnySaver) => Promise<Answer>;

/**
 * The way of a write: to the side that serves its thread, and to the other one, at once or later. What is acknowledged is
 * stored on one side at least, and whatever the other lacks of it is in that side's backlog.
 */
export class ReplicatedWriter {
  readonly lanes = new Lanes();
  readonly #monitor: Monitor;
  readonly #settings: Settings;

  constructor(monitor: Monitor, settings: Settings) {
    this.#monitor = monitor;
    this.#settings = settings;
  }

  /** `live` is the call with the caller's own arguments: good until the first `await`. */
  async write(operation: Operation, live?: Live): Promise<Answer> {
    const turn = this.lanes.enter(operation);
    try {
      if (turn.wait === undefined) return await this.#write(operation, live);
      await turn.wait;
      return await this.#write(operation);
    } finally {
      turn.leave();
    }
  }

  async #write(operation: Operation, live?: Live): Promise<Answer> {
    if (operation.kind !== "deleteThread") {
      return this.#storeOn(this.#monitor.sideFor(operation.threadId), operation, live);
    }
    const { active } = this.#monitor;
    const release = await Promise.all([active, active.other].map((side) => side.hold(operation.threadId)));
    try {
      // Any side will do, also one that lacks something of the thread.
      const up = [active, active.other].find((side) => !side.isDown);
      return await this.#storeOn(up ?? active, operation);
    } finally {
      for (const each of release) each();
    }
  }

  async #storeOn(first: Replica, operation: Operation, live?: Live): Promise<Answer> {
    const second = first.other;
    const atOnce = this.#settings.mode === "sync" && !second.isDown;
    if (this.#settings.mode === "sync" && !atOnce && this.#isRequired(second)) {
      throw notReplicated(operation.threadId, false, second.lastError);
    }
    const storing = outcomeOf(first.store(operation, live));
    const copying = atOnce ? outcomeOf(second.store(operation)) : undefined;
    const stored = await storing;
    if (stored.ok) {
      if (copying === undefined) second.owe(operation);
      else this.#settle(second, operation, await copying);
      if (copying === undefined) await second.room();
      return stored.value;
    }
    if (this.#settings.isOutage(stored.error))
      return this.#storeOnOther(first, operation, stored.error, copying);
    await this.#undo(second, operation, copying);
    throw stored.error;
  }

  /** The first side has it: what of the second? */
  #settle(second: Replica, operation: Operation, copied: Outcome<Answer>): void {
    if (copied.ok) return;
    if (!this.#settings.isOutage(copied.error)) {
      second.markStale(operation.threadId);
      throw copied.error;
    }
    second.owe(operation);
    if (this.#isRequired(second)) throw notReplicated(operation.threadId, true, copied.error);
  }

  /** The first side failed, and may have it or not. If the second takes it, it is safe there. */
  async #storeOnOther(
    first: Replica,
    operation: Operation,
    error: unknown,
    copying: Promise<Outcome<Answer>> | undefined,
  ): Promise<Answer> {
    const second = first.other;
    const { threadId, kind } = operation;
    const isAble = !second.isDown && (kind === "deleteThread" || !second.backlog.isStale(threadId));
    const copied = await (copying ?? (isAble ? outcomeOf(second.store(operation)) : undefined));
    if (copied?.ok) {
      first.owe(operation);
      if (this.#settings.mode === "sync" && this.#isRequired(first))
        throw notReplicated(threadId, true, error);
      return copied.value;
    }
    second.doubt(threadId);
    if (copied !== undefined && !this.#settings.isOutage(copied.error)) throw copied.error;
    throw error;
  }

  /** The first side refused it: the second must not have it either. */
  async #undo(
    second: Replica,
    { threadId }: Operation,
    copying: Promise<Outcome<Answer>> | undefined,
  ): Promise<void> {
    const copied = await copying;
    if (copied === undefined) return;
    if (copied.ok || this.#settings.isOutage(copied.error)) second.markStale(threadId);
  }

  #isRequired(side: Replica): boolean {
    return side.name === "secondary" && this.#settings.onSecondaryDown === "reject";
  }
}
