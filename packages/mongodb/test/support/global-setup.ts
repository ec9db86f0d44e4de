import { startMongoServer } from "@langgraph-savers/test/mongodb";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    mongodbUri: string;
  }
}

/** One server for the whole run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startMongoServer();
  project.provide("mongodbUri", server.uri);
  return () => server.stop();
}
