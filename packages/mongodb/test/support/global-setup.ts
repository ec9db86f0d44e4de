import { startMongoServer } from "@langgraph-savers/test/mongodb";
import { MongoClient } from "mongodb";
import type { TestProject } from "vitest/node";

import { SUITES, TESTS } from "./databases.js";

declare module "vitest" {
  export interface ProvidedContext {
    mongodbUri: string;
  }
}

/** One server for the whole run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startMongoServer();
  project.provide("mongodbUri", server.uri);
  return async () => {
    if (process.env["MONGODB_URI"]) await removeData(server.uri);
    await server.stop();
  };
}

/** From a server that stays. */
async function removeData(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  for (const name of [SUITES, TESTS]) await client.db(name).dropDatabase();
  await client.close();
}
