import { DeleteObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";

import { DynamoDBSaver, type DynamoDBSaverOptions } from "../src/index.js";
import { BUCKET } from "./support/bucket.js";
import { newTableName, testClient } from "./support/client.js";
import { config, newId, put, text, values } from "./support/data.js";
import { Gate, putsCheckpoint } from "./support/gate.js";
import { objectKeys, s3Options, testS3Client } from "./support/s3.js";

describe("values in S3", () => {
  const client = testClient();
  const big = text(30_000, 1);

  function saverWith(prefix: string, tableName: string, own = client): DynamoDBSaver {
    return new DynamoDBSaver({ tableName, client: own, s3: s3Options(testS3Client(), prefix) });
  }

  it("a value of 20 MB is in few objects, and comes back", { timeout: 120_000 }, async () => {
    const prefix = `${newId()}/`;
    const tableName = newTableName();
    const noise = new Uint8Array(20 * 1024 * 1024).map((_, at) => (at * 2_654_435_761) >>> 13);
    await put(saverWith(prefix, tableName), "t", { noise });
    const keys = await objectKeys(prefix);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.length).toBeLessThanOrEqual(3);
    const read = (await values(saverWith(prefix, tableName), "t"))!["noise"] as Uint8Array;
    expect(Buffer.compare(read, noise)).toBe(0);
  });

  it("small puts stay out of S3", async () => {
    const prefix = `${newId()}/`;
    const saver = new DynamoDBSaver({
      tableName: newTableName(),
      client,
      s3: { ...s3Options(testS3Client(), prefix), minBytes: 100_000 },
    });
    await put(saver, "t", { big });
    expect(await objectKeys(prefix)).toEqual([]);
    await put(saver, "t", { large: text(400_000, 2) });
    expect(await objectKeys(prefix)).toHaveLength(1);
  });

  it("deleteThread deletes the thread's objects, and no others", async () => {
    const prefix = `${newId()}/`;
    const tableName = newTableName();
    const saver = saverWith(prefix, tableName);
    await put(saver, "t", { big });
    const mine = await objectKeys(prefix);
    await put(saver, "other", { big });
    await saver.deleteThread("t");
    const left = await objectKeys(prefix);
    expect(left).toHaveLength(1);
    expect(mine).not.toContain(left[0]);
    expect(await values(saverWith(prefix, tableName), "other")).toEqual({ big });
    await put(saver, "t", { big });
    expect(await values(saverWith(prefix, tableName), "t")).toEqual({ big });
  });

  it("tables that share a bucket and have threads of the same ids do not touch each other's objects", async () => {
    const prefix = `${newId()}/`;
    const [one, other] = [newTableName(), newTableName()];
    const id = await put(saverWith(prefix, one), "t", { big });
    await put(saverWith(prefix, other), "t", { big });
    const { store } = saverWith(prefix, one);
    await store.deleteCheckpoints("t", [{ namespace: "", checkpointId: id }]);
    await store.collectChunks("t", Date.now() + 60_000);
    expect(await objectKeys(prefix)).toHaveLength(1);
    await put(saverWith(prefix, one), "t", { big });
    await saverWith(prefix, one).deleteThread("t");
    expect(await values(saverWith(prefix, other), "t")).toEqual({ big });
  });

  it("a commit that raced with a deletion is gone, not damaged", async () => {
    const prefix = `${newId()}/`;
    const tableName = newTableName();
    const slowClient = testClient();
    const gate = new Gate(slowClient);
    const slow = saverWith(prefix, tableName, slowClient);
    await slow.setup();
    const reached = gate.hold(putsCheckpoint);
    const putting = put(slow, "t", { big });
    await reached;
    await saverWith(prefix, tableName).deleteThread("t");
    gate.open();
    await putting;
    expect(await values(saverWith(prefix, tableName), "t")).toBeUndefined();
  });

  it("an object goes with the last chunk that is in it, not before", async () => {
    const prefix = `${newId()}/`;
    const tableName = newTableName();
    const { store } = saverWith(prefix, tableName);
    const cold = () => saverWith(prefix, tableName);
    const collect = () => store.collectChunks("t", Date.now() + 60_000);
    const name = (checkpointId: string) => ({ namespace: "", checkpointId });
    const first = await put(cold(), "t", { big, other: text(30_000, 2) });
    const [object] = await objectKeys(prefix);
    const writer = cold();
    await writer.getTuple(config("t"));
    // Relies on a part of what is in the object, and has one of its own.
    const second = await put(writer, "t", { big, own: text(30_000, 3) });
    expect(await objectKeys(prefix)).toHaveLength(2);
    await store.deleteCheckpoints("t", [name(first)]);
    expect((await collect()).chunks).toBeGreaterThan(5);
    expect(await objectKeys(prefix)).toContain(object);
    expect(await values(cold(), "t")).toEqual({ big, own: text(30_000, 3) });
    await store.deleteCheckpoints("t", [name(second)]);
    await collect();
    expect(await objectKeys(prefix)).toEqual([]);
  });

  it("an object that a process left before its chunks were known goes too", async () => {
    const prefix = `${newId()}/`;
    const tableName = newTableName();
    const interrupted = testClient();
    const gate = new Gate(interrupted);
    const id = await put(saverWith(prefix, tableName), "t", { big });
    gate.fail(({ command }) => command === "BatchWriteItem");
    const writer = saverWith(prefix, tableName, interrupted);
    await expect(put(writer, "t", { lost: text(30_000, 2) })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    expect(await objectKeys(prefix)).toHaveLength(2);
    const { store } = saverWith(prefix, tableName);
    await store.deleteCheckpoints("t", [{ namespace: "", checkpointId: id }]);
    await store.collectChunks("t", Date.now() + 60_000);
    expect(await objectKeys(prefix)).toEqual([]);
  });

  it("a chunk that is sent again while it is read is found in its new object", async () => {
    const prefix = `${newId()}/`;
    const tableName = newTableName();
    await put(saverWith(prefix, tableName), "t", { big });
    const [old] = await objectKeys(prefix);
    const s3 = testS3Client();
    let moved = false;
    // Between the items of the chunks and their bytes: another process sends all again, and the first object goes.
    s3.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === "GetObjectCommand" && !moved) {
            moved = true;
            await put(saverWith(prefix, tableName), "t", { big });
            await testS3Client().send(new DeleteObjectCommand({ Bucket: BUCKET, Key: old! }));
          }
          return next(args);
        },
      { step: "initialize", name: "move" },
    );
    const reader = new DynamoDBSaver({ tableName, client, s3: s3Options(s3, prefix) });
    expect(await values(reader, "t")).toEqual({ big });
    expect(moved).toBe(true);
  });

  it("a saver without the option says what is missing", async () => {
    const prefix = `${newId()}/`;
    const tableName = newTableName();
    await put(saverWith(prefix, tableName), "t", { big });
    await expect(new DynamoDBSaver({ tableName, client }).getTuple(config("t"))).rejects.toMatchObject({
      code: "SETUP_REQUIRED",
    });
  });

  it("a bucket that is not there is SETUP_REQUIRED, and nothing is stored", async () => {
    const tableName = newTableName();
    const saver = new DynamoDBSaver({ tableName, client, s3: { ...s3Options(), bucket: "no-such-bucket" } });
    await expect(put(saver, "t", { big })).rejects.toMatchObject({ code: "SETUP_REQUIRED" });
    expect(await saver.getTuple(config("t"))).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ["no bucket", { s3: {} }],
    ["a client and a config for one", { s3: { bucket: "b", client: {}, clientConfig: {} } }],
  ])("%s is a clear error", (_, options) => {
    const all = { tableName: "abc", client, ...options } as unknown as DynamoDBSaverOptions;
    expect(() => new DynamoDBSaver(all)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }) as Error,
    );
  });
});
