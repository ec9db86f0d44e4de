import { describe, expect, it } from "vitest";

import { countCalls, InMemorySaver, MemoryStore, type ThreadInfo } from "../../src/index.js";
import { checkpoint, config, metadata, pseudoRandomText } from "../support.js";

/** A saver whose store counts, and a history of `length` checkpoints with a state of about 300 KB. */
async function withHistory(length: number) {
  const memory = new MemoryStore();
  const store = countCalls(memory);
  const saver = new InMemorySaver({ store });
  const big = Array.from({ length: 300 }, (_, at) => pseudoRandomText(1000, at + 1));
  let parent: string | undefined;
  const ids: string[] = [];
  for (let step = 0; step < length; step++) {
    const next = checkpoint({ big, small: step }, 1);
    next.channel_versions = { big: 1, small: step + 1 };
    await saver.put(
      config("t", parent),
      next,
      metadata(step),
      step === 0 ? { big: 1, small: 1 } : { small: step + 1 },
    );
    await saver.putWrites(config("t", next.id), [["delta", step]], "task");
    parent = next.id;
    ids.push(next.id);
  }
  store.reset();
  return { saver, store, ids, last: parent!, cold: new InMemorySaver({ store }) };
}

async function onlyThread(saver: InMemorySaver) {
  const { value } = await saver.listThreads().next();
  return value as ThreadInfo;
}

describe("calls to the store", () => {
  it("put: one where this saver knows the parent, two where it does not", async () => {
    const { saver, store, last, cold } = await withHistory(3);
    const next = checkpoint({ small: "x" }, 9);
    await saver.put(config("t", last), next, metadata(), { small: 9 });
    expect(store.calls).toEqual({ putCheckpoint: 1 });
    store.reset();
    await cold.put(config("t", last), checkpoint({ small: "y" }, 9), metadata(), { small: 9 });
    expect(store.calls).toEqual({ setup: 1, getCheckpoints: 1, putCheckpoint: 1 });
  });

  it("putWrites: one, whatever the number and size of the writes", async () => {
    const { saver, store, last } = await withHistory(1);
    const writes = Array.from({ length: 300 }, (_, at): [string, unknown] => [
      "c",
      pseudoRandomText(at * 50, at + 1),
    ]);
    await saver.putWrites(config("t", last), writes, "many");
    expect(store.calls).toEqual({ putWrites: 1 });
    store.reset();
    await saver.putWrites(config("t", last), [], "none");
    expect(store.total()).toBe(0);
  });

  it("a value of 3 KB makes no chunk before a second record needs it", async () => {
    const chunks: number[] = [];
    class Watched extends MemoryStore {
      override putCheckpoint(...args: Parameters<MemoryStore["putCheckpoint"]>) {
        chunks.push(args[1].length);
        return super.putCheckpoint(...args);
      }
      override putWrites(...args: Parameters<MemoryStore["putWrites"]>) {
        chunks.push(args[1].length);
        return super.putWrites(...args);
      }
    }
    const saver = new InMemorySaver({ store: new Watched() });
    const message = pseudoRandomText(3000, 1);
    const first = checkpoint({ __start__: message });
    await saver.put(config("t"), first, metadata(), { __start__: 1 });
    await saver.putWrites(config("t", first.id), [["messages", message]], "task");
    const second = checkpoint({ messages: message });
    await saver.put(config("t", first.id), second, metadata(), { messages: 1 });
    await saver.put(config("t", second.id), checkpoint({ messages: message }), metadata(), {});
    expect(chunks).toEqual([0, 0, 0, 1]);
    expect((await saver.getTuple(config("t")))!.checkpoint.channel_values).toEqual({ messages: message });
  });

  it("getTuple: one where the chunks are known; a cold saver adds one per level of references", async () => {
    const { saver, store, cold } = await withHistory(3);
    await saver.getTuple(config("t"));
    expect(store.calls).toEqual({ getCheckpoints: 1 });
    store.reset();
    await cold.getTuple(config("t"));
    expect(store.calls).toEqual({ setup: 1, getCheckpoints: 1, getChunks: 2 });
    store.reset();
    await cold.getTuple(config("t"));
    expect(store.calls).toEqual({ getCheckpoints: 1 });
  });

  it("list: by page, not by checkpoint", async () => {
    const { store, cold } = await withHistory(100);
    let count = 0;
    for await (const _ of cold.list(config("t"))) count += 1;
    expect(count).toBe(100);
    expect(store.calls).toEqual({ setup: 1, listCheckpoints: 3, getChunks: 2 });
    store.reset();
    for await (const _ of cold.list(config("t"), { limit: 10 })) count += 1;
    expect(store.calls).toEqual({ listCheckpoints: 1 });
    store.reset();
    for await (const _ of cold.list(config("t"), { limit: 1, filter: { step: 50 } })) count += 1;
    expect(store.calls).toEqual({ listCheckpoints: 2 });
  });

  it("list: a consumer that stops early costs one page", async () => {
    const { saver, store } = await withHistory(100);
    for await (const _ of saver.list(config("t"))) break;
    expect(store.calls).toEqual({ listCheckpoints: 1 });
  });

  it("getDeltaChannelHistory: two at most for 200 ancestors", async () => {
    const { store, cold, last } = await withHistory(200);
    const history = await cold.getDeltaChannelHistory({
      config: config("t", last),
      channels: ["delta", "big"],
    });
    expect(history["delta"]!.writes).toHaveLength(199);
    expect(store.calls["listAncestors"]).toBe(1);
    expect(store.calls["getChunks"] ?? 0).toBeLessThanOrEqual(2);
    expect(store.calls["getCheckpoints"]).toBeUndefined();
  });

  it("listThreads: by page, each twice as large as the one before", async () => {
    const store = countCalls(new MemoryStore());
    const saver = new InMemorySaver({ store });
    for (let at = 0; at < 700; at++) {
      await saver.put(config(`t${String(at).padStart(3, "0")}`), checkpoint({ a: 1 }), metadata(at), {
        a: 1,
      });
    }
    store.reset();
    const ids: string[] = [];
    for await (const { threadId } of saver.listThreads()) ids.push(threadId);
    expect(ids).toHaveLength(700);
    expect(ids).toEqual([...ids].toSorted());
    expect(store.calls).toEqual({ listThreads: 3 });
  });
});

describe("bytes", () => {
  it("a put that changes one small channel stores nothing of the others", async () => {
    const { saver } = await withHistory(1);
    const before = await onlyThread(saver);
    const { saver: longer } = await withHistory(101);
    const after = await onlyThread(longer);
    expect(after.checkpoints - before.checkpoints).toBe(100);
    expect((after.bytes - before.bytes) / 100).toBeLessThan(600);
  });
});
