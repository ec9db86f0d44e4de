import { DeleteItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { config, list, newId, put, text, values } from "./support/data.js";
import { Gate, putsCheckpoint, putsWrites } from "./support/gate.js";

const big = text(30_000, 1);
const other = text(30_000, 2);

describe("deleteThread beside a running writer", () => {
  const writerClient = testClient();
  const gate = new Gate(writerClient);
  const client = testClient();
  let tableName: string;
  let writer: DynamoDBSaver;
  let deleter: DynamoDBSaver;

  beforeEach(async () => {
    tableName = newTableName();
    writer = new DynamoDBSaver({ tableName, client: writerClient });
    deleter = new DynamoDBSaver({ tableName, client });
    await deleter.setup();
  });

  const cold = () => new DynamoDBSaver({ tableName, client });

  async function sortKeys(): Promise<string[]> {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
    return Items.map((item) => item["SK"]!.S!).toSorted();
  }

  /** Puts a child of `parent` whose own item reaches the table only after the thread was deleted. */
  async function putLate(state: Record<string, unknown>, parent?: string): Promise<string> {
    const id = newId();
    const reached = gate.hold(putsCheckpoint);
    const putting = put(writer, "t", state, {
      id,
      ...(parent === undefined ? {} : { parent, changed: ["step"], versions: { kept: 1, step: 2 } }),
    });
    await reached;
    await deleter.deleteThread("t");
    gate.open();
    await putting;
    return id;
  }

  it("a commit that looked before it and landed after it is gone, not damaged: its parent's chunks are", async () => {
    const parent = await put(writer, "t", { kept: big, step: 1 });
    const late = await putLate({ kept: big, step: 2 }, parent);
    expect(await values(cold(), "t", late)).toBeUndefined();
    expect(await values(cold(), "t")).toBeUndefined();
    expect(await list(cold(), "t")).toEqual([]);
    expect(await sortKeys()).toEqual(["G"]);
  });

  it("the same where its own chunks were deleted", async () => {
    const late = await putLate({ own: big });
    expect(await values(cold(), "t", late)).toBeUndefined();
    expect(await list(cold(), "t")).toEqual([]);
  });

  it.each([
    ["nobody used the thread since", async () => {}],
    ["the thread was used again", async () => void (await put(cold(), "t", { own: big }))],
  ])("and after the deletion has been forgotten, when %s", async (_, use) => {
    const late = await putLate({ own: big });
    // As DynamoDB does 7 days later.
    const Key = { PK: { S: "T#t" }, SK: { S: "G" } };
    await client.send(new DeleteItemCommand({ TableName: tableName, Key }));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * 24 * 3600 * 1000 });
    try {
      await use();
      expect(await values(cold(), "t", late)).toBeUndefined();
      expect((await sortKeys()).filter((key) => key.includes(late))).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("a checkpoint whose chunks are lost is damaged, not gone", async () => {
    const id = await put(writer, "t", { own: big });
    for (const SK of (await sortKeys()).filter((key) => key.startsWith("B#")))
      await client.send(
        new DeleteItemCommand({ TableName: tableName, Key: { PK: { S: "T#t" }, SK: { S: SK } } }),
      );
    await expect(values(cold(), "t", id)).rejects.toMatchObject({ code: "CHECKPOINT_DAMAGED" });
  });

  it("the writer goes on: its next checkpoint is complete, whoever reads it", async () => {
    const parent = await put(writer, "t", { kept: big, step: 1 });
    const late = await putLate({ kept: big, step: 2 }, parent);
    const next = await put(
      writer,
      "t",
      { kept: big, step: 3 },
      {
        parent: late,
        changed: ["step"],
        versions: { kept: 1, step: 3 },
      },
    );
    expect(await values(cold(), "t")).toEqual({ kept: big, step: 3 });
    expect(await values(cold(), "t", next)).toEqual({ kept: big, step: 3 });
    expect(await values(cold(), "t", late)).toBeUndefined();
  });

  it("a put that carries values over, of a thread that was deleted since, is whole; what is stored meanwhile stays", async () => {
    const parent = await put(writer, "t", { kept: big, step: 1 });
    await deleter.deleteThread("t");
    const step = (at: number, id = newId()) =>
      put(
        writer,
        "t",
        { kept: big, step: at },
        { id, parent, changed: ["step"], versions: { kept: 1, step: at } },
      );
    const next = await step(2);
    expect(await values(cold(), "t", next)).toEqual({ kept: big, step: 2 });
    // Deleted and used again by another process, which has stored a checkpoint of the same id.
    await deleter.deleteThread("t");
    const same = newId();
    await put(deleter, "t", { small: 1 }, { id: same });
    await step(3, same);
    expect(await values(cold(), "t", same)).toEqual({ kept: big, step: 3 });
    expect(await list(cold(), "t")).toHaveLength(1);
  });

  it("a put that carries values over leaves nothing where the deletion of its thread lets it not in", async () => {
    const { generation } = await writer.store
      .getCheckpoints([{ threadId: "t", namespace: "", checkpointId: await put(writer, "t", { kept: big }) }])
      .then(([stored]) => stored!);
    const chunks = await writer.store.getCheckpoints([{ threadId: "t", namespace: "" }]);
    await deleter.deleteThread("t");
    const record = { ...chunks[0]!.checkpoint!, checkpointId: newId() };
    expect(await writer.store.putCheckpoint(record, [], { generation })).toMatchObject({ committed: false });
    expect(await sortKeys()).toEqual(["G"]);
  });

  it("a put that starts after it is not touched, though the deletion still goes on", async () => {
    const deleterClient = testClient();
    const deleterGate = new Gate(deleterClient);
    const slow = new DynamoDBSaver({ tableName, client: deleterClient });
    await put(writer, "t", { old: big });
    const reached = deleterGate.hold(({ command }) => command === "DeleteItem");
    const deleting = slow.deleteThread("t");
    await reached;
    const id = await put(cold(), "t", { fresh: big, more: other });
    deleterGate.open();
    await deleting;
    expect(await values(cold(), "t", id)).toEqual({ fresh: big, more: other });
    expect((await list(cold(), "t")).map((tuple) => tuple.checkpoint.id)).toEqual([id]);
  });

  it("writes that raced with it give way to those that come after it", async () => {
    const id = newId();
    const reached = gate.hold(putsWrites);
    const late = writer.putWrites(config("t", id), [["w", big]], "task");
    await reached;
    await deleter.deleteThread("t");
    gate.open();
    await late;
    for (const write of ["small", other]) {
      await put(deleter, "t", { a: big }, { id });
      await deleter.putWrites(config("t", id), [["w", write]], "task");
      const tuple = await cold().getTuple(config("t", id));
      expect(tuple?.checkpoint.channel_values).toEqual({ a: big });
      expect(tuple?.pendingWrites).toEqual([["task", "w", write]]);
      await deleter.deleteThread("t");
    }
  });

  it("an unknown thread leaves nothing behind", async () => {
    await deleter.deleteThread("t");
    expect(await sortKeys()).toEqual([]);
  });

  it("leaves one small item that expires, unless the thread is used again", async () => {
    await put(writer, "t", { kept: big });
    await deleter.deleteThread("t");
    const generation = async () => {
      const { Items = [] } = await client.send(
        new ScanCommand({ TableName: tableName, ConsistentRead: true }),
      );
      return Items.find((item) => item["SK"]!.S === "G");
    };
    expect(Number((await generation())!["ttl"]!.N)).toBeGreaterThan(Date.now() / 1000 + 6 * 24 * 3600);
    await put(writer, "t", { kept: big });
    expect((await generation())!["ttl"]).toBeUndefined();
  });

  it("interrupted at any request, the thread is whole or partly gone, and a second call finishes", async () => {
    const state = { kept: big, step: 1 };
    const outcomes: string[] = [];
    for (let failing = 0; outcomes.at(-1) !== "done"; failing++) {
      const ids: string[] = [];
      for (let at = 0; at < 3; at++) {
        const id = await put(deleter, "t", { ...state, step: at });
        await deleter.putWrites(config("t", id), [["w", other]], "task");
        ids.push(id);
      }
      let requests = 0;
      gate.fail(() => requests++ === failing);
      const outcome = await writer.deleteThread("t").then(
        () => "done",
        (error: { code: string }) => error.code,
      );
      gate.fail(undefined);
      for (const [at, id] of ids.entries()) {
        const tuple = await cold().getTuple(config("t", id));
        if (tuple === undefined) continue;
        expect(tuple.checkpoint.channel_values).toEqual({ ...state, step: at });
        expect(tuple.pendingWrites).toEqual([["task", "w", other]]);
      }
      await writer.deleteThread("t");
      expect((await sortKeys()).filter((key) => key !== "G")).toEqual([]);
      outcomes.push(outcome);
    }
    expect(outcomes.length).toBeGreaterThan(6);
    expect(new Set(outcomes)).toEqual(new Set(["ACCESS_DENIED", "done"]));
  });
});
