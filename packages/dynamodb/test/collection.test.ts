import { randomBytes } from "node:crypto";

import { paginateScan } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { config, list, put, text, values } from "./support/data.js";
import { Gate, type Request } from "./support/gate.js";
import { Meter } from "./support/meter.js";

const big = text(30_000, 1);
const other = text(30_000, 2);
const third = text(30_000, 3);

/** From when on everything is young: all that there is now is old. */
const later = () => Date.now() + 60_000;
const name = (checkpointId: string) => ({ namespace: "", checkpointId });

describe("deleting checkpoints and collecting chunks", () => {
  const client = testClient();
  const gate = new Gate(client);
  const meter = new Meter(client);
  const plainClient = testClient();
  let tableName: string;
  let saver: DynamoDBSaver;

  beforeEach(async () => {
    tableName = newTableName();
    saver = new DynamoDBSaver({ tableName, client });
    await saver.setup();
  });

  const cold = () => new DynamoDBSaver({ tableName, client: plainClient });
  const remove = (...ids: string[]) => saver.store.deleteCheckpoints("t", ids.map(name));
  const collect = (before = later()) => saver.store.collectChunks("t", before);

  async function sortKeys(prefix = ""): Promise<string[]> {
    const input = { TableName: tableName, ConsistentRead: true, ProjectionExpression: "SK" };
    const keys: string[] = [];
    for await (const { Items = [] } of paginateScan({ client: plainClient }, input))
      keys.push(...Items.map((item) => item["SK"]!.S!));
    return keys.filter((key) => key.startsWith(prefix)).toSorted();
  }

  it("nothing is left of bodies that are larger than an item may be", async () => {
    const { store } = saver;
    const chunk = () => ({
      hash: randomBytes(20).toString("base64url"),
      index: false,
      data: randomBytes(50),
    });
    const record = (checkpointId: string, refersTo: { hash: string }[]) => ({
      threadId: "t",
      ...name(checkpointId),
      createdAt: Date.now(),
      labels: {},
      chunks: refersTo.map(({ hash }) => hash),
      body: randomBytes(400_000),
    });
    const [own, shared, written] = [chunk(), chunk(), chunk()];
    const kept = record("b", [shared]);
    await store.putCheckpoint(record("a", [own, shared]), [own, shared]);
    const slot = { name: "r0", replace: false, chunks: [written.hash], body: randomBytes(400_000) };
    await store.putWrites({ ...record("a", []), taskId: "task", slots: [slot] }, [written]);
    await store.putCheckpoint(kept, []);
    expect((await sortKeys("B#")).filter((key) => key.includes("~"))).toHaveLength(6);
    expect(await remove("a")).toEqual({ checkpoints: 1, bytes: 800_000 });
    // Two chunks and four parts.
    expect(await collect()).toMatchObject({ chunks: 6 });
    const [stored] = await store.getCheckpoints([kept]);
    expect(stored!.checkpoint!.chunks).toEqual([shared.hash]);
    expect(kept.body.equals(stored!.checkpoint!.body)).toBe(true);
    expect(await store.getChunks("t", stored!.generation, [shared.hash])).toHaveLength(1);
    await remove("b");
    await collect();
    expect(await sortKeys()).toEqual(["G"]);
  });

  it("interrupted at any request, what is there is whole, and further calls finish", async () => {
    const shared = text(6000, 9);
    const outcomes: string[] = [];
    for (let failing = 0; outcomes.at(-1) !== "done"; failing++) {
      const ids: string[] = [];
      // Without the memory of chunks that the rounds before have collected.
      const writer = cold();
      for (const step of [0, 1, 2]) {
        const id = await put(writer, "t", { shared, step, own: text(6000, step) });
        await writer.putWrites(config("t", id), [["w", shared]], "task");
        ids.push(id);
      }
      let requests = 0;
      gate.fail(() => requests++ === failing);
      const outcome = await remove(...ids.slice(0, 2))
        .then(() => collect())
        .then(
          () => "done",
          (error: { code: string }) => error.code,
        );
      gate.fail(undefined);
      outcomes.push(outcome);
      for (const [step, id] of ids.entries()) {
        const tuple = await cold().getTuple(config("t", id));
        if (tuple === undefined && step < 2) continue;
        expect(tuple?.checkpoint.channel_values).toMatchObject({ shared, step });
        expect(tuple?.pendingWrites).toEqual([["task", "w", shared]]);
      }
      await remove(...ids);
      await collect();
      expect(await sortKeys()).toEqual(["G"]);
    }
    expect(outcomes.length).toBeGreaterThan(10);
    expect(new Set(outcomes)).toEqual(new Set(["ACCESS_DENIED", "done"]));
  });

  it("a checkpoint that is put again while it is deleted goes too, and what it then refers to", async () => {
    const id = await put(saver, "t", { big });
    const reached = gate.hold(({ command }) => command === "DeleteItem");
    const deleting = remove(id);
    await reached;
    await put(cold(), "t", { other }, { id });
    gate.open();
    expect(await deleting).toMatchObject({ checkpoints: 1 });
    expect(await list(cold(), "t")).toEqual([]);
    await collect();
    expect(await sortKeys()).toEqual(["G"]);
  });

  it("a chunk that is sent again just before it would be deleted stays", async () => {
    const id = await put(saver, "t", { big });
    const chunks = await sortKeys("B#");
    await remove(id);
    const before = Date.now() + 1;
    const reached = gate.hold(({ command }) => command === "DeleteItem");
    const collecting = collect(before);
    await reached;
    const again = await put(cold(), "t", { big });
    gate.open();
    // All but the one whose deletion was held went before they were sent again.
    expect(await collecting).toMatchObject({ chunks: chunks.length - 1 });
    expect(await sortKeys("B#")).toEqual(chunks);
    expect(await values(cold(), "t", again)).toEqual({ big });
  });

  it("a checkpoint that is deleted while its thread is looked through keeps its chunks for now", async () => {
    const [first, second] = [await put(saver, "t", { big }), await put(saver, "t", { other })];
    await put(saver, "t", { third });
    await remove(first);
    const before = Date.now() + 1;
    while (Date.now() < before);
    // Held when the records have been read: the release of the second one is there before it goes.
    const reached = gate.hold(readsReleases);
    const collecting = collect(before);
    await reached;
    await cold().store.deleteCheckpoints("t", [name(second)]);
    gate.open();
    await collecting;
    const left = await sortKeys("B#");
    await collect();
    expect((await sortKeys("B#")).length).toBeLessThan(left.length);
    expect(await values(cold(), "t")).toEqual({ third });
  });

  it("a repeated put of the same checkpoint keeps what both refer to, and lets the rest go", async () => {
    const id = await put(saver, "t", { big, other });
    await put(saver, "t", { big, other }, { id });
    expect(await sortKeys("D#")).toEqual([]);
    await put(saver, "t", { big, third }, { id });
    expect(await sortKeys("D#")).toHaveLength(1);
    await collect();
    expect(await values(cold(), "t", id)).toEqual({ big, third });
    const left = await sortKeys("B#");
    await put(saver, "u", { big, third });
    expect(await sortKeys("B#")).toHaveLength(2 * left.length);
  });

  it("writes that come again with other values leave no chunks behind", async () => {
    const id = await put(saver, "t", { step: 1 });
    await saver.putWrites(config("t", id), [["w", big]], "task");
    const chunks = await sortKeys("B#");
    await cold().putWrites(config("t", id), [["w", other]], "task");
    await collect();
    expect(await sortKeys("B#")).toEqual(chunks);
    expect((await cold().getTuple(config("t", id)))?.pendingWrites).toEqual([["task", "w", big]]);
  });

  it("deleteThread takes what is remembered too", async () => {
    const id = await put(saver, "t", { big });
    await remove(id);
    await saver.deleteThread("t");
    expect(await sortKeys()).toEqual(["G"]);
  });

  it("costs little where there is nothing to do, and follows what is deleted", async () => {
    const ids: string[] = [];
    for (let step = 0; step < 40; step++)
      ids.push(await put(saver, "t", { big, step, own: text(3000, step) }));
    const idle = await meter.during(collect);
    expect(idle.requests).toEqual({ GetItem: 1, Query: 1 });
    expect(idle.units).toBeLessThanOrEqual(2);
    const few = await meter.during(() => remove(...ids.slice(0, 6)));
    expect(few.requests).toEqual({ Query: 6, PutItem: 1, DeleteItem: 6 });
    const many = await meter.during(() => remove(...ids.slice(6, 36)));
    expect(many.requests).toEqual({ Query: 30, PutItem: 1, DeleteItem: 30 });
    expect(many.units).toBeLessThan(5 * few.units * 1.2);
  });
});

/** After the records were read: the query for what was released lately, which alone has no limit. */
function readsReleases({ command, input }: Request): boolean {
  const { ":from": from } = (input["ExpressionAttributeValues"] ?? {}) as Record<string, { S?: string }>;
  return command === "Query" && from?.S?.startsWith("D#") === true && input["Limit"] === undefined;
}
