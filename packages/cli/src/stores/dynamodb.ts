import { importInstalled, messageOf } from "@langgraph-savers/command/modules";
import type * as Driver from "@aws-sdk/client-dynamodb";
import type { DynamoDBClient, DynamoDBClientConfig, TableDescription } from "@aws-sdk/client-dynamodb";

import type * as DynamoSavers from "@langgraph-savers/dynamodb";

import { CommandError, UsageError } from "../command/errors.js";
import { dynamoChecks } from "../doctor/dynamodb.js";
import type { Opener } from "./open.js";
import { threadsOf } from "./scan.js";

type DynamoPackage = typeof DynamoSavers;
export type DynamoDriver = typeof Driver;

const THREAD_INDEX = "threads";

export interface DynamoAddress {
  config: DynamoDBClientConfig;
  tableName: string;
  threadIndex: boolean;
  s3: { bucket: string; prefix?: string } | undefined;
}

/** `dynamodb://region/table?endpoint=…&threadIndex=true&s3=bucket&s3Prefix=…`. */
export const openDynamodb: Opener = async (address, { access, folder, label, env }) => {
  const { config, tableName, threadIndex, s3 } = dynamoAddress(address, env);
  // The driver's word on releases of Node.js to come would stand between the lines of every command.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  const driver = await importInstalled<DynamoDriver>(folder, "@aws-sdk/client-dynamodb");
  const { DynamoDBSaver } = await importInstalled<DynamoPackage>(folder, "@langgraph-savers/dynamodb");
  const client = new driver.DynamoDBClient(config);
  const table = await describeTable(driver, client, tableName);
  if (table === undefined && access !== "write") {
    client.destroy();
    if (access === "absent-is-empty") return undefined;
    throw new CommandError(
      `There is no table "${tableName}" in this account and region. Are the name and the region right?`,
    );
  }
  // What the index does not hold it does not find: a table that has one must go on being written with it.
  const isIndexed =
    threadIndex || (table?.GlobalSecondaryIndexes ?? []).some(({ IndexName }) => IndexName === THREAD_INDEX);
  const saver = new DynamoDBSaver({
    client,
    tableName,
    createTable: access === "write",
    threadIndex: isIndexed,
    scan: !isIndexed,
    ...(s3 === undefined ? {} : { s3 }),
  });
  return {
    kind: "dynamodb",
    label,
    identity: label,
    saver,
    threads: (options) => threadsOf(saver, options),
    taskWrites: (tuple) => saver.taskWrites(tuple),
    checks: () => dynamoChecks(driver, client, tableName),
    async close() {
      await saver.close();
      client.destroy();
    },
  };
};

export function dynamoAddress(address: string, env: NodeJS.ProcessEnv): DynamoAddress {
  let url: URL;
  try {
    url = new URL(`dynamodb:${address}`);
  } catch (error) {
    throw malformed(error);
  }
  const tableName = decodeURIComponent(url.pathname.replace(/^\//, ""));
  if (!address.startsWith("//") || tableName === "") throw malformed();
  const query = url.searchParams;
  const endpoint = query.get("endpoint") ?? undefined;
  const region = url.hostname || env["AWS_REGION"] || env["AWS_DEFAULT_REGION"];
  const hasCredentials = ["AWS_ACCESS_KEY_ID", "AWS_PROFILE"].some((name) => (env[name] ?? "") !== "");
  const bucket = query.get("s3");
  const prefix = query.get("s3Prefix");
  return {
    tableName,
    threadIndex: query.get("threadIndex") === "true",
    s3: bucket === null ? undefined : { bucket, ...(prefix === null ? {} : { prefix }) },
    config: {
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      // A server of one's own takes any, but wants some.
      ...(endpoint !== undefined && !hasCredentials
        ? { credentials: { accessKeyId: "local", secretAccessKey: "local" } }
        : {}),
    },
  };
}

/** Undefined where there is no such table. */
export async function describeTable(
  { DescribeTableCommand }: DynamoDriver,
  client: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof Error && error.name === "ResourceNotFoundException") return undefined;
    // Who may use a table need not be allowed to look at its description.
    if (error instanceof Error && error.name === "AccessDeniedException") return {};
    client.destroy();
    throw new CommandError(
      `DynamoDB cannot be used: ${messageOf(error) || "no answer"}. Look at the region, the endpoint and the credentials.`,
      { cause: error },
    );
  }
}

function malformed(cause?: unknown): UsageError {
  return new UsageError(
    "A table is named by dynamodb://region/table, with ?endpoint=http://localhost:8000 for a server of your own.",
    { cause },
  );
}
