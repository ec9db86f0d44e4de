import { describe, expect, it } from "vitest";

import { DynamoDBSaver, type DynamoDBSaverOptions } from "../src/index.js";
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
    ["together with ttl", { s3: { bucket: "b" }, ttl: 60 }],
  ])("%s is a clear error", (_, options) => {
    const all = { tableName: "abc", client, ...options } as unknown as DynamoDBSaverOptions;
    expect(() => new DynamoDBSaver(all)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }) as Error,
    );
  });
});
