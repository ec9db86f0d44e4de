import { startOwnMongoServer } from "@langgraph-savers/test/mongodb";
import { MongoClient } from "mongodb";

import { MongoDBSaver } from "../../src/index.js";
import { drive, verify, type Verdict } from "./load.js";

const DRIVERS = 4;

/**
 * Kills the server with -9 in the middle of load, again and again. The savers are told nothing: they carry on by
 * themselves when it is back.
 */
export async function killUnderLoad(kills: number, onKill?: (done: number) => void): Promise<Verdict> {
  const server = await startOwnMongoServer();
  const clients: MongoClient[] = [];
  const connect = () => {
    const client = new MongoClient(server.uri, { minHeartbeatFrequencyMS: 50 });
    clients.push(client);
    return new MongoDBSaver({ client, dbName: "chaos" });
  };
  try {
    const load = new Load();
    const driving = Promise.all(
      Array.from({ length: DRIVERS }, (_, at) => drive(connect(), `thread ${at}`, () => load.acknowledged())),
    );
    // A driver that fails ends the run at once, not after the last kill.
    const ended = driving.then(() => undefined);
    for (let done = 1; done <= kills; done++) {
      // By the load, not by the clock: a slow machine kills as much of it as a fast one.
      await Promise.race([load.after(4 + (done % 7)), ended]);
      await server.kill();
      await server.restart();
      onKill?.(done);
    }
    await Promise.race([load.after(DRIVERS), ended]);
    load.stop();
    return await verify(connect(), await driving);
  } finally {
    for (const client of clients) await client.close();
    await server.stop();
  }
}

/** Counts what the drivers get done, while the others are in the middle of theirs. */
class Load {
  #count = 0;
  #stopped = false;
  #waiting: { count: number; resolve: () => void } | undefined;

  acknowledged(): boolean {
    this.#count += 1;
    if (this.#waiting !== undefined && this.#count >= this.#waiting.count) this.#waiting.resolve();
    return this.#stopped;
  }

  after(more: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { count: this.#count + more, resolve };
    });
  }

  stop(): void {
    this.#stopped = true;
  }
}
