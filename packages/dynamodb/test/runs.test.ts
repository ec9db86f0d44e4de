import { DeleteItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { list, newId, put, text } from "./support/data.js";
import { Meter } from "./support/meter.js";

const client = testClient();
const meter = new Meter(client);
const big = text(9000, 1);

describe.each([
  ["with the index", { runIndex: true }],
  ["with a scan", { scan: true }],
])("deleteForRuns %s", (name, options) => {
  it("deletes what the runs put, in every thread, whatever their ids", async () => {
    const tableName = newTableName();
    const saver = new DynamoDBSaver({ tableName, client, ...options });
    const long = text(5000, 1);
    const runs = ["a", "a#1", "", `${long}1`, `${long}2`];
    const kept: string[] = [];
    for (const run of runs) {
      for (const thread of ["t", "u"]) {
        for (const step of [1, 2]) {
          const id = await put(saver, thread, { big, step }, { run });
          if (run === "a#1" || run === `${long}2`) kept.push(id);
        }
      }
    }
    kept.push(await put(saver, "t", { big }));
    const usage = await meter.during(async () => {
      expect(await saver.deleteForRuns(["a", "", "", `${long}1`, "unknown"])).toEqual({ checkpoints: 12 });
    });
    expect(usage.requests["Scan"] ?? 0).toBe(name === "with a scan" ? 1 : 0);
    const left = [...(await list(saver, "t")), ...(await list(saver, "u"))];
    expect(left.map(({ checkpoint }) => checkpoint.id).toSorted()).toEqual(kept.toSorted());
    expect(await saver.deleteForRuns(["a"])).toEqual({ checkpoints: 0 });
  });
});

describe("the index of runs", () => {
  it("costs puts without a run nothing", async () => {
    const tableName = newTableName();
    const saver = new DynamoDBSaver({ tableName, client, runIndex: true });
    await saver.setup();
    const without = await meter.during(() => put(saver, "t", { step: 1 }));
    const within = await meter.during(() => put(saver, "t", { step: 1 }, { run: newId() }));
    expect(without.requests).toEqual({ PutItem: 1 });
    expect(without.units).toBe(1);
    expect(within.requests).toEqual({ PutItem: 1 });
    expect(within.units).toBe(2);
  });

  it("is believed only as far as the table agrees", async () => {
    const tableName = newTableName();
    const saver = new DynamoDBSaver({ tableName, client, runIndex: true });
    const [gone, moved] = [await put(saver, "t", { a: 1 }, { run: "a" }), newId()];
    await put(saver, "t", { a: 2 }, { run: "a", id: moved });
    // What the index says comes late: as it was before these changes.
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName, IndexName: "runs" }));
    expect(Items).toHaveLength(2);
    const stale = testClient();
    stale.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        if ((args.input as { IndexName?: string }).IndexName === "runs")
          Object.assign(result.output, { Items });
        return result;
      },
      { step: "initialize", name: "stale" },
    );
    await put(saver, "t", { a: 3 }, { run: "b", id: moved });
    const item = Items.find(({ SK }) => SK!.S!.includes(gone))!;
    await client.send(
      new DeleteItemCommand({ TableName: tableName, Key: { PK: item["PK"]!, SK: item["SK"]! } }),
    );
    const late = new DynamoDBSaver({ tableName, client: stale, runIndex: true });
    expect(await late.deleteForRuns(["a"])).toEqual({ checkpoints: 0 });
    expect(await list(saver, "t")).toHaveLength(1);
  });

  it("or a scan is needed: without either a clear error says so", async () => {
    const saver = new DynamoDBSaver({ tableName: newTableName(), client, threadIndex: true });
    await put(saver, "t", { a: 1 }, { run: "a" });
    await expect(saver.deleteForRuns(["a"])).rejects.toMatchObject({
      code: "SETUP_REQUIRED",
      message: expect.stringContaining("runIndex") as string,
    });
    expect(await list(saver, "t")).toHaveLength(1);
  });
});
