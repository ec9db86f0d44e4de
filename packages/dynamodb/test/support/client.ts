import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { inject } from "vitest";

export type ServerName = "dynamodb" | "dynalite";

/** A client for a test server; the credentials are what both servers want to see, and stand for nothing. */
export function testClient(
  server: ServerName = "dynamodb",
  config: DynamoDBClientConfig = {},
): DynamoDBClient {
  return new DynamoDBClient({
    endpoint: inject(server),
    region: "eu-central-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    ...config,
  });
}

let tables = 0;

/** Unique in the run: files run in processes of their own. */
export function newTableName(): string {
  tables += 1;
  return `t-${process.pid}-${Date.now().toString(36)}-${tables}`;
}
