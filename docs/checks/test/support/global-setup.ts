import { startMongoServer } from "@langgraph-savers/test/mongodb";
import { startDynamoDB } from "@langgraph-savers/test/servers";
import type { TestProject } from "vitest/node";

import type { Servers } from "../../src/snippets/servers.js";

declare module "vitest" {
  export interface ProvidedContext {
    servers: Servers;
  }
}

/** The servers that the pages name, once for the whole run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const [mongodb, dynamodb] = await Promise.all([startMongoServer(), startDynamoDB()]);
  project.provide("servers", { mongodb: mongodb.uri, dynamodb: dynamodb.endpoint });
  return async () => {
    await Promise.all([mongodb.stop(), dynamodb.stop()]);
  };
}
