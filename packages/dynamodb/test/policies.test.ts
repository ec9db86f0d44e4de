import { withRetention, withThreadLease } from "@langgraph-savers/core";
import { describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { standInForBackups } from "./support/backups.js";
import { newDatabase, newTableName, testClient } from "./support/client.js";
import { config, list, newId, put, text } from "./support/data.js";
import { Lifecycle } from "./support/lifecycle.js";
import { Meter } from "./support/meter.js";
import { snippet } from "./support/readme.js";
import { s3Options, testS3Client } from "./support/s3.js";

interface Statement {
  Sid: string;
  Action: string[];
  Resource: string[];
}

/** The policies that the README tells to paste, by the heading above them. */
function policy(heading: string): Map<string, string[]> {
  const { Statement: statements } = JSON.parse(snippet(heading, "json")) as { Statement: Statement[] };
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

/** Where a permission does not have the name of its call. */
const S3_PERMISSIONS: Record<string, string[]> = {
  ListObjectsV2: ["ListBucket"],
  CopyObject: ["GetObject", "PutObject"],
  GetBucketLifecycleConfiguration: ["GetLifecycleConfiguration"],
};

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
  const { checkpoint } = (await saver.getTuple(config("t")))!;
  await saver.exists("t");
  await saver.threadInfo("t");
  await saver.getAtOrBefore("t", { step: 1 });
  await saver.copyThread("t", newId());
  await saver.fork(config("t", checkpoint.id));
  await saver.deleteCheckpoints("t", [checkpoint.id]);
  await saver.stats();
  await saver.verify();
  await saver.ping();
  await using retention = withRetention(saver, { maxCheckpoints: 1, idleThreadMs: 3600_000 });
  await retention.sweep();
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
    let copies = 0;
    s3.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          const name = String(commandName).replace(/Command$/, "");
          if (name === "CopyObject") copies += 1;
          for (const action of S3_PERMISSIONS[name] ?? [name]) sent.add(action);
          return next(args);
        },
      { step: "initialize", name: "calls" },
    );
    const options = { tableName: newTableName(), client: testClient(), cacheBytes: 0, scan: true };
    const own = { ...options, s3: s3Options(s3, `${newId()}/`) };
    await everything(new DynamoDBSaver(own));
    const documented = policy("### Policy for S3");
    const always = [...documented.get("Objects")!, ...documented.get("Listing")!].toSorted();
    expect([...sent].toSorted()).toEqual(always);
    // Threads that did not expire until now: their objects move.
    const expiring = new DynamoDBSaver({ ...own, ttl: 3600 });
    await put(new DynamoDBSaver(own), "late", { big: text(20_000, 1) });
    await put(expiring, "late", { small: 1 });
    expect(copies).toBeGreaterThan(0);
    expect([...sent].toSorted()).toEqual(always);
    new Lifecycle(s3).rules = [{ Status: "Enabled", Filter: { Prefix: "" }, Expiration: { Days: 2 } }];
    await expiring.setup();
    expect([...sent].toSorted()).toEqual([...always, ...documented.get("OnlySetupWithTtl")!].toSorted());
  });

  it("at set-up: exactly the calls that are made", async () => {
    const client = testClient("dynamodb", newDatabase());
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
