import { INTERRUPT } from "@langchain/langgraph-checkpoint";
import { afterEach, describe, expect, it, vi } from "vitest";

import { SaverError } from "../../../src/index.js";
import { checkpoint, config, metadata } from "../../support.js";
import { outage } from "./faulty-saver.js";
import { all, closeAll, drained, idsOf, putOne, replicate, stopTime, until } from "./support.js";

afterEach(closeAll);

describe("the async mode", () => {
  it("acknowledges a write when the primary has it; the secondary gets it from the queue", async () => {
    const { saver, secondary } = replicate({ mode: "async" });
    secondary.pause();
    const id = await putOne(saver, "t");
    await saver.putWrites(config("t", id), [["a", 2]], "k");
    expect(await idsOf(secondary.inner, "t")).toEqual([]);
    const { queue } = saver.status().secondary;
    expect(queue).toMatchObject({ operations: 2, threads: 1 });
    expect(queue.bytes).toBeGreaterThan(0);
    secondary.resume();
    await drained(saver);
    expect(await all(secondary.inner, "t")).toEqual(await all(saver, "t"));
  });

  it("gives the secondary what was passed, whatever the caller does to it afterwards", async () => {
    const { saver, secondary } = replicate({ mode: "async" });
    secondary.pause();
    const one = checkpoint({ list: [1, { deep: "x" }], when: new Date(0) });
    const meta = { ...metadata(), nested: { a: [1] } };
    const writes: [string, unknown][] = [["a", { n: [1] }]];
    const where = config("t");
    const putting = saver.put(where, one, meta, { list: 1, when: 1 });
    (one.channel_values["list"] as unknown[]).push("spoilt");
    (one.channel_values["when"] as Date).setTime(1);
    meta.nested.a.push(2);
    where.configurable!["thread_id"] = "spoilt";
    await putting;
    const writing = saver.putWrites(config("t", one.id), writes, "k");
    (writes[0]![1] as { n: number[] }).n.push(2);
    await writing;
    secondary.resume();
    await drained(saver);
    const [tuple] = await all(secondary.inner);
    expect(tuple?.config.configurable).toMatchObject({ thread_id: "t", checkpoint_id: one.id });
    expect(tuple?.checkpoint.channel_values).toEqual({ list: [1, { deep: "x" }], when: new Date(0) });
    expect(tuple?.metadata).toMatchObject({ nested: { a: [1] } });
    expect(tuple?.pendingWrites).toEqual([["k", "a", { n: [1] }]]);
    expect(await all(saver)).toEqual([tuple]);
  });

  it("keeps the order of a thread; other threads do not wait for it", async () => {
    const { saver, primary, secondary } = replicate({ mode: "async" });
    const id = await putOne(saver, "t");
    await drained(saver);
    secondary.pause();
    for (const round of [1, 2, 3]) await saver.putWrites(config("t", id), [[INTERRUPT, round]], "k");
    await saver.deleteThread("gone");
    await putOne(saver, "u");
    await until(() => secondary.count("put") === 2);
    // Of the three writes of one task the second waits for the first.
    expect(secondary.count("putWrites")).toBe(1);
    secondary.resume();
    await drained(saver);
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
    expect((await secondary.inner.getTuple(config("t")))?.pendingWrites).toEqual([["k", INTERRUPT, 3]]);
  });

  it("never fails a write because the secondary is down", async () => {
    const { saver, primary, secondary, types } = replicate({ mode: "async" });
    secondary.kill();
    let parent: string | undefined;
    for (let step = 0; step < 20; step += 1) {
      parent = await putOne(saver, "t", { step }, parent);
      await saver.putWrites(config("t", parent), [["a", step]], "k");
    }
    await saver.deleteThread("u");
    expect(await idsOf(saver, "t")).toHaveLength(20);
    expect(await idsOf(primary.inner, "t")).toHaveLength(20);
    await until(() => types().includes("degraded"));
    expect(saver.status()).toMatchObject({ active: "primary", secondary: { state: "down" } });
  });

  it("lets writers wait while the queue of a slow secondary is full", async () => {
    const { saver, primary, secondary, events } = replicate({ mode: "async", queueLimit: 2 });
    secondary.pause();
    await putOne(saver, "t");
    await putOne(saver, "t");
    let isAcknowledged = false;
    const third = putOne(saver, "t").finally(() => (isAcknowledged = true));
    await until(() => events.length > 0);
    expect(events).toEqual([{ type: "queue-full", side: "secondary", action: "wait" }]);
    expect(await idsOf(primary.inner, "t")).toHaveLength(3);
    expect(isAcknowledged).toBe(false);
    secondary.resume();
    await third;
    await drained(saver);
    expect(await idsOf(secondary.inner, "t")).toHaveLength(3);
  });

  it("counts bytes too: every put carries the whole state", async () => {
    const { saver, secondary, events } = replicate({
      mode: "async",
      queueBytes: 50_000,
      onQueueFull: "resync",
    });
    secondary.pause();
    for (const text of ["a", "b", "c"]) await putOne(saver, "t", { text: text.repeat(20_000) });
    expect(events).toEqual([{ type: "queue-full", side: "secondary", action: "resync", threadId: "t" }]);
    expect(saver.status().secondary).toMatchObject({ queue: { operations: 0, bytes: 0 }, needsResync: 1 });
    secondary.resume();
    await drained(saver);
    expect(await all(secondary.inner)).toEqual(await all(saver));
  });

  it("copies threads as a whole when the queue of a secondary that is down was too small for them", async () => {
    const { saver, primary, secondary, events } = replicate({
      mode: "async",
      queueLimit: 3,
      failureThreshold: 1,
      checkIntervalMs: 5,
    });
    const kept = await putOne(saver, "t", { kept: "of the start" });
    await putOne(saver, "deleted");
    await drained(saver);
    secondary.kill();
    let parent = kept;
    for (let step = 0; step < 10; step += 1) {
      parent = await putOne(saver, "t", { kept: "of the start", step }, parent);
      await saver.putWrites(config("t", parent), [["a", step]], "k");
    }
    await putOne(saver, "u");
    await saver.deleteThread("deleted");
    expect(events).toContainEqual({ type: "queue-full", side: "secondary", action: "resync", threadId: "t" });
    expect(saver.status().secondary.queue.operations).toBeLessThanOrEqual(3);
    secondary.restart();
    await drained(saver);
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
    expect(events).toContainEqual({
      type: "resynced",
      threadId: "t",
      to: "secondary",
      checkpoints: 10,
      writes: 10,
    });
  });

  it("keeps writes that no list shows yet, also when the queue is too small", async () => {
    const { saver, secondary } = replicate({
      mode: "async",
      queueLimit: 1,
      failureThreshold: 1,
      checkIntervalMs: 5,
    });
    secondary.kill();
    await putOne(saver, "t");
    const late = checkpoint({ a: 2 });
    await saver.putWrites(config("t", late.id), [["a", "early"]], "k");
    expect(saver.status().secondary).toMatchObject({ needsResync: 1, queue: { operations: 1 } });
    secondary.restart();
    await drained(saver);
    await saver.put(config("t"), late, metadata(), { a: 1 });
    await drained(saver);
    expect((await secondary.inner.getTuple(config("t", late.id)))?.pendingWrites).toEqual([
      ["k", "a", "early"],
    ]);
  });

  it("tells of data that the secondary refuses, and goes on with everything else", async () => {
    const { saver, primary, secondary, events } = replicate({ mode: "async" });
    const tooLarge = new SaverError("VALUE_NOT_SERIALIZABLE", "Too large for this backend.");
    secondary.fault = (call) => (call === "put" ? { at: "before", error: tooLarge } : undefined);
    await putOne(saver, "t");
    await until(() => events.length > 1);
    expect(events).toContainEqual({ type: "error", side: "secondary", threadId: "t", error: tooLarge });
    expect(saver.status().secondary).toMatchObject({ state: "up", needsResync: 1 });
    secondary.restart();
    await putOne(saver, "u");
    await until(() => secondary.count("put") === 3);
    expect(await idsOf(secondary.inner, "u")).toHaveLength(1);
    // It is not tried again by itself: the answer would be the same.
    expect(await saver.resync("t")).toMatchObject({ toSecondary: { checkpoints: 1 } });
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
    expect(saver.status().degraded).toBe(false);
  });
});

