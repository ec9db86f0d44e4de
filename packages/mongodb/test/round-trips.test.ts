import { describe, expect, it } from "vitest";

import { checkpoint, config, idOf, metadata, text } from "@langgraph-savers/test/checkpoints";
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
    expect(counter.take()).toEqual(["find", "findAndModify", "find", "delete", "find"]);
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

describe("commands sent by the management of threads", () => {
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({ namespace: "", checkpointId: idOf(from + at) }));

  it("deleteCheckpoints: six for up to 500; two where none of them is there", async () => {
    const { saver, counter } = await withHistory(30);
    const { store } = saver;
    expect(await store.deleteCheckpoints("t", names(0, 20))).toMatchObject({ checkpoints: 20 });
    expect(counter.take()).toEqual(["find", "aggregate", "insert", "delete", "update", "delete"]);
    expect(await store.deleteCheckpoints("t", names(0, 20))).toEqual({ checkpoints: 0, bytes: 0 });
    expect(counter.take()).toEqual(["find", "aggregate"]);
  });

  it("collectChunks: one where nothing was released before; else one per kind and 5,000 documents", async () => {
    const { saver, counter } = await withHistory(3);
    const { store } = saver;
    await store.collectChunks("t", Date.now() + 1);
    expect(counter.take()).toEqual(["aggregate"]);
    const before = Date.now();
    await store.deleteCheckpoints("t", names(0, 3));
    counter.take();
    await store.collectChunks("t", before);
    expect(counter.take()).toEqual(["aggregate"]);
    expect((await store.collectChunks("t", Date.now() + 1)).chunks).toBeGreaterThan(5);
    const marking = ["aggregate", "find", "aggregate", "aggregate", "aggregate"];
    expect(counter.take()).toEqual([...marking, "delete", "delete", "update"]);
    await store.collectChunks("t", Date.now() + 1);
    expect(counter.take()).toEqual(["aggregate"]);
  });

  it("registers: one to read, one to set, three in a thread that has nothing; none more for a commit", async () => {
    const { saver, counter } = await withHistory(1);
    const { store } = saver;
    expect(await store.setRegister("t", "lease", "mine", undefined)).toBe(true);
    expect(counter.take()).toEqual(["update"]);
    expect(await store.getRegister("t", "lease")).toBe("mine");
    expect(counter.take()).toEqual(["find"]);
    const record = { threadId: "t", namespace: "", checkpointId: "x", createdAt: 1, labels: {}, chunks: [] };
    const chunk = { hash: Buffer.alloc(20, 7).toString("base64url"), index: false, data: Buffer.alloc(10) };
    const condition = { registers: { lease: "mine" } };
    const body = Buffer.from("body");
    expect(await store.putCheckpoint({ ...record, body }, [chunk], condition)).toMatchObject({
      committed: true,
    });
    expect(counter.take()).toEqual(["update"]);
    expect(await store.setRegister("new", "lease", "mine", undefined)).toBe(true);
    expect(counter.take()).toEqual(["update", "find", "insert"]);
  });

  it("getThread and a page of listRuns: one", async () => {
    const { saver, counter } = await withHistory(1);
    await saver.store.getThread("t");
    expect(counter.take()).toEqual(["aggregate"]);
    await saver.store.listRuns({ runIds: ["a", "b"], limit: 10 });
    expect(counter.take()).toEqual(["aggregate"]);
  });
});

/** Of all documents, before the server's own compression. */
async function storedBytes({ documents }: Place): Promise<number> {
  const stats = await documents.aggregate([{ $collStats: { storageStats: {} } }]).next();
  return (stats as { storageStats: { size: number } }).storageStats.size;
}

describe("bytes", () => {
  it("a state of 20 MB is stored and read, and the next step of its thread sends kilobytes", async () => {
    const here = place({ monitorCommands: true });
    const saver = here.saver();
    const messages = Array.from({ length: 2000 }, (_, at) => text(10_000, at + 1));
    await saver.put(config("t"), checkpoint(idOf(0), { messages }), metadata(), { messages: 1 });
    const stored = await storedBytes(here);
    const next = [...messages, text(1000, 5000)];
    await saver.put(config("t", idOf(0)), checkpoint(idOf(1), { messages: next }, 2), metadata(1), {
      messages: 2,
    });
    expect((await storedBytes(here)) - stored).toBeLessThan(60_000);
    const tuple = await here.saver().getTuple(config("t"));
    expect(tuple?.checkpoint.channel_values["messages"]).toEqual(next);
  }, 120_000);

  it("a value of 40 MB is stored and read, and the next steps of its thread send kilobytes", async () => {
    const here = place({ monitorCommands: true });
    // Room to remember all of its chunks.
    const saver = here.saver({ cacheBytes: 100_000_000 });
    const big = text(40_000_000, 11);
    await saver.put(config("t"), checkpoint(idOf(0), { big, small: 0 }), metadata(), { big: 1, small: 1 });
    const stored = await storedBytes(here);
    const counter = new CommandCounter(here.client);

    const next = checkpoint(idOf(1), { big, small: 1 });
    next.channel_versions = { big: 1, small: 2 };
    await saver.put(config("t", idOf(0)), next, metadata(1), { small: 2 });
    const withSmall = await storedBytes(here);
    expect(withSmall - stored).toBeLessThan(2000);

    const edited = `${big.slice(0, 20_000_000)}edited${big.slice(20_000_000)}`;
    const last = checkpoint(idOf(2), { big: edited, small: 1 });
    last.channel_versions = { big: 2, small: 2 };
    await saver.put(config("t", idOf(1)), last, metadata(2), { big: 2 });
    expect((await storedBytes(here)) - withSmall).toBeLessThan(100_000);
    expect(counter.take().filter((name) => name !== "aggregate")).toEqual(["update", "update"]);

    const cold = here.saver();
    const values = async (id: string) => (await cold.getTuple(config("t", id)))?.checkpoint.channel_values;
    const found = [await values(idOf(2)), await values(idOf(1))];
    expect(found.map((each) => each?.["small"])).toEqual([1, 1]);
    expect(found.map((each) => each?.["big"] === edited)).toEqual([true, false]);
    expect(found[1]?.["big"] === big).toBe(true);
  }, 120_000);
});
