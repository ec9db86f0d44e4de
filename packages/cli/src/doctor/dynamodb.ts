import { messageOf } from "@langgraph-savers/command/modules";
import type { DynamoDBClient, TableDescription } from "@aws-sdk/client-dynamodb";

import { formatBytes, formatCount } from "../render/units.js";
import type { DynamoDriver } from "../stores/dynamodb.js";
import { bad, clockCheck, info, ok, warn, type Check } from "./check.js";

const KEYS = "PK HASH, SK RANGE";

export async function* dynamoChecks(
  driver: DynamoDriver,
  client: DynamoDBClient,
  TableName: string,
): AsyncGenerator<Check> {
  const dates = watchDates(client);
  const before = Date.now();
  let table: TableDescription;
  try {
    table = (await client.send(new driver.DescribeTableCommand({ TableName }))).Table ?? {};
  } catch (error) {
    yield info("table", `cannot be described: ${messageOf(error)}`);
    return;
  }
  const server = dates.at(-1);
  if (server !== undefined) yield clockCheck((before + Date.now()) / 2 - server.getTime(), "the server");
  yield* tableChecks(table);
  yield* tolerant("expiry", () => expiry(driver, client, TableName));
  yield* tolerant("backups", () => backups(driver, client, TableName));
}

async function* tolerant(name: string, look: () => Promise<Check>): AsyncGenerator<Check> {
  try {
    yield await look();
  } catch (error) {
    // The policy for run time does not allow to ask, and servers for tests do not know the question.
    yield info(name, `cannot be found out: ${messageOf(error)}`);
  }
}

function* tableChecks(table: TableDescription): Generator<Check> {
  const keys = (table.KeySchema ?? [])
    .map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`)
    .join(", ");
  yield keys === KEYS
    ? ok("table", `${table.TableStatus}, keys as they should be`)
    : bad(
        "table",
        `its keys are ${keys || "none"}`,
        `Use a table with the keys ${KEYS}, both strings: setup() creates one.`,
      );
  const index = table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === "threads");
  if (index === undefined)
    yield info(
      "index of threads",
      "none: listing threads scans the whole table. `threadIndex: true` makes one",
    );
  else if (index.IndexStatus === "ACTIVE") yield ok("index of threads", "active");
  else
    yield warn(
      "index of threads",
      index.IndexStatus ?? "unknown",
      "Wait until it is ACTIVE before you list threads.",
    );
  yield info(
    "storage",
    `${formatCount(table.ItemCount ?? 0)} items, ${formatBytes(table.TableSizeBytes ?? 0)}, as counted some hours ago`,
  );
}

async function expiry(driver: DynamoDriver, client: DynamoDBClient, TableName: string): Promise<Check> {
  const { TimeToLiveDescription: found } = await client.send(
    new driver.DescribeTimeToLiveCommand({ TableName }),
  );
  const { TimeToLiveStatus: status = "DISABLED", AttributeName: attribute } = found ?? {};
  if (!status.startsWith("ENABL"))
    return warn(
      "expiry",
      "time to live is off",
      "Call `await saver.setup()`: deleted threads leave items that only expiry removes.",
    );
  if (attribute !== "ttl")
    return bad(
      "expiry",
      `time to live is on the attribute ${attribute}`,
      "Use a table of the saver's own, with time to live on ttl.",
    );
  return ok("expiry", "time to live is on");
}

async function backups(driver: DynamoDriver, client: DynamoDBClient, TableName: string): Promise<Check> {
  const { ContinuousBackupsDescription: found } = await client.send(
    new driver.DescribeContinuousBackupsCommand({ TableName }),
  );
  return found?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === "ENABLED"
    ? ok("backups", "to any point in time")
    : info("backups", "none to any point in time; `pointInTimeRecovery: true` and setup() turn them on");
}

/** The servers' clocks, from the headers of what they answer. */
function watchDates(client: DynamoDBClient): Date[] {
  const dates: Date[] = [];
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { headers?: Record<string, string> };
      const date = new Date(headers?.["date"] ?? "");
      if (!Number.isNaN(date.getTime())) dates.push(date);
      return result;
    },
    { step: "deserialize", name: "doctorDates", override: true },
  );
  return dates;
}
