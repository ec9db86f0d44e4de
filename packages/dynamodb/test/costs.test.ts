import { HumanMessage, AIMessage, type BaseMessage } from "@langchain/core/messages";
import { beforeAll, describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { config, list, put, text } from "./support/data.js";
import { Meter } from "./support/meter.js";

/**
 * Eight channels as an agent has them: a conversation, a document, a few results and some small ones. The first two are
 * larger than what stays in a record.
 */
function state(step: number): Record<string, unknown> {
  return {
    messages: text(5000, step),
    document: text(6000, 1000),
    plan: text(600, 1001),
    result: { step, rows: text(700, step + 5000) },
    tools: ["search", "fetch"],
    user: { name: "n", locale: "de" },
    budget: 12,
    flags: { a: true },
  };
}

const channels = Object.keys(state(0));
const changed = ["messages", "result"];

const client = testClient();
const meter = new Meter(client);
const tableName = newTableName();
const open = () => new DynamoDBSaver({ tableName, client });

describe("requests and capacity units, at 8 channels of which 2 changed", () => {
  const saver = open();
  let parent: string;

  /** One step as a graph takes it: a checkpoint, then the writes of its task. */
  async function step(at: number): Promise<void> {
    const versions = Object.fromEntries(channels.map((name) => [name, changed.includes(name) ? at + 1 : 1]));
    parent = await put(saver, "t", state(at), {
      ...(at === 0 ? {} : { parent, changed }),
      versions,
    });
  }

  const writes = (at: number): [string, unknown][] => [
    ["messages", text(300, at)],
    ["result", { at }],
    ["branch:to:next", null],
  ];

  beforeAll(async () => {
    await saver.setup();
    for (let at = 0; at < 30; at++) {
      await step(at);
      await saver.putWrites(config("t", parent), writes(at), "task");
    }
  });

  it("put: two waves and at most 10 write units", async () => {
    const usage = await meter.during(() => step(30));
    expect(usage.requests).toEqual({ BatchWriteItem: 1, GetItem: 1, PutItem: 1 });
    expect(usage.waves).toBe(2);
    expect(usage.units).toBeLessThanOrEqual(10);
  });

  it("put that only carries larger values over: one wave", async () => {
    const usage = await meter.during(() =>
      put(
        saver,
        "t",
        { ...state(30), budget: 11 },
        {
          parent,
          versions: Object.fromEntries(channels.map((name) => [name, changed.includes(name) ? 31 : 1])),
          changed: ["budget"],
        },
      ),
    );
    expect(usage.requests).toEqual({ GetItem: 1, PutItem: 1 });
    expect(usage.waves).toBe(1);
    expect(usage.units).toBeLessThanOrEqual(6);
  });

  it("put of small values: one request", async () => {
    const small = { a: 1, b: text(200, 3) };
    const usage = await meter.during(() => put(saver, "small", small));
    expect(usage.requests).toEqual({ PutItem: 1 });
    expect(usage.units).toBeLessThanOrEqual(2);
  });

  it("putWrites of 3: one request and at most 2 write units", async () => {
    const usage = await meter.during(() => saver.putWrites(config("t", parent), writes(30), "task"));
    expect(usage.requests).toEqual({ UpdateItem: 1 });
    expect(usage.units).toBeLessThanOrEqual(2);
  });

  it("getTuple: two waves and at most 6 read units cold, one wave warm", async () => {
    const cold = open();
    const first = await meter.during(() => cold.getTuple(config("t")));
    expect(first.requests).toEqual({ Query: 1, BatchGetItem: 1 });
    expect(first.waves).toBe(2);
    expect(first.units).toBeLessThanOrEqual(6);
    const second = await meter.during(() => cold.getTuple(config("t")));
    expect(second.requests).toEqual({ Query: 1 });
    expect(second.units).toBeLessThanOrEqual(3);
    const exact = await meter.during(() => cold.getTuple(config("t", parent)));
    expect(exact.requests).toEqual({ Query: 1 });
  });

  it("list of 10: at most 3 waves", async () => {
    const cold = open();
    const usage = await meter.during(() => list(cold, "t", 10));
    expect(usage.waves).toBeLessThanOrEqual(3);
    expect(Object.keys(usage.requests).toSorted()).toEqual(["BatchGetItem", "Query"]);
    const warm = await meter.during(() => list(saver, "t", 10));
    expect(warm.waves).toBe(1);
  });

  it("history of a delta channel over 22 ancestors: at most 3 waves", async () => {
    const ids = (await list(saver, "t")).map((tuple) => tuple.checkpoint.id);
    expect(ids.length).toBeGreaterThan(22);
    const deltas = new DynamoDBSaver({ tableName, client });
    let id: string | undefined;
    for (let at = 0; at < 23; at++) {
      const delta: Record<string, unknown> = at === 0 ? { log: "start" } : { other: at };
      id = await put(deltas, "delta", delta, id === undefined ? {} : { parent: id });
      await deltas.putWrites(config("delta", id), [["log", text(2000, at)]], "task");
    }
    const cold = open();
    let found = 0;
    const usage = await meter.during(async () => {
      const history = await cold.getDeltaChannelHistory({ config: config("delta", id), channels: ["log"] });
      found = history["log"]!.writes.length;
    });
    expect(found).toBe(22);
    expect(usage.waves).toBeLessThanOrEqual(3);
  });
});

describe("a chat of 300 turns", () => {
  it("takes at turn 300 at most twice the write units of turn 10", { timeout: 120_000 }, async () => {
    const saver = open();
    const messages: BaseMessage[] = [];
    let parent: string | undefined;
    const turn = async (at: number): Promise<void> => {
      messages.push(
        new HumanMessage({ id: `h${at}`, content: text(500, at) }),
        new AIMessage({ id: `a${at}`, content: text(500, at + 1000) }),
      );
      parent = await put(
        saver,
        "chat",
        { messages, turn: at },
        {
          ...(parent === undefined ? {} : { parent }),
          versions: { messages: at, turn: at },
        },
      );
    };
    const units: number[] = [];
    for (let at = 1; at <= 300; at++) units.push((await meter.during(() => turn(at))).units);
    // A turn's chunks fall as its bytes do: single turns vary, so turns around them are compared.
    const around = (at: number) => units.slice(at - 5, at + 5).reduce((sum, each) => sum + each, 0);
    expect(around(295)).toBeLessThanOrEqual(2 * around(10));
  });
});
