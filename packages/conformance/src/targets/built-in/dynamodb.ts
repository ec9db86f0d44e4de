import { randomUUID } from "node:crypto";

import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { importInstalled } from "@langgraph-savers/command/modules";

import type { ConformanceTarget } from "../../scenario.js";
import { createOver, type Serde } from "../backend.js";
import type { TargetContext } from "../target-context.js";
import { TargetError } from "../target-error.js";

interface ClientConfig {
  endpoint: string;
  region: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

interface DynamoPackage {
  DynamoDBSaver: new (options: {
    clientConfig: ClientConfig;
    tableName: string;
    scan: boolean;
    serde?: Serde;
  }) => BaseCheckpointSaver & { close(): Promise<void> };
}

interface DynamoDriver {
  DynamoDBClient: new (config: ClientConfig) => { send(command: unknown): Promise<unknown>; destroy(): void };
  DeleteTableCommand: new (input: { TableName: string }) => unknown;
}

/** Only against an endpoint that was named: a table for each scenario is nothing to do to an account by accident. */
export async function dynamodb({ folder, env }: TargetContext): Promise<ConformanceTarget> {
  const { DynamoDBSaver } = await importInstalled<DynamoPackage>(folder, "@langgraph-savers/dynamodb");
  const endpoint = env["DYNAMODB_ENDPOINT"];
  if (endpoint === undefined || endpoint === "")
    throw new TargetError(
      "DynamoDBSaver needs a server: set DYNAMODB_ENDPOINT, such as http://localhost:8000",
    );
  const driver = await importInstalled<DynamoDriver>(folder, "@aws-sdk/client-dynamodb");
  const clientConfig: ClientConfig = {
    endpoint,
    region: env["AWS_REGION"] ?? "us-east-1",
    // DynamoDB Local takes any, but wants some.
    ...(env["AWS_ACCESS_KEY_ID"] === undefined && {
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    }),
  };
  return {
    name: "DynamoDBSaver",
    create: () =>
      createOver<string>({
        place: () => `conformance-${randomUUID()}`,
        open(tableName, serde) {
          // Without it, or indexes that only setup() makes, there is no list over all threads, which the contract asks for.
          const options = { clientConfig, tableName, scan: true };
          const saver = new DynamoDBSaver(serde === undefined ? options : { ...options, serde });
          return { saver, close: () => saver.close() };
        },
        remove: (tableName) => deleteTable(driver, clientConfig, tableName),
      }),
  };
}

async function deleteTable(driver: DynamoDriver, config: ClientConfig, TableName: string): Promise<void> {
  const client = new driver.DynamoDBClient(config);
  try {
    await client.send(new driver.DeleteTableCommand({ TableName }));
  } catch (error) {
    // A scenario that never used its saver never made its table.
    if (!(error instanceof Error && error.name === "ResourceNotFoundException")) throw error;
  } finally {
    client.destroy();
  }
}
