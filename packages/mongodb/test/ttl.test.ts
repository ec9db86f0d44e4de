import { describe, expect, it, onTestFinished, vi } from "vitest";

import { checkpoint, collect, config, idOf, metadata, text } from "./support/checkpoints.js";
import { CommandCounter, place } from "./support/place.js";

const TTL = 1000;

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
    await saver.put(config("t", idOf(5)), checkpoint(idOf(1), { fresh: 1 }), metadata(), { fresh: 1 });
    const history = await collect(here.saver().list(config("t")));
    expect(history.map(({ checkpoint: { id } }) => id)).toEqual([idOf(1)]);
    expect(history[0]!.checkpoint.channel_values).toEqual({ fresh: 1 });
  });
});
