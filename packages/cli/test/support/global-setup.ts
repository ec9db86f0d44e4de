import { startMongoServer } from "@langgraph-savers/test/mongodb";
import { startDynamoDB } from "@langgraph-savers/test/servers";
import { MongoClient } from "mongodb";
import type { TestProject } from "vitest/node";

import { DATABASE } from "./urls.js";

declare module "vitest" {
  interface ProvidedContext {
    mongodb: string;
    dynamodb: string;
  }
}

/** One server of each kind per run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const [mongodb, dynamodb] = await Promise.all([startMongoServer(), startDynamoDB()]);
  project.provide("mongodb", mongodb.uri);
  project.provide("dynamodb", dynamodb.endpoint);
  return async () => {
    // From a server that stays.
    if (process.env["MONGODB_URI"]) await dropDatabase(mongodb.uri);
    await Promise.all([mongodb.stop(), dynamodb.stop()]);
  };
}

async function dropDatabase(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  await client.db(DATABASE).dropDatabase();
  await client.close();
}
