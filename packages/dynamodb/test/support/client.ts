import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { inject } from "vitest";

export type ServerName = "dynamodb" | "dynalite";

/**
 * A client for a test server. The credentials stand for nothing, but DynamoDB Local keeps a database per key: test files
 * of two processes do not wait for each other.
 */
export function testClient(
  server: ServerName = "dynamodb",
  config: DynamoDBClientConfig = {},
): DynamoDBClient {
  return new DynamoDBClient({
    endpoint: inject(server),
    region: "eu-central-1",
    credentials: { accessKeyId: `test${process.pid}`, secretAccessKey: "test" },
    ...config,
  });
}

let databases = 0;

/** For tests that add an index to a table: DynamoDB Local takes the longer for it the more tables there are. */
export function newDatabase(): Pick<DynamoDBClientConfig, "credentials"> {
  databases += 1;
  return { credentials: { accessKeyId: `own${process.pid}x${databases}`, secretAccessKey: "test" } };
}

let tables = 0;

/** Unique in the run: files run in processes of their own. */
export function newTableName(): string {
  tables += 1;
  return `t-${process.pid}-${Date.now().toString(36)}-${tables}`;
}
