import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { SaverUnderTest } from "@langgraph-savers/test";
import type { MongoClient } from "mongodb";
import { afterAll } from "vitest";

import { MongoDBSaver, type MongoDBSaverParams } from "../../src/index.js";
import { SUITES } from "./databases.js";
import { drivers, uniqueName, type Driver } from "./clients.js";

/** `MongoDBSaver` for the shared suites, each saver in an empty collection. */
export function subject(driver: Driver): SaverUnderTest {
  let client: MongoClient | undefined;
  const dbName = SUITES;
  const names = new WeakMap<BaseCheckpointSaver, string>();
  /** Emptied ones are used again: to make a collection with its indexes takes longer than most of the tests. */
  const empty: string[] = [];
  const used = new Set<string>();
  afterAll(async () => {
    await client?.close();
  });
  const over = (checkpointCollectionName: string, options: Partial<MongoDBSaverParams> = {}) => {
    client ??= drivers[driver]();
    used.add(checkpointCollectionName);
    const saver = new MongoDBSaver({ ...options, client, dbName, checkpointCollectionName });
    names.set(saver, checkpointCollectionName);
    return saver;
  };
  return {
    name: `MongoDBSaver, ${driver}`,
    create: () => over(empty.pop() ?? uniqueName("c")),
    createWith: (options) => over(empty.pop() ?? uniqueName("c"), options),
    reopen: (saver) => over(names.get(saver)!),
    destroy: async (saver) => {
      const name = names.get(saver)!;
      await client!.db(dbName).collection(name).deleteMany({});
      if (used.delete(name)) empty.push(name);
    },
  };
}
