import { readFileSync } from "node:fs";
import { withThreadLease } from "@langgraph-savers/core";
import { describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { standInForBackups } from "./support/backups.js";
import { newTableName, testClient } from "./support/client.js";
import { config, list, newId, put, text } from "./support/data.js";
import { Meter } from "./support/meter.js";
import { s3Options, testS3Client } from "./support/s3.js";

interface Statement {
  Sid: string;
  Action: string[];
  Resource: string[];
}

/** The policies that the README tells to paste, by the heading above them. */
function policy(heading: string): Map<string, string[]> {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const section = readme.slice(readme.indexOf(heading));
  const json = /```json\n([\s\S]*?)```/.exec(section)![1]!;
  const { Statement: statements } = JSON.parse(json) as { Statement: Statement[] };
  return new Map(
    statements.map(({ Sid, Action }) => [
      Sid,
      Action.map((action) => action.replace(/^\w+:/, "")).toSorted(),
    ]),
  );
}

/** The permissions that calls need: for a transaction those of its parts, of which the check has one of its own. */
function permissions(requests: Record<string, number>): string[] {
  return Object.keys(requests)
    .map((call) => call.replace("TransactWriteItems", "ConditionCheckItem"))
    .toSorted();
}

async function everything(saver: DynamoDBSaver): Promise<void> {
  const big = text(20_000, 1);
  const first = await put(saver, "t", { big, step: 1 });
  await saver.putWrites(config("t", first), [["w", "small"]], "task");
  await saver.putWrites(config("t", newId()), [["w", big]], "task");
  await put(
    saver,
    "t",
    { big, step: 2 },
    { parent: first, changed: ["step"], versions: { big: 1, step: 2 } },
  );
  await list(saver, "t");
  await saver.getDeltaChannelHistory({ config: config("t"), channels: ["w"] });
  await saver.deleteThread("t");
  await put(saver, "t", { big });
  await saver.getTuple(config("t"));
  await saver.prune(["t"], { keepLast: 1 });
  await saver.deleteForRuns(["none"]);
  await withThreadLease(saver, "t", () => put(saver, "t", { step: 3 }));
  for await (const _ of saver.listThreads());
  for await (const _ of saver.list({}));
}

describe("the policies of the README", () => {
  it("at run time: exactly the calls that are made", async () => {
    const client = testClient();
    const meter = new Meter(client);
    const tableName = newTableName();
    const indexes = { threadIndex: true, runIndex: true };
    await new DynamoDBSaver({ tableName, client, ...indexes }).setup();
    const documented = policy("### Policy for run time");
    for (const options of [indexes, { ...indexes, ttl: 3600 }]) {
      const { requests } = await meter.during(() =>
        everything(new DynamoDBSaver({ tableName, client, cacheBytes: 0, ...options })),
      );
      expect(permissions(requests)).toEqual(documented.get("Checkpoints"));
    }
    const scan = new DynamoDBSaver({ tableName, client, cacheBytes: 0, scan: true });
    const { requests } = await meter.during(() => everything(scan));
    expect(permissions(requests)).toEqual(
      [...documented.get("Checkpoints")!, ...documented.get("OnlyWithScan")!].toSorted(),
    );
  });

  it("in S3: exactly the calls that are made", async () => {
    const s3 = testS3Client();
    const sent = new Set<string>();
    s3.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          // ListBucket is the permission of ListObjectsV2.
          sent.add(String(commandName).replace("ListObjectsV2", "ListBucket").replace("Command", ""));
          return next(args);
        },
      { step: "initialize", name: "calls" },
    );
    const options = { tableName: newTableName(), client: testClient(), cacheBytes: 0, scan: true };
    await everything(new DynamoDBSaver({ ...options, s3: s3Options(s3, `${newId()}/`) }));
    const documented = policy("### Policy for S3");
    expect([...sent].toSorted()).toEqual(
      [...documented.get("Objects")!, ...documented.get("Listing")!].toSorted(),
    );
  });

  it("at set-up: exactly the calls that are made", async () => {
    const client = testClient();
    standInForBackups(client);
    const meter = new Meter(client);
    const tableName = newTableName();
    const options = { tableName, client, pointInTimeRecovery: true, kmsKeyId: "alias/mine" };
    const { requests } = await meter.during(async () => {
      await new DynamoDBSaver(options).setup();
      await new DynamoDBSaver({ ...options, threadIndex: true, runIndex: true }).setup();
    });
    expect(Object.keys(requests).toSorted()).toEqual(policy("### Policy for set-up").get("Table"));
  });
});
