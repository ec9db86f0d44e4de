import { describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { config, newId, put, text, values } from "./support/data.js";

const client = testClient();
const tableName = newTableName();
const open = () => new DynamoDBSaver({ tableName, client });

describe("limits of DynamoDB that callers do not see", () => {
  it("a value of 20 MB", { timeout: 120_000 }, async () => {
    const bytes = Buffer.from(text(1024 * 1024, 5));
    const large = Buffer.concat(
      Array.from({ length: 20 }, (_, at) => Buffer.from(bytes).fill(at, at, at + 9)),
    );
    const noise = new Uint8Array(large.map((byte, at) => byte ^ (at >> 12) ^ (at >> 7)));
    await put(open(), "large", { noise });
    const read = (await values(open(), "large"))!["noise"] as Uint8Array;
    expect(Buffer.compare(read, noise)).toBe(0);
  });

  it(
    "a checkpoint of 6,000 channels: its record is larger than an item may be",
    { timeout: 60_000 },
    async () => {
      const state = Object.fromEntries(
        Array.from({ length: 6000 }, (_, at) => [`${text(60, at)} ${at}`, text(40, at + 9000)]),
      );
      const saver = open();
      const first = await put(saver, "wide", state);
      const second = await put(saver, "wide", state, { parent: first, changed: [] });
      expect(await values(open(), "wide", second)).toEqual(state);
      await saver.deleteThread("wide");
      expect(await values(open(), "wide", first)).toBeUndefined();
    },
  );

  it("a batch of 9,000 writes: its slot is larger than an item may be", { timeout: 60_000 }, async () => {
    const saver = open();
    const id = await put(saver, "batch", { a: 1 });
    const writes = Array.from({ length: 9000 }, (_, at): [string, unknown] => [`c${at}`, text(50, at)]);
    await saver.putWrites(config("batch", id), writes, "task");
    const read = (await open().getTuple(config("batch", id)))!.pendingWrites!;
    expect(read.map(([, channel, value]) => [channel, value])).toEqual(writes);
  });

  it(
    "many batches of one task: together they are larger than an item may be",
    { timeout: 60_000 },
    async () => {
      const saver = open();
      const id = newId();
      // Each batch has more writes than the last, so that each is a slot of its own.
      for (let size = 1; size <= 24; size++) {
        const writes = Array.from({ length: size + 30 }, (_, at): [string, unknown] => [
          `c${at}`,
          text(1000, size * 1000 + at),
        ]);
        await saver.putWrites(config("slots", id), writes, "task");
      }
      await put(saver, "slots", { a: 1 }, { id });
      const read = (await open().getTuple(config("slots", id)))!.pendingWrites!;
      expect(read).toHaveLength(54);
      // The first that came for a position stays.
      expect(read.map(([, , value]) => value)).toEqual(
        Array.from({ length: 54 }, (_, at) => text(1000, Math.max(1, at - 29) * 1000 + at)),
      );
    },
  );

  it("a checkpoint with the writes of 300 tasks, and writes of checkpoints that never came", async () => {
    const saver = open();
    const id = await put(saver, "tasks", { a: 1 });
    const later = Array.from({ length: 5 }, newId);
    await Promise.all([
      ...Array.from({ length: 300 }, (_, at) =>
        saver.putWrites(config("tasks", id), [["c", at]], `task ${at}`),
      ),
      ...later.flatMap((never) =>
        Array.from({ length: 20 }, (_, at) =>
          saver.putWrites(config("tasks", never), [["c", at]], `task ${at}`),
        ),
      ),
    ]);
    const tuple = await open().getTuple(config("tasks"));
    expect(tuple?.checkpoint.id).toBe(id);
    expect(tuple?.pendingWrites).toHaveLength(300);
  });
});
