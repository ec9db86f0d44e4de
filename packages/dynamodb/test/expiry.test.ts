import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { config, list, put, text, values } from "./support/data.js";
import { Meter } from "./support/meter.js";

const HOUR = 3600;
const TTL = 24 * HOUR;
const big = text(30_000, 1);

describe("ttl", () => {
  const client = testClient();
  const meter = new Meter(client);
  let tableName: string;
  let now: number;

  beforeEach(() => {
    tableName = newTableName();
    // From now on: DynamoDB Local removes what has expired by the real clock.
    now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const open = () => new DynamoDBSaver({ tableName, client, ttl: TTL, scan: true });
  const pass = (seconds: number) => vi.setSystemTime((now += seconds * 1000));

  /** A checkpoint that carries the large value over from its parent. */
  const putStep = (saver: DynamoDBSaver, parent: string, step: number) =>
    put(saver, "t", { big, step }, { parent, changed: ["step"], versions: { big: 1, step: step + 1 } });

  async function items() {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
    return Items.map((item) => ({
      key: item["SK"]!.S!,
      ttl: item["ttl"] === undefined ? Infinity : Number(item["ttl"].N),
    }));
  }

  it("hides a thread that nothing was put to, from every read, though DynamoDB has not removed it yet", async () => {
    const id = await put(open(), "t", { big });
    await open().putWrites(config("t", id), [["w", big]], "task");
    pass(TTL - HOUR);
    expect(await values(open(), "t")).toEqual({ big });
    pass(TTL);
    expect(await values(open(), "t")).toBeUndefined();
    expect(await values(open(), "t", id)).toBeUndefined();
    expect(await list(open(), "t")).toEqual([]);
    const everywhere = [];
    for await (const tuple of open().list({})) everywhere.push(tuple);
    expect(everywhere).toEqual([]);
    expect((await items()).length).toBeGreaterThan(0);
  });

  it("slides: a thread that is put to stays whole, however old its parts are", async () => {
    let saver = open();
    const first = await put(saver, "t", { big, step: 0 });
    await saver.putWrites(config("t", first), [["w", big]], "task");
    let parent = first;
    for (let step = 1; step <= 12; step++) {
      pass(TTL * 0.4);
      // Half of the time by another process.
      if (step % 2 === 0) saver = open();
      parent = await putStep(saver, parent, step);
    }
    expect(await values(open(), "t")).toEqual({ big, step: 12 });
    const tuple = await open().getTuple(config("t", first));
    expect(tuple?.checkpoint.channel_values).toEqual({ big, step: 0 });
    expect(tuple?.pendingWrites).toEqual([["task", "w", big]]);
    expect(await list(open(), "t")).toHaveLength(13);
  });

  it("what a checkpoint refers to always outlives it", async () => {
    const saver = open();
    let parent = await put(saver, "t", { big, step: 0 });
    for (let step = 1; step <= 8; step++) {
      pass(TTL * 0.23);
      parent = await putStep(saver, parent, step);
      const all = await items();
      const checkpoints = all.filter(({ key }) => key.startsWith("C#")).map(({ ttl }) => ttl);
      const others = all.filter(({ key }) => key.startsWith("B#")).map(({ ttl }) => ttl);
      expect(Math.min(...others)).toBeGreaterThanOrEqual(Math.max(...checkpoints) + HOUR);
      expect(Math.min(...checkpoints)).toBeGreaterThanOrEqual(now / 1000 + TTL);
    }
  });

  it("a put gives all items new time once in half of the ttl, not each time", async () => {
    const saver = open();
    let parent = await put(saver, "t", { big, step: 0 });
    const step = (at: number) => async () => {
      parent = await putStep(saver, parent, at);
    };
    expect((await meter.during(step(1))).requests).toEqual({ GetItem: 1, PutItem: 1 });
    pass(TTL * 0.6);
    expect((await meter.during(step(2))).requests["UpdateItem"]).toBeGreaterThan(5);
    expect((await meter.during(step(3))).requests).toEqual({ GetItem: 1, PutItem: 1 });
  });

  it("calls that come at once, as those of parallel tasks do, give all items new time once", async () => {
    const saver = open();
    const id = await put(saver, "t", { big });
    const writes = (at: number) => saver.putWrites(config("t", id), [["w", at]], `task ${at}`);
    for (let at = 0; at < 4; at++) await writes(at);
    const stored = (await items()).length;
    pass(TTL * 0.6);
    const { requests } = await meter.during(() => Promise.all([4, 5, 6, 7].map(writes)));
    // One for each batch of writes, and one for each item that was there before; all but the mark, which is put.
    expect(requests["UpdateItem"]).toBeLessThanOrEqual(4 + stored - 1);
    for (const { key, ttl } of await items()) expect(ttl, key).toBeGreaterThan(now / 1000 + TTL);
  });

  it("an expired thread starts afresh: nothing of it comes back", async () => {
    const id = await put(open(), "t", { big, old: true });
    await open().putWrites(config("t", id), [["w", "old"]], "task");
    pass(TTL * 3);
    await open().putWrites(config("t", id), [["w", "new"]], "task");
    await put(open(), "t", { big }, { id });
    const tuple = await open().getTuple(config("t"));
    expect(tuple?.checkpoint.channel_values).toEqual({ big });
    expect(tuple?.pendingWrites).toEqual([["task", "w", "new"]]);
  });

  it("turned on later, gives threads that are put to a time of their own", async () => {
    const before = new DynamoDBSaver({ tableName, client });
    const parent = await put(before, "t", { big });
    await put(open(), "t", { big }, { parent, changed: [] });
    expect((await items()).filter(({ ttl }) => ttl === Infinity)).toEqual([]);
  });

  it("raised, gives all of a thread the new time with the first put, before what it relies on expires", async () => {
    const parent = await put(open(), "t", { big, step: 0 });
    const raised = new DynamoDBSaver({ tableName, client, ttl: 10 * TTL });
    await raised.getTuple(config("t"));
    await putStep(raised, parent, 1);
    const all = await items();
    const last = Math.max(...all.filter(({ key }) => key.startsWith("C#")).map(({ ttl }) => ttl));
    expect(last).toBeGreaterThan(now / 1000 + 14 * TTL);
    const others = all.filter(({ key }) => !key.startsWith("C#")).map(({ ttl }) => ttl);
    expect(Math.min(...others)).toBeGreaterThan(last);
  });

  it("turned off, takes the time from all of a thread with the first put", async () => {
    const first = await put(open(), "t", { big, step: 0 });
    await open().putWrites(config("t", first), [["w", big]], "task");
    const without = new DynamoDBSaver({ tableName, client });
    await without.getTuple(config("t"));
    await putStep(without, first, 1);
    expect((await items()).filter(({ ttl }) => ttl !== Infinity)).toEqual([]);
    pass(100 * TTL);
    expect(await values(without, "t")).toEqual({ big, step: 1 });
    expect(await values(without, "t", first)).toEqual({ big, step: 0 });
    const usage = await meter.during(() => putStep(without, first, 2));
    expect(usage.requests).toEqual({ GetItem: 1, PutItem: 1 });
  });

  it("a deleted thread that is used again keeps its generation for as long as its data", async () => {
    const saver = open();
    await put(saver, "t", { big });
    await saver.deleteThread("t");
    await put(saver, "t", { big });
    pass(TTL * 0.7);
    await put(open(), "t", { big });
    const all = await items();
    const generation = all.find(({ key }) => key === "G")!.ttl;
    expect(generation).toBeGreaterThanOrEqual(
      Math.max(...all.filter(({ key }) => key !== "G" && key !== "E").map(({ ttl }) => ttl)) - 1,
    );
  });
});
