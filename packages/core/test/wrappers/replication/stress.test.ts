import { INTERRUPT } from "@langchain/langgraph-checkpoint";
import { afterEach, describe, expect, it } from "vitest";

import { isSaverError, type ReplicatedSaver, type ReplicatedSaverOptions } from "../../../src/index.js";
import { checkpoint, config, metadata } from "../../support.js";
import type { FaultySaver } from "./faulty-saver.js";
import { ThreadHistory } from "./history.js";
import { all, closeAll, replicate } from "./support.js";

/** Both can be set from outside, to run longer or to repeat a run. */
const FAULTS = Number(process.env["REPLICATION_STRESS_FAULTS"] ?? 8);
const SEED = Number(process.env["REPLICATION_STRESS_SEED"] ?? 1);
const THREADS = 5;

/** Quick, so that a second holds many failovers. */
const quick = { checkIntervalMs: 7, timeoutMs: 25, failbackDelayMs: 5, failureThreshold: 2 };

const setups: Record<string, Partial<ReplicatedSaverOptions>> = {
  "sync, both sides required": { mode: "sync" },
  "sync, degrading": { mode: "sync", onSecondaryDown: "degrade" },
  "sync, degrading, hardly any queue": { mode: "sync", onSecondaryDown: "degrade", queueLimit: 3 },
  async: { mode: "async" },
  "async, hardly any queue": { mode: "async", queueLimit: 4 },
  "async, hardly any queue, no waiting": { mode: "async", queueLimit: 4, onQueueFull: "resync" },
};

type Random = (n: number) => number;

/** Numbers below `n`, the same for the same seed. */
function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761) | 1;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** True for a call that was acknowledged, false for one that an outage refused. Anything else is a failure. */
async function isTaken(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (isSaverError(error) && error.code === "BACKEND_UNAVAILABLE") return false;
    throw error;
  }
}

/** Kills, pauses and restarts either side at random, and goes on until it has seen enough. */
async function chaos(sides: FaultySaver[], random: Random, isEnough: () => boolean): Promise<void> {
  for (let faults = 0; faults < FAULTS || !isEnough(); faults += 1) {
    const side = sides[random(2)]!;
    const fate = random(4);
    if (fate === 0) side.kill("before");
    else if (fate === 1) side.kill("after");
    else if (fate === 2) side.kill("after", "put", "putWrites", "deleteThread");
    else side.pause();
    await pause(random(60));
    // One time in four the next fault meets a side that is down already, or the other one.
    if (random(4) > 0) for (const each of sides) each.restart();
    else if (random(2) > 0) side.restart();
    await pause(random(40));
  }
}

/** One thread's writer: runs as a graph does, sometimes deletes the thread, and looks at what it can read. */
class Writer {
  readonly history = new ThreadHistory();
  /** What was read and should not have been. */
  readonly problems: string[] = [];
  readonly threadId: string;
  readonly #saver: ReplicatedSaver;
  readonly #random: Random;
  #steps = 0;
  #parent: string | undefined;
  acknowledged = 0;

  constructor(saver: ReplicatedSaver, threadId: string, random: Random) {
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
    const one = { ...checkpoint({ state: { ...state }, fixed: "f".repeat(2000) }, step), id };
    one.channel_versions["fixed"] = 1;
    const known = this.history.put(id, this.#parent, state);
    const put = async () => {
      const changed = this.#parent === undefined ? { state: step, fixed: 1 } : { state: step };
      const call = this.#saver.put(config(this.threadId, this.#parent), one, metadata(step), changed);
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
    const call = this.#saver.putWrites(config(this.threadId, id), batch, task);
    for (const each of batch) each[1] = "spoilt";
    const taken = await isTaken(call);
    for (const each of sent) each.isAcknowledged = taken;
  }

  /** What is acknowledged is there, whichever side answers. */
  async #look(): Promise<void> {
    const { latest } = this.history;
    const look = async () => {
      const tuple = await this.#saver.getTuple(config(this.threadId));
      const found = tuple?.checkpoint.id ?? "nothing";
      if (latest !== undefined && (tuple === undefined || found < latest))
        this.problems.push(`${this.threadId}: found ${found} instead of ${latest}`);
      if (this.#random(4) === 0)
        this.problems.push(...this.history.problems(await all(this.#saver, this.threadId)));
    };
    await isTaken(look());
  }
}

/** All that a side has, by place: the order of equal ids is not set. */
async function contentOf(side: FaultySaver): Promise<Map<string, unknown>> {
  const tuples = await all(side.inner);
  const byPlace = tuples.map((tuple) => [JSON.stringify(tuple.config.configurable), tuple] as const);
  return new Map(byPlace.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe("sides that are killed, paused and restarted at random under load", () => {
  afterEach(closeAll);

  // Quick on a machine that is not busy; how long it takes is not the point.
  it.each(Object.entries(setups))("%s", { timeout: 120_000 }, async (_, options) => {
    const { saver, primary, secondary, types } = replicate({ ...quick, ...options });
    const sides = [primary, secondary];
    const progress = { isOver: false };
    const writers = Array.from({ length: THREADS }, (_thread, at) => {
      return new Writer(saver, `thread ${at}`, randomOf(SEED * 1000 + at));
    });
    const isEnough = () =>
      writers.every(({ acknowledged }) => acknowledged > 5) && types().includes("failover");
    await Promise.all([
      chaos(sides, randomOf(SEED), isEnough).finally(() => (progress.isOver = true)),
      ...writers.map((writer) => writer.run(() => progress.isOver)),
    ]);

    for (const side of sides) side.restart();
    while (saver.status().degraded) await pause(5);
    // What was missed has been caught up with before anybody asks for it.
    const caughtUp = await contentOf(primary);
    expect(await contentOf(secondary)).toEqual(caughtUp);
    for (const { history, threadId, problems } of writers) {
      expect([...problems, ...history.problems(await all(saver, threadId))], threadId).toEqual([]);
    }
    const nothing = { checkpoints: 0, writes: 0 };
    expect(await saver.resync()).toMatchObject({ toPrimary: nothing, toSecondary: nothing });
    expect(await contentOf(primary)).toEqual(caughtUp);
    expect(await contentOf(secondary)).toEqual(caughtUp);
  });
});
