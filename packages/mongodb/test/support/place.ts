import type { CommandStartedEvent, MongoClient, MongoClientOptions } from "mongodb";
import { MongoClient as Client } from "mongodb";
import { inject, onTestFinished } from "vitest";

import { MongoDBSaver, type MongoDBOptions } from "../../src/index.js";
import { uniqueName } from "./clients.js";
import { TESTS as DATABASE } from "./databases.js";

/** A collection of its own for one test, or with `afterAll` for one file, emptied after it. */
export interface Place {
  client: MongoClient;
  dbName: string;
  collectionName: string;
  documents: ReturnType<ReturnType<MongoClient["db"]>["collection"]>;
  saver(options?: MongoDBOptions): MongoDBSaver;
}

export function place(
  clientOptions: MongoClientOptions = {},
  whenDone: (clean: () => Promise<void>) => void = onTestFinished,
): Place {
  const client = new Client(inject("mongodbUri"), clientOptions);
  const collectionName = uniqueName("test");
  const documents = client.db(DATABASE).collection(collectionName);
  whenDone(async () => {
    await documents.deleteMany({});
    await client.close();
  });
  return {
    client,
    dbName: DATABASE,
    collectionName,
    documents,
    saver: (options = {}) =>
      new MongoDBSaver({ dbName: DATABASE, checkpointCollectionName: collectionName, ...options, client }),
  };
}

/** The commands that a client sends, by name, without those that only look after the connection. */
export class CommandCounter {
  commands: string[] = [];
  readonly events: CommandStartedEvent[] = [];

  constructor(client: MongoClient) {
    client.on("commandStarted", (event) => {
      if (["hello", "ismaster", "endSessions", "ping"].includes(event.commandName)) return;
      this.commands.push(event.commandName);
      this.events.push(event);
    });
  }

  /** What was sent since the last call. */
  take(): string[] {
    const taken = this.commands;
    this.commands = [];
    return taken;
  }
}
