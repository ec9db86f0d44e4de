import { startDynalite, startDynamoDB } from "@langgraph-savers/test/servers";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** DynamoDB Local, or what stands in for it. */
    dynamodb: string;
    dynalite: string;
  }
}

/** One server of each kind per run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dynamodb = await startDynamoDB();
  const dynalite = await startDynalite();
  project.provide("dynamodb", dynamodb.endpoint);
  project.provide("dynalite", dynalite.endpoint);
  return async () => {
    await Promise.all([dynamodb.stop(), dynalite.stop()]);
  };
}
