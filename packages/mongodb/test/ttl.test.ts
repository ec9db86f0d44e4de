import { describe, expect, it, onTestFinished, vi } from "vitest";

import { checkpoint, collect, config, idOf, metadata, text } from "@langgraph-savers/test/checkpoints";
import { CommandCounter, place } from "./support/place.js";

const TTL = 1000;
const WEEK = 7 * 24 * 60 * 60_000;

/** The clock of this process, by which the saver stamps and filters; the server's own goes on as it is. */
function travel(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
  onTestFinished(() => void vi.useRealTimers());
}

/** A thread whose every checkpoint refers to the chunks of the first. */
async function startThread() {
  const here = place({ monitorCommands: true });
  const saver = here.saver({ ttl: TTL });
  const big = text(20_000, 3);
  const put = async (at: number) => {
    const next = checkpoint(idOf(at), { big, small: at });
    next.channel_versions = { big: 1, small: at + 1 };
    const changed = at === 0 ? { big: 1, small: 1 } : { small: at + 1 };
    await saver.put(config("t", at === 0 ? undefined : idOf(at - 1)), next, metadata(at), changed);
    await saver.putWrites(config("t", next.id), [["delta", at]], "task");
  };
  await put(0);
  return { ...here, saver, put, big };
}

describe("ttl", () => {
  it("has the server remove by an index of its own, which a saver without ttl does not make", async () => {
    const here = place();
    await here.saver().setup();
    const names = async () => (await here.documents.indexes()).map(({ name }) => name);
    expect(await names()).not.toContain("savers_expiry");
    await here.saver({ ttl: TTL }).setup();
    const [index] = (await here.documents.indexes()).filter(({ name }) => name === "savers_expiry");
    expect(index).toMatchObject({ key: { e: 1 }, expireAfterSeconds: 0 });
  });

  it("an expired thread is seen by no read, though nothing has removed it", async () => {
    const { saver, documents, put } = await startThread();
    await put(1);
    travel(TTL * 1.2);
    expect(await documents.countDocuments()).toBeGreaterThan(4);
    expect(await saver.getTuple(config("t"))).toBeUndefined();
    expect(await saver.getTuple(config("t", idOf(0)))).toBeUndefined();
    expect(await collect(saver.list(config("t")))).toEqual([]);
    expect(await collect(saver.list({ configurable: { thread_id: "t", checkpoint_ns: "" } }))).toEqual([]);
    expect(await collect(saver.list({}))).toEqual([]);
    expect(await collect(saver.listThreads())).toEqual([]);
    const history = await saver.getDeltaChannelHistory({ config: config("t", idOf(1)), channels: ["delta"] });
    expect(history["delta"]).toEqual({ writes: [] });
  });

  it("is counted from the last activity: a thread in use keeps its first chunk and its oldest ancestor", async () => {
    const { saver, documents, put, big } = await startThread();
    for (let at = 1; at <= 12; at++) {
      travel(TTL * 0.4);
      await put(at);
    }
    travel(TTL * 0.99);
    const history = await collect(saver.list(config("t")));
    expect(history.map((tuple) => tuple.checkpoint.channel_values["big"] === big)).toEqual(
      Array.from({ length: 13 }, () => true),
    );
    // What the server would remove by now: nothing.
    expect(await documents.countDocuments({ e: { $lte: new Date() } })).toBe(0);
  });

  it("nothing is removed before it is out of sight, whatever the pace of the puts", async () => {
    const { documents, put } = await startThread();
    for (const [at, pause] of [0.05, 0.3, 0.05, 0.49, 0.02, 0.9, 0.11, 0.5, 0.5].entries()) {
      travel(TTL * pause);
      await put(at + 1);
      const thread = await documents.findOne<{ v: Date }>({ "_id.k": "a" } as object);
      const visible = thread!.v.getTime();
      expect(visible - Date.now()).toBeGreaterThanOrEqual(TTL * 1000);
      expect(await documents.countDocuments({ e: { $not: { $gt: new Date(visible) } } })).toBe(0);
    }
  });

  it("a thread is extended in bulk now and then, not by every put", async () => {
    const { client, put } = await startThread();
    const counter = new CommandCounter(client);
    for (let at = 1; at <= 10; at++) {
      travel(TTL * 0.02);
      await put(at);
    }
    expect(counter.take()).toEqual(Array.from({ length: 20 }, () => "update"));
  });

  it("an expired thread that is used again starts anew", async () => {
    const here = place();
    const saver = here.saver({ ttl: 0.2 });
    await saver.put(config("t"), checkpoint(idOf(5), { old: text(5000, 1) }), metadata(), { old: 1 });
    await vi.waitUntil(async () => (await here.saver().getTuple(config("t"))) === undefined);
    // One that expires later, so that what it puts is there for as long as the test looks for it.
    const later = here.saver({ ttl: TTL });
    await later.put(config("t", idOf(5)), checkpoint(idOf(1), { fresh: 1 }), metadata(), { fresh: 1 });
    const history = await collect(here.saver().list(config("t")));
    expect(history.map(({ checkpoint: { id } }) => id)).toEqual([idOf(1)]);
    expect(history[0]!.checkpoint.channel_values).toEqual({ fresh: 1 });
  });

  it("what is remembered of deleted checkpoints, and chunks that are sent again, outlive what is seen", async () => {
    const { saver, documents, put } = await startThread();
    for (let at = 1; at < 4; at++) await put(at);
    await saver.store.deleteCheckpoints("t", [{ namespace: "", checkpointId: idOf(0) }]);
    expect(await documents.countDocuments({ "_id.k": "d" })).toBe(1);
    for (let at = 4; at < 9; at++) {
      travel(TTL * 0.45);
      await put(at);
      const thread = await documents.findOne<{ v: Date }>({ "_id.k": "a" } as object);
      expect(await documents.countDocuments({ e: { $not: { $gt: thread!.v } } })).toBe(0);
    }
    await saver.store.collectChunks("t", Date.now());
    expect(await documents.countDocuments({ "_id.k": "d" })).toBe(0);
    expect((await collect(saver.list(config("t")))).map(({ checkpoint: { id } }) => id)).toHaveLength(8);
  });

  it("an expired thread has no checkpoints to delete, and nothing to collect", async () => {
    const { saver, documents, put } = await startThread();
    await put(1);
    const name = { namespace: "", checkpointId: idOf(1) };
    await saver.store.deleteCheckpoints("t", [{ namespace: "", checkpointId: idOf(0) }]);
    const before = await documents.countDocuments();
    travel(TTL * 1.2);
    expect(await saver.store.deleteCheckpoints("t", [name])).toEqual({ checkpoints: 0, bytes: 0 });
    expect(await saver.store.collectChunks("t", Date.now())).toEqual({ chunks: 0, bytes: 0 });
    expect(await saver.store.getThread("t")).toBeUndefined();
    expect(await saver.store.listRuns({ runIds: ["run"], limit: 10 })).toEqual({ items: [] });
    expect(await documents.countDocuments()).toBe(before);
  });

  it("registers stay when their thread expires, and for a week after they last changed", async () => {
    const here = place();
    const { store } = here.saver({ ttl: 0.2 });
    const { store: later } = here.saver({ ttl: TTL });
    await store.setup();
    await later.setup();
    const lives = async () => {
      const thread = await here.documents.findOne<{ e: Date }>({ "_id.k": "a" } as object);
      expect(thread!.e.getTime()).toBeGreaterThan(Date.now() + WEEK - 60_000);
    };
    const put = (checkpointId: string, value: string, by = store) => {
      const record = { threadId: "t", namespace: "", checkpointId, createdAt: 1, labels: {}, chunks: [] };
      return by.putCheckpoint({ ...record, body: Buffer.from("b") }, [], { registers: { lease: value } });
    };
    expect(await store.setRegister("t", "lease", "mine", undefined)).toBe(true);
    await lives();
    expect(await put("a", "mine")).toMatchObject({ committed: true });
    await lives();
    await vi.waitUntil(async () => (await store.getThread("t")) === undefined);
    expect(await store.getRegister("t", "lease")).toBe("mine");
    expect(await put("b", "yours")).toMatchObject({ committed: false, fenced: true });
    expect(await put("b", "mine", later)).toMatchObject({ committed: true });
    expect((await store.getThread("t"))?.checkpoints).toBe(1);
    await lives();
  });
});
