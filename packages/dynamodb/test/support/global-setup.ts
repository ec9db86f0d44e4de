import { startDynalite, startDynamoDB, startS3 } from "@langgraph-savers/test/servers";
import type { TestProject } from "vitest/node";

import { BUCKET } from "./bucket.js";

declare module "vitest" {
  interface ProvidedContext {
    /** DynamoDB Local, or what stands in for it. */
    dynamodb: string;
    dynalite: string;
    s3: string;
  }
}

/** One server of each kind per run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dynamodb = await startDynamoDB();
  const dynalite = await startDynalite();
  const s3 = await startS3(BUCKET);
  project.provide("s3", s3.endpoint);
  project.provide("dynamodb", dynamodb.endpoint);
  project.provide("dynalite", dynalite.endpoint);
  return async () => {
    await Promise.all([dynamodb.stop(), dynalite.stop(), s3.stop()]);
  };
}
