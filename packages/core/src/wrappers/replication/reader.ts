import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointListOptions, CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { nameOf } from "./copy-thread.js";
import type { Monitor } from "./monitor.js";
import type { AnySaver, Settings } from "./options.js";
import type { Pump } from "./pump.js";
import type { Replica } from "./replica.js";

/** The way of a read: the side that serves the thread, once it has all of it; if that one fails, the other. */
export class ReplicatedReader {
  readonly #monitor: Monitor;
  readonly #pumps: Map<Replica, Pump>;
  readonly #settings: Settings;

  constructor(monitor: Monitor, pumps: Map<Replica, Pump>, settings: Settings) {
    this.#monitor = monitor;
    this.#pumps = pumps;
    this.#settings = settings;
  }

  async read<T>(threadId: string | undefined, run: (saver: AnySaver) => Promise<T>): Promise<T> {
    const first = this.#monitor.sideFor(threadId);
    try {
      await this.#complete(first, threadId);
      return await first.read(run);
    } catch (error) {
      const second = this.#otherThan(first, threadId, error);
      try {
        await this.#complete(second, threadId);
        return await second.read(run);
      } catch (another) {
        throw this.#settings.isOutage(another) ? error : another;
      }
    }
  }

  /** A list that fails half-way goes on from the other side. */
  async *list(
    threadId: string | undefined,
    config: RunnableConfig,
    options: CheckpointListOptions | undefined,
  ): AsyncGenerator<CheckpointTuple> {
    const seen = new Set<string>();
    const first = this.#monitor.sideFor(threadId);
    try {
      yield* this.#listFrom(first, threadId, seen, (saver) => saver.list(config, options));
    } catch (error) {
      const second = this.#otherThan(first, threadId, error);
      try {
        yield* this.#listFrom(second, threadId, seen, (saver) => saver.list(config, options));
      } catch (another) {
        throw this.#settings.isOutage(another) ? error : another;
      }
    }
  }

  async *#listFrom(
    side: Replica,
    threadId: string | undefined,
    seen: Set<string>,
    list: (saver: AnySaver) => AsyncGenerator<CheckpointTuple>,
  ): AsyncGenerator<CheckpointTuple> {
    await this.#complete(side, threadId);
    for await (const tuple of side.stream(list)) {
      const name = nameOf(tuple);
      if (seen.has(name)) continue;
      seen.add(name);
      yield tuple;
    }
  }

  /** The side to try after an outage of the first; throws the error where there is none. */
  #otherThan(first: Replica, threadId: string | undefined, error: unknown): Replica {
    const second = first.other;
    if (!this.#settings.isOutage(error) || second.isDown || second.backlog.isStale(threadId)) throw error;
    return second;
  }

  /** Before a side is read it takes what it has missed: of the thread, or of all. */
  async #complete(side: Replica, threadId: string | undefined): Promise<void> {
    if (side.backlog.isCurrent(threadId)) return;
    if (threadId === undefined) await this.#pumps.get(side)!.drain();
    else await side.catchUp(threadId);
  }
}
