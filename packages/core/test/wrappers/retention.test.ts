import { afterEach, describe, expect, it, vi } from "vitest";

import {
  countCalls,
  GRACE_MS,
  InMemorySaver,
  MemoryStore,
  SaverError,
  withRetention,
  type SweepReport,
} from "../../src/index.js";
import { notesGraph, withNotes } from "../threads/graphs.js";
import { config } from "../support.js";

afterEach(() => {
  vi.useRealTimers();
});

describe("withRetention", () => {
  it("sweeps again and again, and stops when told to", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    const reports: SweepReport[] = [];
    const retention = withRetention(saver, {
      maxCheckpoints: 2,
      intervalMs: 5,
      onSweep: (report) => reports.push(report),
    });
    await vi.waitFor(() => expect(reports.length).toBeGreaterThan(2));
    expect(reports[0]).toMatchObject({ swept: true, threads: 1, deletedThreads: 0 });
    expect(reports[0]!.deletedCheckpoints).toBeGreaterThan(5);
    expect(reports[1]!.deletedCheckpoints).toBe(0);
    await retention.stop();
    const count = reports.length;
    await notesGraph(saver).invoke({ topic: "x" }, config("b"));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(reports).toHaveLength(count);
    expect((await saver.threadInfo("a"))!.checkpoints).toBe(2);
  });

  it("deletes idle threads, prunes by age and count, and keeps the newest of each", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    const saver = new InMemorySaver();
    await withNotes(saver, "idle");
    await withNotes(saver, "busy");
    vi.setSystemTime(5_000_000);
    await withNotes(saver, "busy");
    await using retention = withRetention(saver, {
      idleThreadMs: 3_000_000,
      maxAgeMs: 1_000_000,
      maxCheckpoints: 4,
    });
    const report = await retention.sweep();
    expect(report).toMatchObject({ deletedThreads: 1, threads: 2 });
    expect(await saver.exists("idle")).toBe(false);
    expect((await saver.threadInfo("busy"))!.checkpoints).toBe(4);
  });

  it("leaves the sweep to another process that is at it", async () => {
    const store = new MemoryStore();
    const [a, b] = [new InMemorySaver({ store }), new InMemorySaver({ store })];
    for (let at = 0; at < 5; at++) await withNotes(a, `t${at}`);
    const first = withRetention(a, { maxCheckpoints: 1 });
    const second = withRetention(b, { maxCheckpoints: 1 });
    const reports = await Promise.all([first.sweep(), second.sweep()]);
    expect(reports.filter(({ swept }) => swept)).toHaveLength(1);
    expect((await second.sweep()).swept).toBe(true);
    await Promise.all([first.stop(), second.stop()]);
  });

  it("tells of a failure and goes on", async () => {
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    await withNotes(saver, "a");
    const errors: unknown[] = [];
    let failing = true;
    const ping = store.ping.bind(store);
    store.ping = () => (failing ? Promise.reject(new Error("away")) : ping());
    await using retention = withRetention(saver, {
      maxCheckpoints: 1,
      intervalMs: 5,
      onError: (error) => errors.push(error),
    });
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0));
    failing = false;
    await vi.waitFor(async () => expect((await saver.threadInfo("a"))!.checkpoints).toBe(1));
    expect(retention).toBeDefined();
  });

  it("does not read threads in which there is nothing to prune, but gives back what they let go of", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000_000 });
    const store = countCalls(new MemoryStore());
    const saver = new InMemorySaver({ store });
    for (let at = 0; at < 5; at++) await withNotes(saver, `t${at}`);
    await using retention = withRetention(saver, {
      maxCheckpoints: 2,
      maxAgeMs: 2 * GRACE_MS,
      idleThreadMs: 30 * GRACE_MS,
    });
    expect((await retention.sweep()).deletedCheckpoints).toBe(5 * 10);
    store.reset();
    expect(await retention.sweep()).toMatchObject({ threads: 5, deletedCheckpoints: 0, bytes: 0 });
    expect(store.calls).not.toHaveProperty("listCheckpoints");
    vi.setSystemTime(1_000_000_000 + GRACE_MS + 1);
    expect((await retention.sweep()).bytes).toBeGreaterThan(0);
    expect(store.calls).not.toHaveProperty("listCheckpoints");
  });

  it("tells of a thread that cannot be read, and goes on with the next", async () => {
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    for (const threadId of ["a", "b", "c"]) await withNotes(saver, threadId);
    const list = store.listCheckpoints.bind(store);
    store.listCheckpoints = async (query) => {
      if (query.threadId === "b") throw new SaverError("CHECKPOINT_DAMAGED", "Stored data is damaged.");
      return list(query);
    };
    const errors: unknown[] = [];
    await using retention = withRetention(saver, {
      maxCheckpoints: 1,
      onError: (error) => {
        errors.push(error);
        throw new Error("the listener fails too");
      },
    });
    expect(await retention.sweep()).toMatchObject({ threads: 3, deletedCheckpoints: 2 * 11 });
    expect(errors).toMatchObject([{ code: "CHECKPOINT_DAMAGED" }]);
  });

  it("survives listeners that throw", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    let failures = 0;
    await using retention = withRetention(saver, {
      maxCheckpoints: 1,
      intervalMs: 2,
      onSweep: () => {
        throw new Error("no report, please");
      },
      onError: () => {
        failures += 1;
        throw new Error("no error either");
      },
    });
    // An unhandled rejection would fail the run of the tests.
    await vi.waitFor(() => expect(failures).toBeGreaterThan(2));
    expect(retention).toBeDefined();
  });

  it("is over with its saver, and after it was stopped", async () => {
    const saver = new InMemorySaver();
    const codes: unknown[] = [];
    const onError = (error: unknown) => codes.push((error as SaverError).code);
    const retention = withRetention(saver, { maxCheckpoints: 1, intervalMs: 2, onError });
    await saver.close();
    await vi.waitFor(() => expect(codes).toEqual(["SAVER_CLOSED"]));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(codes).toHaveLength(1);
    await retention.stop();
    await retention.stop();
    await expect(retention.sweep()).rejects.toMatchObject({ code: "SAVER_CLOSED" });
  });

  it("stops after the thread in hand, and waits for that", async () => {
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    for (const threadId of ["a", "b", "c"]) await withNotes(saver, threadId);
    const remove = store.deleteCheckpoints.bind(store);
    let enter: () => void = () => {};
    const entered = new Promise<void>((resolve) => (enter = resolve));
    let leave: () => void = () => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    store.deleteCheckpoints = async (...args) => {
      enter();
      await left;
      return remove(...args);
    };
    const retention = withRetention(saver, { maxCheckpoints: 1 });
    const sweeping = retention.sweep();
    await entered;
    let isStopped = false;
    const stopping = retention.stop().then(() => (isStopped = true));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isStopped).toBe(false);
    leave();
    await stopping;
    expect(await sweeping).toMatchObject({ threads: 1 });
    expect((await saver.threadInfo("a"))!.checkpoints).toBe(1);
    expect((await saver.threadInfo("b"))!.checkpoints).toBe(12);
  });
});
