import { afterEach, describe, expect, it, vi } from "vitest";

import { InMemorySaver, MemoryStore, withRetention, type SweepReport } from "../../src/index.js";
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

  it("refuses a policy that says nothing or makes no sense", () => {
    const saver = new InMemorySaver();
    for (const policy of [
      {},
      { maxCheckpoints: 0 },
      { maxAgeMs: -1 },
      { idleThreadMs: Number.NaN },
      { maxAgeMs: 1, jitter: 2 },
      { maxAgeMs: 1, intervalMs: 0 },
    ])
      expect(() => withRetention(saver, policy)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });
});
