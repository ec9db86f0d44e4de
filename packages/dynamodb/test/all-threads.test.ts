import { describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { put, text } from "./support/data.js";
import { Meter } from "./support/meter.js";

const client = testClient();
const meter = new Meter(client);

async function threadIds(saver: DynamoDBSaver, options = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { threadId } of saver.listThreads(options)) ids.push(threadId);
  return ids;
}

async function checkpointIds(saver: DynamoDBSaver): Promise<string[]> {
  const ids: string[] = [];
  for await (const { checkpoint } of saver.list({})) ids.push(checkpoint.id);
  return ids;
}

const long = "x".repeat(3000);

describe.each([
  ["with the index", { threadIndex: true }],
  ["with a scan", { scan: true }],
])("all threads, %s", (name, options) => {
  const open = (tableName: string) => new DynamoDBSaver({ tableName, client, ...options });

  it("lists threads by id, with what is in them", async () => {
    const saver = open(newTableName());
    const ids = ["b", "a", "a#1", `${long}2`, `${long}1`, "c"];
    for (const id of ids) await put(saver, id, { big: text(9000, 1) });
    await put(saver, "b", { small: 1 }, { namespace: "sub" });
    expect(await threadIds(saver)).toEqual(ids.toSorted());
    expect(await threadIds(saver, { prefix: "a" })).toEqual(["a", "a#1"]);
    expect(await threadIds(saver, { after: "a#1", limit: 1 })).toEqual(["b"]);
    for await (const info of saver.listThreads({ prefix: "b" })) {
      expect(info).toMatchObject({ threadId: "b", namespaces: ["", "sub"], checkpoints: 2, lastStep: 1 });
      expect(info.bytes).toBeGreaterThan(4000);
    }
    await saver.deleteThread("b");
    expect(await threadIds(saver, { prefix: "b" })).toEqual([]);
  });

  it("lists the checkpoints of all threads, newest first, page after page", async () => {
    const saver = open(newTableName());
    const ids: string[] = [];
    for (let at = 0; at < 40; at++) ids.push(await put(saver, `thread ${at % 7}`, { at }));
    expect(await checkpointIds(saver)).toEqual(ids.toReversed());
  });

  it("scans only where it was told to", async () => {
    const saver = open(newTableName());
    await put(saver, "t", { a: 1 });
    const { requests } = await meter.during(() => threadIds(saver));
    expect(requests["Scan"] ?? 0).toBe(name === "with a scan" ? 1 : 0);
  });
});

describe("all threads, with neither", () => {
  it("is a clear error that says what to do", async () => {
    const saver = new DynamoDBSaver({ tableName: newTableName(), client });
    await put(saver, "t", { a: 1 });
    for (const call of [() => threadIds(saver), () => checkpointIds(saver)]) {
      await expect(call()).rejects.toMatchObject({
        code: "SETUP_REQUIRED",
        message: expect.stringContaining("threadIndex") as string,
      });
    }
  });
});
