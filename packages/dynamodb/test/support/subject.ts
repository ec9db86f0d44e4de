import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { SaverUnderTest } from "@langgraph-savers/test";

import { DynamoDBSaver, type DynamoDBSaverOptions } from "../../src/index.js";
import { testClient, type ServerName } from "./client.js";
import { faultyClient } from "./faults.js";
import { s3Options } from "./s3.js";
import { TablePool } from "./table-pool.js";

type SubjectOptions = Omit<DynamoDBSaverOptions, "tableName" | "client" | "clientConfig">;

/** `DynamoDBSaver` for the shared suites: an empty table for each saver that is created. */
function subject(
  name: string,
  server: ServerName,
  options: () => SubjectOptions = () => ({}),
  makeClient: () => DynamoDBClient = () => testClient(server),
): SaverUnderTest {
  let parts: { client: DynamoDBClient; tables: TablePool; options: SubjectOptions } | undefined;
  const made = new WeakMap<object, DynamoDBSaverOptions>();
  const make = (all: DynamoDBSaverOptions): DynamoDBSaver => {
    const saver = new DynamoDBSaver(all);
    made.set(saver, all);
    return saver;
  };
  const create = async (extra: SubjectOptions = {}): Promise<DynamoDBSaver> => {
    // Servers are known once tests run.
    parts ??= { client: makeClient(), tables: new TablePool(testClient(server)), options: options() };
    // dynalite has no calls for time to live, which set-up makes.
    const tableName = await parts.tables.take({ create: server === "dynalite" });
    return make({ tableName, client: parts.client, scan: true, ...parts.options, ...extra });
  };
  return {
    name,
    create: () => create(),
    createWith: (extra) => create(extra),
    reopen: (saver) => make(made.get(saver)!),
    destroy: async (saver: BaseCheckpointSaver) => {
      await (saver as DynamoDBSaver).close();
      await parts!.tables.giveBack(made.get(saver)!.tableName);
    },
  };
}

export const local = subject("DynamoDBSaver on DynamoDB Local", "dynamodb");

/** Everything that is chunked goes to S3. */
export const withS3 = subject("DynamoDBSaver with S3 (s3rver)", "dynamodb", () => ({ s3: s3Options() }));

/** The same, with both indexes instead of scans. */
export const indexedWithS3 = subject("DynamoDBSaver with indexes and S3 (s3rver)", "dynamodb", () => ({
  scan: false,
  threadIndex: true,
  runIndex: true,
  s3: s3Options(),
}));

export const failing = subject(
  "DynamoDBSaver on a failing DynamoDB",
  "dynamodb",
  undefined,
  () => faultyClient(20_261).client,
);

export const dynalite = subject("DynamoDBSaver on dynalite", "dynalite");
