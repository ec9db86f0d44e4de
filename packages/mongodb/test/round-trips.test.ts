import { describe, expect, it } from "vitest";

import { checkpoint, config, idOf, metadata, text } from "./support/checkpoints.js";
import { CommandCounter, place, type Place } from "./support/place.js";

/** A history with a state of about 300 KB, and a counter that starts after it. */
async function withHistory(length: number) {
  const here = place({ monitorCommands: true });
  const saver = here.saver();
  const big = Array.from({ length: 300 }, (_, at) => text(1000, at + 1));
  for (let step = 0; step < length; step++) {
    const next = checkpoint(idOf(step), { big, small: step });
    next.channel_versions = { big: 1, small: step + 1 };
    const changed = step === 0 ? { big: 1, small: 1 } : { small: step + 1 };
    await saver.put(config("t", step === 0 ? undefined : idOf(step - 1)), next, metadata(step), changed);
    await saver.putWrites(config("t", next.id), [["delta", step]], "task");
  }
  const cold = here.saver();
  await cold.setup();
  const counter = new CommandCounter(here.client);
  return { saver, cold, counter, last: idOf(length - 1), length };
}

describe("commands sent", () => {
  it("put: one; two where the saver does not know the parent", async () => {
    const { saver, cold, counter, last, length } = await withHistory(3);
    const next = (at: number) => checkpoint(idOf(length + at), { small: text(5000, at + 9) }, 9);
    await saver.put(config("t", last), next(0), metadata(), { small: 9 });
    expect(counter.take()).toEqual(["update"]);
    await cold.put(config("t", last), next(1), metadata(), { small: 9 });
    expect(counter.take()).toEqual(["aggregate", "update"]);
  });

  it("put: one where the thread is new", async () => {
    const { saver, counter } = await withHistory(1);
    await saver.put(config("new"), checkpoint(idOf(0), { a: text(20_000, 7) }), metadata(), { a: 1 });
    expect(counter.take()).toEqual(["update"]);
  });

  it("putWrites: one, also with values that go into chunks", async () => {
    const { saver, counter, last } = await withHistory(1);
    await saver.putWrites(config("t", last), [["c", 1]], "small");
    expect(counter.take()).toEqual(["update"]);
    await saver.putWrites(config("t", last), [["c", text(20_000, 3)]], "large");
    expect(counter.take()).toEqual(["update"]);
    await saver.putWrites(config("t", last), [], "none");
    expect(counter.take()).toEqual([]);
  });

  it("getTuple: one; two where the chunks are not at hand, index chunks and all", async () => {
    const { saver, cold, counter, last } = await withHistory(3);
    await saver.getTuple(config("t"));
    expect(counter.take()).toEqual(["aggregate"]);
    await saver.getTuple(config("t", last));
    expect(counter.take()).toEqual(["aggregate"]);
    const tuple = await cold.getTuple(config("t"));
    expect(tuple?.checkpoint.channel_values["big"]).toHaveLength(300);
    expect(counter.take()).toEqual(["aggregate", "aggregate"]);
  });

  it("list: two for the first page of a cold saver, then one for each", async () => {
    const { cold, counter } = await withHistory(100);
    let count = 0;
    for await (const _ of cold.list(config("t"))) count += 1;
    expect(count).toBe(100);
    // Pages of 16, 64 and 20; the big value's chunks and those of its index come with the first.
    expect(counter.take()).toEqual(Array.from({ length: 4 }, () => "aggregate"));
  });

  it("getDeltaChannelHistory: two for 200 ancestors", async () => {
    const { cold, counter, last } = await withHistory(200);
    const history = await cold.getDeltaChannelHistory({
      config: config("t", last),
      channels: ["delta", "big"],
    });
    expect(history["delta"]!.writes).toHaveLength(199);
    expect(counter.take()).toEqual(["aggregate", "aggregate"]);
  });

  it("deleteThread: five, whatever the size of the thread; two where there is none", async () => {
    const { saver, counter } = await withHistory(30);
    await saver.deleteThread("t");
    expect(counter.take()).toEqual(["find", "update", "find", "delete", "find"]);
    await saver.deleteThread("t");
    expect(counter.take()).toEqual(["find", "find"]);
  });

  it("listThreads: one for each page", async () => {
    const { saver, counter } = await withHistory(1);
    for (let at = 0; at < 120; at++)
      await saver.put(config(`u${at}`), checkpoint(idOf(at), { a: 1 }), metadata(), { a: 1 });
    counter.take();
    let count = 0;
    for await (const _ of saver.listThreads()) count += 1;
    expect(count).toBe(121);
    expect(counter.take()).toEqual(["aggregate", "aggregate"]);
  });

  it("a thread that was deleted and is used again costs one more for each saver, once", async () => {
    const { saver, cold, counter, last } = await withHistory(2);
    await saver.deleteThread("t");
    await saver.put(config("t"), checkpoint(last, { a: 1 }), metadata(), { a: 1 });
    counter.take();
    expect(await cold.getTuple(config("t"))).toBeDefined();
    expect(counter.take()).toEqual(["aggregate", "aggregate"]);
    await cold.getTuple(config("t"));
    expect(counter.take()).toEqual(["aggregate"]);
  });
});

/** Of all documents, before the server's own compression. */
async function storedBytes({ documents }: Place): Promise<number> {
  const stats = await documents.aggregate([{ $collStats: { storageStats: {} } }]).next();
  return (stats as { storageStats: { size: number } }).storageStats.size;
}

describe("bytes", () => {
  it("a put that changes one small channel sends nothing of the others", async () => {
    const here = place({ monitorCommands: true });
    const saver = here.saver();
    const big = text(20_000_000, 5);
    const first = checkpoint(idOf(0), { big, small: 0 });
    await saver.put(config("t"), first, metadata(), { big: 1, small: 1 });
    const before = await storedBytes(here);
    const next = checkpoint(idOf(1), { big, small: 1 });
    next.channel_versions = { big: 1, small: 2 };
    await saver.put(config("t", idOf(0)), next, metadata(1), { small: 2 });
    expect((await storedBytes(here)) - before).toBeLessThan(2000);
    expect((await here.saver().getTuple(config("t")))?.checkpoint.channel_values).toEqual({ big, small: 1 });
  });

  it("a value of 40 MB is stored and read, and its next edit sends kilobytes", async () => {
    const here = place({ monitorCommands: true });
    // Room to remember all of its chunks.
    const saver = here.saver({ cacheBytes: 100_000_000 });
    const value = text(40_000_000, 11);
    await saver.put(config("t"), checkpoint(idOf(0), { value }), metadata(), { value: 1 });
    const edited = `${value.slice(0, 20_000_000)}edited${value.slice(20_000_000)}`;
    const counter = new CommandCounter(here.client);
    await saver.put(config("t", idOf(0)), checkpoint(idOf(1), { value: edited }, 2), metadata(1), {
      value: 2,
    });
    expect(counter.take()).toEqual(["update"]);
    const cold = here.saver();
    expect((await cold.getTuple(config("t")))?.checkpoint.channel_values["value"] === edited).toBe(true);
    expect((await cold.getTuple(config("t", idOf(0))))?.checkpoint.channel_values["value"] === value).toBe(
      true,
    );
  });
});
