import type { CheckpointRecord, Chunk } from "@langgraph-savers/core";
import { Collection } from "mongodb";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { CommandCounter, place } from "./support/place.js";

const HOUR = 60 * 60_000;

const hashOf = (at: number) => Buffer.alloc(20, at).toString("base64url");
const chunkOf = (at: number): Chunk => ({ hash: hashOf(at), index: false, data: Buffer.alloc(50, at) });
/** More than travel in one command with their record. */
const many = Array.from({ length: 40 }, (_, at) => chunkOf(at + 1));

function recordOf(threadId: string, checkpointId: string, chunks: Chunk[]): CheckpointRecord {
  const refs = chunks.map(({ hash }) => hash);
  const body = Buffer.from("body");
  return { threadId, namespace: "", checkpointId, createdAt: 1, labels: {}, chunks: refs, body };
}

function travelTo(time: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: time });
  onTestFinished(() => void vi.useRealTimers());
}

async function start() {
  const here = place({ monitorCommands: true });
  const { store } = here.saver();
  await store.setup();
  const put = (checkpointId: string, refs: Chunk[], sends = refs) =>
    store.putCheckpoint(recordOf("t", checkpointId, refs), sends);
  const remove = (checkpointId: string) => store.deleteCheckpoints("t", [{ namespace: "", checkpointId }]);
  const held = async () =>
    (
      await store.getChunks(
        "t",
        "0",
        many.map(({ hash }) => hash),
      )
    ).length;
  return { here, store, put, remove, held };
}

describe("a put of many chunks that are there already", () => {
  it("renews them, so that they are not collected under it", async () => {
    const { store, put, remove, held } = await start();
    const began = Date.now();
    await put("a", many);
    await remove("a");
    travelTo(began + 2 * HOUR);
    await put("b", [], many);
    expect(await store.collectChunks("t", began + HOUR)).toEqual({ chunks: 0, bytes: 0 });
    expect(await held()).toBe(many.length);
    await put("c", many, []);
    travelTo(began + 4 * HOUR);
    await remove("b");
    travelTo(began + 6 * HOUR);
    expect(await store.collectChunks("t", began + 5 * HOUR)).toEqual({ chunks: 0, bytes: 0 });
    await remove("c");
    travelTo(began + 8 * HOUR);
    expect(await store.collectChunks("t", began + 7 * HOUR)).toEqual({ chunks: 40, bytes: 2000 });
  });

  it("inserts those again that are collected between its commands", async () => {
    const { store, put, remove, held } = await start();
    await put("a", many);
    await remove("a");
    const before = Date.now() + 1;
    const updateMany = Reflect.get(Collection.prototype, "updateMany") as Collection["updateMany"];
    const renewing = vi.spyOn(Collection.prototype, "updateMany");
    onTestFinished(() => renewing.mockRestore());
    renewing.mockImplementationOnce(async function (this: Collection, ...args) {
      expect(await store.collectChunks("t", before)).toMatchObject({ chunks: 40 });
      return updateMany.apply(this, args);
    });
    travelTo(before + 1);
    await put("b", many);
    expect(await held()).toBe(many.length);
    expect(await store.getThread("t")).toMatchObject({ checkpoints: 1 });
  });
});

describe("what a document remembers of its earlier versions", () => {
  it("goes after hours but for a mark that there was something, which is collected", async () => {
    const { here, store, put, held } = await start();
    const began = Date.now();
    for (let at = 0; at < 20; at++) {
      travelTo(began + at * HOUR);
      await put("a", [many[at]!]);
    }
    const [record] = await here.documents
      .find<{ m: { a: number; c: unknown[] }[] }>({ "_id.k": "r" })
      .toArray();
    expect(record!.m.map(({ a, c }) => [(a - began) / HOUR, c.length])).toEqual([
      [1, 0],
      [16, 1],
      [17, 1],
      [18, 1],
      [19, 1],
    ]);
    // All but what is referred to, or was until an hour before.
    expect(await store.collectChunks("t", began + 18 * HOUR)).toEqual({ chunks: 17, bytes: 850 });
    expect(await held()).toBe(3);
    expect(await store.collectChunks("t", began + 20 * HOUR)).toEqual({ chunks: 2, bytes: 100 });
    expect(await here.documents.countDocuments({ m: { $exists: true } })).toBe(0);
  });

  it("a special write that is replaced by the same one, or a regular one that comes again, leaves nothing", async () => {
    const { here, store } = await start();
    const write = (at: number) =>
      store.putWrites(
        {
          ...recordOf("t", "a", []),
          taskId: "task",
          slots: [
            { name: "-1", replace: true, chunks: [hashOf(at)], body: Buffer.from("b") },
            { name: "0", replace: false, chunks: [hashOf(9)], body: Buffer.from("b") },
          ],
        },
        [chunkOf(at), chunkOf(9)],
      );
    await write(1);
    await write(1);
    expect(await here.documents.countDocuments({ m: { $exists: true } })).toBe(0);
    await write(2);
    expect(await here.documents.countDocuments({ "m.c": { $size: 1 } })).toBe(1);
  });
});

describe("collectChunks", () => {
  it("leaves what was referred to until just before, however long ago its deletion began", async () => {
    const { store, put, remove, held } = await start();
    await put("a", [many[0]!]);
    const began = Date.now();
    const bulkWrite = Reflect.get<Collection, "bulkWrite">(Collection.prototype, "bulkWrite");
    const removing = vi.spyOn(Collection.prototype, "bulkWrite");
    onTestFinished(() => removing.mockRestore());
    removing.mockImplementationOnce(async function (this: Collection, ...args) {
      // What it refers to is noted; the machine sleeps for hours before the record goes.
      travelTo(began + 5 * HOUR);
      expect(await store.collectChunks("t", began + 4 * HOUR)).toEqual({ chunks: 0, bytes: 0 });
      return bulkWrite.apply(this, args);
    });
    expect(await remove("a")).toMatchObject({ checkpoints: 1 });
    expect(await store.collectChunks("t", began + 4 * HOUR)).toEqual({ chunks: 0, bytes: 0 });
    expect(await held()).toBe(1);
    expect(await store.collectChunks("t", began + 6 * HOUR)).toEqual({ chunks: 1, bytes: 50 });
  });

  it("goes through a large thread page by page, and leaves what each page refers to", async () => {
    const here = place({ monitorCommands: true });
    const { store } = here.saver();
    await store.setup();
    // Keys so long that few fit into an answer.
    const threadId = "t".repeat(300_000);
    const chunks = many.slice(0, 12);
    for (const [at, chunk] of chunks.entries())
      await store.putCheckpoint(recordOf(threadId, `c${at}`, [chunk]), [chunk]);
    const gone = [0, 4, 8].map((at) => ({ namespace: "", checkpointId: `c${at}` }));
    expect(await store.deleteCheckpoints(threadId, gone)).toMatchObject({ checkpoints: 3 });
    const counter = new CommandCounter(here.client);
    expect(await store.collectChunks(threadId, Date.now() + 1)).toEqual({ chunks: 3, bytes: 150 });
    expect(counter.take().filter((name) => name === "aggregate").length).toBeGreaterThan(6);
    const left = await store.getChunks(
      threadId,
      "0",
      chunks.map(({ hash }) => hash),
    );
    expect(left).toHaveLength(9);
  });
});
