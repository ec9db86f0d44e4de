import {
  CreateTableCommand,
  DescribeTableCommand,
  UpdateTimeToLiveCommand,
  type TableDescription,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { standInForBackups } from "./support/backups.js";
import { newTableName, testClient } from "./support/client.js";
import { put, values } from "./support/data.js";
import { Meter } from "./support/meter.js";
import { cdk, cloudFormation, terraform, type Template } from "./support/templates.js";

const client = testClient();
const everything = { threadIndex: true, runIndex: true, pointInTimeRecovery: true };

async function describeTable(TableName: string): Promise<object> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return comparable(Table!);
}

/** What templates and requests decide about a table, in one order. */
function comparable({
  AttributeDefinitions,
  KeySchema,
  GlobalSecondaryIndexes = [],
}: Partial<TableDescription>) {
  return {
    attributes: AttributeDefinitions!.map((each) => `${each.AttributeName} ${each.AttributeType}`).toSorted(),
    keys: KeySchema!.map((each) => `${each.AttributeName} ${each.KeyType}`).toSorted(),
    indexes: Object.fromEntries(
      GlobalSecondaryIndexes.map((index) => [
        index.IndexName,
        {
          keys: index.KeySchema!.map((each) => `${each.AttributeName} ${each.KeyType}`).toSorted(),
          type: index.Projection!.ProjectionType,
          attributes: index.Projection!.NonKeyAttributes!.toSorted(),
        },
      ]),
    ),
  };
}

describe.each<[string, () => Template]>([
  ["CloudFormation", cloudFormation],
  ["CDK", cdk],
  ["Terraform", terraform],
])("the README's template for %s", (_, read) => {
  it("makes the table that setup makes", async () => {
    const tableName = newTableName();
    await new DynamoDBSaver({ tableName, client, threadIndex: true, runIndex: true }).setup();
    const { table, timeToLive, backups } = read();
    expect(comparable(table)).toEqual(await describeTable(tableName));
    expect(table.BillingMode).toBe("PAY_PER_REQUEST");
    expect(timeToLive).toEqual({ AttributeName: "ttl", Enabled: true });
    expect(backups).toBe(true);
  });

  it("makes one that setup finds nothing to add to, and that works", async () => {
    const { table, timeToLive } = read();
    const TableName = newTableName();
    await client.send(new CreateTableCommand({ ...table, TableName }));
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: timeToLive }));
    const own = testClient();
    standInForBackups(own, "ENABLED");
    const meter = new Meter(own);
    const saver = new DynamoDBSaver({ tableName: TableName, client: own, ...everything });
    const { requests } = await meter.during(() => saver.setup());
    expect(Object.keys(requests).filter((name) => !name.startsWith("Describe"))).toEqual([]);
    await put(saver, "t", { a: 1 }, { run: "r" });
    expect(await values(saver, "t")).toEqual({ a: 1 });
    for await (const { threadId } of saver.listThreads()) expect(threadId).toBe("t");
    expect(await saver.deleteForRuns(["r"])).toEqual({ checkpoints: 1 });
  });
});