describe("a thread that the secondary fails on, again and again", () => {
  it("holds up neither the other threads, nor their writers for longer than the time limit, nor the end", async () => {
    stopTime();
    const { saver, primary, secondary, events } = replicate({
      mode: "async",
      queueLimit: 3,
      timeoutMs: 1000,
      failureThreshold: 1000,
      checkIntervalMs: 1000,
    });
    const put = secondary.put.bind(secondary);
    secondary.put = async (...args) => {
      if (args[0].configurable?.["thread_id"] === "stuck") throw outage();
      return put(...args);
    };
    for (let step = 0; step < 3; step += 1) await putOne(saver, "stuck");
    let isAcknowledged = false;
    const late = putOne(saver, "stuck");
    const fine = putOne(saver, "fine").finally(() => (isAcknowledged = true));
    await until(() => events.length > 0 && primary.count("put") === 5);
    expect(isAcknowledged).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all([late, fine]);
    expect(events).toContainEqual({
      type: "queue-full",
      side: "secondary",
      action: "resync",
      threadId: "stuck",
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await idsOf(secondary.inner, "fine")).toEqual(await idsOf(primary.inner, "fine"));
    expect(await idsOf(saver, "stuck")).toHaveLength(4);
    const closing = saver.close();
    await vi.advanceTimersByTimeAsync(60_000);
    await closing;
    expect(events.at(-1)).toMatchObject({ type: "incomplete", side: "secondary", threads: 1 });
  });
});
