import { randomBytes } from "node:crypto";

import { describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { list, newId, put, text } from "./support/data.js";
import { faultyClient } from "./support/faults.js";
import { Meter } from "./support/meter.js";
import { dynalite } from "./support/subject.js";

const big = text(30_000, 1);
const fenced = { registers: { lease: "mine" } };

function record(id = newId()) {
  const key = { threadId: "t", namespace: "", checkpointId: id };
  return { ...key, createdAt: Date.now(), labels: {}, chunks: [], body: randomBytes(60) };
}

describe("registers and commits that depend on them", () => {
  it("of many who try at once one succeeds, whatever answers are lost", async () => {
    const { client } = faultyClient(5, { resetAfter: 0.3, resetBefore: 0.1 });
    const tableName = newTableName();
    const savers = Array.from({ length: 6 }, () => new DynamoDBSaver({ tableName, client }));
    await savers[0]!.setup();
    let value: string | undefined;
    for (let round = 0; round < 12; round++) {
      // Set, and removed every third time.
      const next = (who: number) => (round % 3 === 2 ? undefined : `${round} of ${who}`);
      const won = await Promise.all(
        savers.map(({ store }, who) => store.setRegister("t", "lease", next(who), value)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      value = next(won.indexOf(true));
      expect(await savers[0]!.store.getRegister("t", "lease")).toBe(value);
    }
  });

  it("a commit whose answer was lost counts, and is made once", async () => {
    const { client, injected } = faultyClient(9, { resetAfter: 0.5 });
    const { store } = new DynamoDBSaver({ tableName: newTableName(), client });
    await store.setRegister("t", "lease", "mine", undefined);
    for (let round = 0; round < 20; round++) {
      const stored = record();
      expect(await store.putCheckpoint(stored, [], fenced)).toMatchObject({ committed: true });
      const slots = [{ name: "r0", replace: false, chunks: [], body: randomBytes(30) }];
      expect(await store.putWrites({ ...stored, taskId: "task", slots }, [], fenced)).toMatchObject({
        committed: true,
      });
    }
    expect(injected["resetAfter"]).toBeGreaterThan(10);
  });

  it("a batch that its item has no room for goes beside it under a lease too", async () => {
    const { store } = new DynamoDBSaver({ tableName: newTableName(), client: testClient() });
    await store.setRegister("t", "lease", "mine", undefined);
    const key = record();
    const bodies = Array.from({ length: 4 }, () => randomBytes(150_000));
    for (const [at, body] of bodies.entries()) {
      const slots = [{ name: `r${at}`, replace: false, chunks: [], body }];
      expect(await store.putWrites({ ...key, taskId: "task", slots }, [], fenced)).toMatchObject({
        committed: true,
      });
    }
    const [stored] = await store.getCheckpoints([key]);
    const same = stored!.writes[0]!.slots.map(({ body }, at) => bodies[at]!.equals(body));
    expect(same).toEqual([true, true, true, true]);
  });

  it("costs a transaction only where registers are asked for", async () => {
    const client = testClient();
    const meter = new Meter(client);
    const { store } = new DynamoDBSaver({ tableName: newTableName(), client });
    await store.setRegister("t", "lease", "mine", undefined);
    const plain = await meter.during(() => store.putCheckpoint(record(), []));
    expect(plain.requests).toEqual({ PutItem: 1 });
    const checked = await meter.during(() => store.putCheckpoint(record(), [], fenced));
    expect(checked.requests).toEqual({ TransactWriteItems: 1 });
    expect(checked.units).toBeLessThanOrEqual(4);
  });

  it("a server without transactions is named as what is missing, and nothing is stored", async () => {
    const saver = (await dynalite.create()) as DynamoDBSaver;
    const { store } = saver;
    expect(await store.setRegister("t", "lease", "mine", undefined)).toBe(true);
    await expect(store.putCheckpoint(record(), [], fenced)).rejects.toMatchObject({
      code: "BACKEND_REFUSED",
      message: expect.stringContaining("no transactions") as string,
    });
    expect(await list(saver, "t")).toEqual([]);
    await put(saver, "t", { big });
    expect(await list(saver, "t")).toHaveLength(1);
    await dynalite.destroy!(saver);
  });
});
