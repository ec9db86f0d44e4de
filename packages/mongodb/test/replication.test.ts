import { ReplicatedSaver, type ReplicatedSaverOptions } from "@langgraph-savers/core";
import { startOwnMongoServer, type OwnMongoServer } from "@langgraph-savers/test/mongodb";
import { contentOf, listAll, pause, randomOf, ThreadWriter } from "@langgraph-savers/test/replication";
import { MongoClient } from "mongodb";
import { describe, expect, it } from "vitest";

import { MongoDBSaver } from "../src/index.js";

/** More, and other ones, in a long run. */
const FAULTS = Number(process.env["REPLICATION_STRESS_FAULTS"] ?? 4);
const SEED = Number(process.env["REPLICATION_STRESS_SEED"] ?? 1);
const THREADS = 4;
const TIMEOUT_MS = 400;

const setups: Record<string, Partial<ReplicatedSaverOptions>> = {
  "sync, both sides required": { mode: "sync" },
  "sync, degrading": { mode: "sync", onSecondaryDown: "degrade" },
  "async, a short queue": { mode: "async", queueLimit: 50 },
};

type Fate = "kill" | "pause";

/** Each fault once, on each side, in any order; then at random. */
async function chaos(
  servers: OwnMongoServer[],
  seed: number,
  getOn: (more: number) => Promise<void>,
): Promise<void> {
  const random = randomOf(seed);
  const first = (["kill", "pause"] as const).flatMap((fate) =>
    servers.map((server): [Fate, OwnMongoServer] => [fate, server]),
  );
  for (let faults = 0; faults < FAULTS; faults += 1) {
    const next = first.splice(random(Math.max(first.length, 1)), 1)[0];
    const [fate, server] = next ?? [random(2) === 0 ? "kill" : "pause", servers[random(2)]!];
    await getOn(3);
    if (fate === "kill") {
      await server.kill();
      await pause(random(300));
      await server.restart();
    } else {
      // Shorter than a call may take, or so long that the other side has to serve.
      server.pause();
      await pause(random(4 * TIMEOUT_MS));
      server.resume();
    }
  }
  await getOn(THREADS);
}

/** Counts what the writers get acknowledged, which is the only clock here. */
function progressOf(writers: ThreadWriter[], isOver: () => boolean) {
  const count = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  return async (more: number): Promise<void> => {
    for (const goal = count() + more; count() < goal && !isOver();) await pause(5);
  };
}

describe("ReplicatedSaver over two servers that are killed, paused and restarted under load", () => {
  it.each(Object.entries(setups))("%s", { timeout: 60_000 + FAULTS * 15_000 }, async (_, options) => {
    const servers = await Promise.all([startOwnMongoServer(), startOwnMongoServer()]);
    const clients = servers.map(
      ({ uri }) => new MongoClient(uri, { minHeartbeatFrequencyMS: 50, serverSelectionTimeoutMS: 1_000 }),
    );
    const connect = (client: MongoClient) => new MongoDBSaver({ client, retryTimeoutMs: 2_000 });
    const events: string[] = [];
    const saver = new ReplicatedSaver({
      mode: "sync",
      timeoutMs: TIMEOUT_MS,
      checkIntervalMs: 50,
      failbackDelayMs: 50,
      failureThreshold: 2,
      onEvent: ({ type }) => events.push(type),
      ...options,
      primary: connect(clients[0]!),
      secondary: connect(clients[1]!),
    });
    try {
      const writers = Array.from(
        { length: THREADS },
        (_thread, at) => new ThreadWriter(saver, `thread ${at}`, randomOf(SEED * 1000 + at)),
      );
      const progress = { isOver: false };
      const writing = Promise.all(writers.map((writer) => writer.run(() => progress.isOver)));
      const faults = chaos(
        servers,
        SEED,
        progressOf(writers, () => progress.isOver),
      );
      // A writer that fails ends the run with the fault in hand.
      await Promise.race([faults, writing]).finally(() => (progress.isOver = true));
      await Promise.all([faults, writing]);
      while (saver.status().degraded) await pause(10);

      // By savers that have nothing in memory.
      const [primary, secondary] = clients.map(connect);
      const caughtUp = await contentOf(primary!);
      expect(await contentOf(secondary!)).toEqual(caughtUp);
      for (const { history, threadId, problems } of writers)
        expect([...problems, ...history.problems(await listAll(primary!, threadId))], threadId).toEqual([]);
      const nothing = { checkpoints: 0, writes: 0 };
      expect(await saver.resync()).toMatchObject({ toPrimary: nothing, toSecondary: nothing });
      expect(await contentOf(secondary!)).toEqual(caughtUp);
      expect(events).toContain("degraded");
    } finally {
      await saver.close();
      for (const client of clients) await client.close();
      for (const server of servers) await server.stop();
    }
  });
});
