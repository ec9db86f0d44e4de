import {
  INTERRUPT,
  type BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import type { RunnableConfig } from "@langchain/core/runnables";

import { ThreadHistory } from "./history.js";

export type Random = (n: number) => number;

/** Numbers below `n`, the same for the same seed. */
export function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761) | 1;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** True for a call that was acknowledged, false for one that an outage refused. Anything else is a failure. */
async function isTaken(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "BACKEND_UNAVAILABLE") return false;
    throw error;
  }
}

export async function listAll(saver: BaseCheckpointSaver, threadId?: string): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  const which = threadId === undefined ? {} : { configurable: { thread_id: threadId } };
  for await (const tuple of saver.list(which)) tuples.push(tuple);
  return tuples;
}

/** All that a side has, by place: the order of equal ids is not set. */
export async function contentOf(side: BaseCheckpointSaver): Promise<Map<string, unknown>> {
  const byPlace = (await listAll(side)).map(
    (tuple) => [JSON.stringify(tuple.config.configurable), tuple] as const,
  );
  return new Map(byPlace.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** One thread's writer: runs as a graph does, sometimes deletes the thread, and looks at what it can read. */
export class ThreadWriter {
  readonly history = new ThreadHistory();
  /** What was read and should not have been. */
  readonly problems: string[] = [];
  readonly threadId: string;
  readonly #saver: BaseCheckpointSaver;
  readonly #random: Random;
  #steps = 0;
  #parent: string | undefined;
  acknowledged = 0;

  constructor(saver: BaseCheckpointSaver, threadId: string, random: Random) {
    this.#saver = saver;
    this.threadId = threadId;
    this.#random = random;
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await pause(this.#random(4));
      if (this.#random(12) === 0) await this.#delete();
      await this.#step();
      await this.#look();
    }
  }

  async #delete(): Promise<void> {
    this.history.delete(await isTaken(this.#saver.deleteThread(this.threadId)));
    this.#parent = undefined;
  }

  async #step(): Promise<void> {
    const step = (this.#steps += 1);
    const id = `step ${String(step).padStart(6, "0")}`;
    const state = { step, text: "x".repeat(this.#random(3000)), when: new Date(step) };
    const one: Checkpoint = {
      v: 4,
      id,
      ts: "2026-01-01T00:00:00.000Z",
      channel_values: { state: { ...state }, fixed: "f".repeat(2000) },
      channel_versions: { state: step, fixed: 1 },
      versions_seen: {},
    };
    const known = this.history.put(id, this.#parent, state);
    const put = async () => {
      const changed = this.#parent === undefined ? { state: step, fixed: 1 } : { state: step };
      const metadata = { source: "loop", step, parents: {} } as const;
      const call = this.#saver.put(this.#config(this.#parent), one, metadata, changed);
      // The caller goes on at once with what it passed.
      Object.assign(one.channel_values["state"] as object, { step: -1, text: "spoilt" });
      known.isAcknowledged = await isTaken(call);
      if (known.isAcknowledged) this.acknowledged += 1;
    };
    const tasks = Array.from({ length: this.#random(4) }, (_, at) => `task ${at}`);
    const write = async (round: number) => {
      await Promise.all(tasks.map((task) => this.#write(id, task, round)));
    };
    // Writes often come before the put of their checkpoint.
    if (this.#random(2) === 0) await Promise.all([write(1), put()]);
    else await Promise.all([put(), write(1)]);
    if (this.#random(3) === 0) await write(2);
    this.#parent = id;
  }

  async #write(id: string, task: string, round: number): Promise<void> {
    const result = { of: id };
    const interrupt = { of: id, round };
    const sent = [
      this.history.write(id, task, "result", result),
      this.history.write(id, task, INTERRUPT, interrupt),
    ];
    const batch: [string, unknown][] = [
      ["result", { ...result }],
      [INTERRUPT, { ...interrupt }],
    ];
    const call = this.#saver.putWrites(this.#config(id), batch, task);
    for (const each of batch) each[1] = "spoilt";
    const taken = await isTaken(call);
    for (const each of sent) each.isAcknowledged = taken;
  }

  /** What is acknowledged is there, whichever side answers. */
  async #look(): Promise<void> {
    const { latest } = this.history;
    const look = async () => {
      const tuple = await this.#saver.getTuple(this.#config());
      const found = tuple?.checkpoint.id ?? "nothing";
      if (latest !== undefined && (tuple === undefined || found < latest))
        this.problems.push(`${this.threadId}: found ${found} instead of ${latest}`);
      if (this.#random(4) === 0)
        this.problems.push(...this.history.problems(await listAll(this.#saver, this.threadId)));
    };
    await isTaken(look());
  }

  #config(checkpointId?: string): RunnableConfig {
    return {
      configurable: {
        thread_id: this.threadId,
        checkpoint_ns: "",
        ...(checkpointId === undefined ? {} : { checkpoint_id: checkpointId }),
      },
    };
  }
}
