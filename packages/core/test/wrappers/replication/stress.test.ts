import {
  contentOf,
  listAll,
  pause,
  randomOf,
  ThreadWriter,
  type Random,
} from "@langgraph-savers/test/replication";
import { afterEach, describe, expect, it } from "vitest";

import type { ReplicatedSaverOptions } from "../../../src/index.js";
import type { FaultySaver } from "./faulty-saver.js";
import { closeAll, replicate } from "./support.js";

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

describe("sides that are killed, paused and restarted at random under load", () => {
  afterEach(closeAll);

  // Quick on a machine that is not busy; how long it takes is not the point.
  it.each(Object.entries(setups))("%s", { timeout: 120_000 }, async (_, options) => {
    const { saver, primary, secondary, types } = replicate({ ...quick, ...options });
    const sides = [primary, secondary];
    const progress = { isOver: false };
    const writers = Array.from({ length: THREADS }, (_thread, at) => {
      return new ThreadWriter(saver, `thread ${at}`, randomOf(SEED * 1000 + at));
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
    const caughtUp = await contentOf(primary.inner);
    expect(await contentOf(secondary.inner)).toEqual(caughtUp);
    for (const { history, threadId, problems } of writers) {
      expect([...problems, ...history.problems(await listAll(saver, threadId))], threadId).toEqual([]);
    }
    const nothing = { checkpoints: 0, writes: 0 };
    expect(await saver.resync()).toMatchObject({ toPrimary: nothing, toSecondary: nothing });
    expect(await contentOf(primary.inner)).toEqual(caughtUp);
    expect(await contentOf(secondary.inner)).toEqual(caughtUp);
  });
});
