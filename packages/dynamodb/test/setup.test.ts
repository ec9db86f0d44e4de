import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
  type CreateTableCommandInput,
} from "@aws-sdk/client-dynamodb";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { DynamoDBSaver, type DynamoDBSaverOptions } from "../src/index.js";
import { newDatabase, newTableName, testClient } from "./support/client.js";
import { config, put, values } from "./support/data.js";
import { Gate } from "./support/gate.js";
import { Meter } from "./support/meter.js";
import { standInForBackups } from "./support/backups.js";

type TableKeys = Pick<CreateTableCommandInput, "AttributeDefinitions" | "KeySchema">;

const client = testClient();

async function createTable(input: TableKeys, owner = client): Promise<string> {
  const TableName = newTableName();
  await owner.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      ...input,
    }),
  );
  return TableName;
}

const keys = (hash: string, range: string, type: "S" | "B" = "S"): TableKeys => ({
  AttributeDefinitions: [
    { AttributeName: hash, AttributeType: type },
    { AttributeName: range, AttributeType: type },
  ],
  KeySchema: [
    { AttributeName: hash, KeyType: "HASH" },
    { AttributeName: range, KeyType: "RANGE" },
  ],
});

describe("setup", () => {
  it("creates the table on demand, with time to live; twice and by several at once is once", async () => {
    const tableName = newTableName();
    const savers = [1, 2, 3].map(() => new DynamoDBSaver({ tableName, client }));
    await Promise.all(savers.map((saver) => saver.setup()));
    await savers[0]!.setup();
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    expect(Table?.BillingModeSummary?.BillingMode).toBe("PAY_PER_REQUEST");
    expect(Table?.GlobalSecondaryIndexes).toBeUndefined();
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: tableName }),
    );
    expect(TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: "ENABLED", AttributeName: "ttl" });
  });

  it("takes a table that somebody else made, and completes it", async () => {
    const own = testClient("dynamodb", newDatabase());
    const tableName = await createTable(keys("PK", "SK"), own);
    const saver = new DynamoDBSaver({ tableName, client: own, threadIndex: true });
    await saver.setup();
    const { Table } = await own.send(new DescribeTableCommand({ TableName: tableName }));
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(["threads"]);
    await put(saver, "t", { a: 1 });
    expect(await values(saver, "t")).toEqual({ a: 1 });
  });

  it.each<[string, TableKeys, string]>([
    [
      "other key names",
      keys("pk", "sk"),
      'its partition key is "pk", not "PK"; its sort key is "sk", not "SK"',
    ],
    ["binary keys", keys("PK", "SK", "B"), 'its partition key "PK" is of type B, not S'],
    [
      "no sort key",
      {
        AttributeDefinitions: [{ AttributeName: "PK", AttributeType: "S" }],
        KeySchema: [{ AttributeName: "PK", KeyType: "HASH" }],
      },
      "its sort key is missing",
    ],
  ])("says what is wrong with a table that has %s", async (_, input, message) => {
    const saver = new DynamoDBSaver({ tableName: await createTable(input), client });
    await expect(saver.setup()).rejects.toMatchObject({
      code: "SETUP_MISMATCH",
      message: expect.stringContaining(message) as string,
    });
  });

  it("says which attribute another time to live is on", async () => {
    const tableName = await createTable(keys("PK", "SK"));
    const TimeToLiveSpecification = { Enabled: true, AttributeName: "expires" };
    await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
    await expect(new DynamoDBSaver({ tableName, client }).setup()).rejects.toMatchObject({
      code: "SETUP_MISMATCH",
      message: expect.stringContaining('"expires"') as string,
    });
  });

  it("asks for backups and a key where it is told to", async () => {
    const own = testClient();
    const sent = standInForBackups(own);
    const saver = new DynamoDBSaver({
      tableName: newTableName(),
      client: own,
      pointInTimeRecovery: true,
      kmsKeyId: "alias/mine",
    });
    await saver.setup();
    expect(sent.find(({ commandName }) => commandName === "CreateTableCommand")).toMatchObject({
      SSESpecification: { Enabled: true, SSEType: "KMS", KMSMasterKeyId: "alias/mine" },
    });
    expect(sent.at(-1)).toMatchObject({
      commandName: "UpdateContinuousBackupsCommand",
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  it("refuses a table without the key that was asked for", async () => {
    const tableName = await createTable(keys("PK", "SK"));
    const saver = new DynamoDBSaver({ tableName, client, kmsKeyId: "alias/mine" });
    await expect(saver.setup()).rejects.toMatchObject({ code: "SETUP_MISMATCH" });
  });
});

describe("the first call", () => {
  it("sends nothing but its own request when the table is there", async () => {
    const tableName = await createTable(keys("PK", "SK"));
    const own = testClient();
    const meter = new Meter(own);
    const saver = new DynamoDBSaver({ tableName, client: own });
    const usage = await meter.during(() => put(saver, "t", { a: 1 }));
    expect(usage.requests).toEqual({ PutItem: 1 });
  });

  it("creates a table that is not there, unless told not to", async () => {
    const tableName = newTableName();
    const refusing = new DynamoDBSaver({ tableName, client, createTable: false });
    for (const call of [() => put(refusing, "t", { a: 1 }), () => refusing.getTuple(config("t"))]) {
      await expect(call()).rejects.toMatchObject({
        code: "SETUP_REQUIRED",
        message: expect.stringContaining(tableName) as string,
      });
    }
    const saver = new DynamoDBSaver({ tableName, client });
    expect(await saver.getTuple(config("t"))).toBeUndefined();
    await put(saver, "t", { a: 1 });
    expect(await values(refusing, "t")).toEqual({ a: 1 });
  });

  it("says that the keys are wrong, and how to hear more", async () => {
    const saver = new DynamoDBSaver({ tableName: await createTable(keys("pk", "sk")), client });
    await expect(put(saver, "t", { a: 1 })).rejects.toMatchObject({
      code: "SETUP_MISMATCH",
      message: expect.stringContaining("setup()") as string,
    });
  });
});

describe("access", () => {
  it("denied is ACCESS_DENIED, at once", async () => {
    const own = testClient();
    new Gate(own).fail(() => true);
    const saver = new DynamoDBSaver({ tableName: newTableName(), client: own });
    for (const call of [() => put(saver, "t", { a: 1 }), () => saver.setup(), () => saver.deleteThread("t")])
      await expect(call()).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("without credentials is ACCESS_DENIED", async () => {
    const credentials = () =>
      Promise.reject(Object.assign(new Error("none"), { name: "CredentialsProviderError" }));
    const saver = new DynamoDBSaver({
      tableName: newTableName(),
      client: testClient("dynamodb", { credentials }),
    });
    await expect(put(saver, "t", { a: 1 })).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("no error shows credentials, not even in its cause", async () => {
    const credentials = {
      accessKeyId: `test${process.pid}`,
      secretAccessKey: "hidden-secret",
      sessionToken: "hidden-token",
    };
    const saver = new DynamoDBSaver({
      tableName: await createTable(keys("pk", "sk")),
      client: testClient("dynamodb", { credentials }),
    });
    for (const call of [() => put(saver, "t", { a: 1 }), () => saver.setup()]) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "SETUP_MISMATCH" });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/hidden-|Signature=/);
    }
  });
});

describe("options", () => {
  it.each<[string, Record<string, unknown>]>([
    ["no table name", { tableName: undefined }],
    ["a table name with a space", { tableName: "my table" }],
    ["a client and a config for one", { tableName: "abc", client, clientConfig: {} }],
    ["a client that is none", { tableName: "abc", client: {} }],
    ["no options", undefined as never],
    ["a region beside clientConfig", { tableName: "abc", region: "eu-central-1" }],
    ["a misspelt option of s3", { tableName: "abc", s3: { bucket: "b", prefx: "a" } }],
    ["a ttl of 0", { tableName: "abc", ttl: 0 }],
    ["a ttl that is no number", { tableName: "abc", ttl: "1d" }],
    ["a flag that is no flag", { tableName: "abc", scan: "yes" }],
    ["a negative time for retries", { tableName: "abc", retryMs: -1 }],
  ])("%s is a clear error", (_, options) => {
    expect(() => new DynamoDBSaver(options as unknown as DynamoDBSaverOptions)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }) as Error,
    );
  });

  it("a region that is set nowhere is named", async () => {
    for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"]) vi.stubEnv(name, undefined);
    for (const name of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(name, "/dev/null");
    onTestFinished(() => void vi.unstubAllEnvs());
    const saver = new DynamoDBSaver({ tableName: "abc" });
    await expect(saver.getTuple({ configurable: { thread_id: "a" } })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("AWS_REGION") as string,
    });
    await saver.close();
  });

  it("close ends only a client that the saver made itself", async () => {
    const own = testClient();
    const saver = new DynamoDBSaver({ tableName: newTableName(), client: own });
    await saver.close();
    await expect(saver.getTuple(config("t"))).rejects.toMatchObject({ code: "SAVER_CLOSED" });
    const again = new DynamoDBSaver({ tableName: newTableName(), client: own });
    expect(await again.getTuple(config("t"))).toBeUndefined();
    expect(own).toBeInstanceOf(DynamoDBClient);
  });
});
