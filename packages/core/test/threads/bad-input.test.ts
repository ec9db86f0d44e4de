import { describe, expect, it } from "vitest";

import { InMemorySaver, withRetention, withThreadLease, type ThreadManager } from "../../src/index.js";
import { config } from "../support.js";
import { tuples, withNotes } from "./graphs.js";

/** As a script in JavaScript may call them. */
type Loose = { [Name in keyof ThreadManager]: (...args: unknown[]) => Promise<unknown> };

const NO_IDS: unknown[] = [undefined, null, {}, { $gt: "" }, ["a"], true, 1.5, Number.NaN, "\ud800"];

const calls: Record<string, (saver: Loose, wrong: unknown) => unknown> = {
  exists: (saver, wrong) => saver.exists(wrong),
  threadInfo: (saver, wrong) => saver.threadInfo(wrong),
  getAtOrBefore: (saver, wrong) => saver.getAtOrBefore(wrong, { step: 1 }),
  "copyThread from": (saver, wrong) => saver.copyThread(wrong, "b"),
  "copyThread to": (saver, wrong) => saver.copyThread("a", wrong),
  fork: (saver, wrong) => saver.fork({ configurable: { thread_id: wrong } }),
  deleteCheckpoints: (saver, wrong) => saver.deleteCheckpoints(wrong, ["1"]),
  "deleteCheckpoints of": (saver, wrong) => saver.deleteCheckpoints("a", [wrong]),
  deleteForRuns: (saver, wrong) => saver.deleteForRuns([wrong]),
  prune: (saver, wrong) => saver.prune([wrong], { keepLast: 1 }),
};

const others: [string, (saver: Loose) => unknown][] = [
  ["a list that is one id", (saver) => saver.deleteCheckpoints("a", "1")],
  ["runs that are one id", (saver) => saver.deleteForRuns("r")],
  ["a prune of one id", (saver) => saver.prune("a", { keepLast: 1 })],
  ["a prune without a policy", (saver) => saver.prune("all")],
  ["a policy that says nothing", (saver) => saver.prune("all", {})],
  ["a policy that only says what else to keep", (saver) => saver.prune("all", { keepFinished: true })],
  ["a policy that keeps nothing", (saver) => saver.prune("all", { keepLast: 0 })],
  ["a policy that keeps less than nothing", (saver) => saver.prune("all", { keepLast: -1 })],
  ["a policy that keeps one and a half", (saver) => saver.prune("all", { keepLast: 1.5 })],
  ["a policy that keeps NaN", (saver) => saver.prune("all", { keepLast: Number.NaN })],
  ["a policy that keeps a text", (saver) => saver.prune("all", { keepLast: "2" })],
  ["a negative age", (saver) => saver.prune("all", { olderThan: -1 })],
  ["an age that is NaN", (saver) => saver.prune("all", { olderThan: Number.NaN })],
  ["an age without end", (saver) => saver.prune("all", { olderThan: Infinity })],
  ["an invalid date", (saver) => saver.prune("all", { olderThan: new Date(Number.NaN) })],
  ["an unknown strategy", (saver) => saver.prune("all", { strategy: "keep_none" })],
  ["two strategies", (saver) => saver.prune("all", { strategy: "delete", keepLast: 2 })],
  [
    "a deletion that keeps something",
    (saver) => saver.prune("all", { strategy: "delete", keepFinished: true }),
  ],
  ["a dry run that is a text", (saver) => saver.prune("all", { keepLast: 1, dryRun: "no" })],
  ["a listener that is none", (saver) => saver.prune("all", { keepLast: 1 }, "all")],
  ["a copy onto itself", (saver) => saver.copyThread("a", "a")],
  ["a choice that there is not", (saver) => saver.copyThread("a", "b", { ifExists: "maybe" })],
  ["options that are none", (saver) => saver.copyThread("a", "b", "merge")],
  ["a fork onto itself", (saver) => saver.fork(config("a"), { threadId: "a" })],
  ["a fork without a config", (saver) => saver.fork(undefined)],
  ["a fork to an object", (saver) => saver.fork(config("a"), { threadId: {} })],
  ["edits that are a list", (saver) => saver.fork(config("a"), { edits: ["x"] })],
  ["a history that is a text", (saver) => saver.fork(config("a"), { history: "yes" })],
  ["force by a text", (saver) => saver.deleteCheckpoints("a", ["1"], { force: "yes" })],
  ["force by a number", (saver) => saver.deleteForRuns(["r"], { force: 1 })],
  [
    "a namespace that is an object",
    (saver) => saver.deleteCheckpoints("a", ["1"], { checkpointNs: { $ne: 1 } }),
  ],
  ["no point", (saver) => saver.getAtOrBefore("a")],
  ["two points", (saver) => saver.getAtOrBefore("a", { step: 1, time: 1 })],
  ["a step that is NaN", (saver) => saver.getAtOrBefore("a", { step: Number.NaN })],
  ["a time that is a text", (saver) => saver.getAtOrBefore("a", { time: "yesterday" })],
  ["a verification of an object", (saver) => saver.verify({})],
  ["a lease of an object", (saver) => withThreadLease(saver as never, {} as never, () => 1)],
  ["a lease without work", (saver) => withThreadLease(saver as never, "a", undefined as never)],
  ["a lease on no saver", () => withThreadLease({} as never, "a", () => 1)],
  [
    "a lease beyond what timers take",
    (saver) => withThreadLease(saver as never, "a", () => 1, { ttlMs: 2 ** 31 }),
  ],
];

async function content(saver: InMemorySaver) {
  return [await tuples(saver, "a"), await saver.stats()];
}

describe("what cannot be meant is refused with a code, and changes nothing", () => {
  it.each(Object.entries(calls))("%s what is no id", async (_, call) => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    const before = await content(saver);
    for (const wrong of NO_IDS)
      await expect(call(saver as unknown as Loose, wrong), String(wrong)).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    expect(await content(saver)).toEqual(before);
  });

  it.each(others)("%s", async (_, call) => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    const before = await content(saver);
    await expect(call(saver as unknown as Loose)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(await content(saver)).toEqual(before);
  });

  it.each([{ limit: -1 }, { limit: Number.NaN }, { prefix: 1 }, { after: {} }, { updatedSince: "x" }, "a"])(
    "a list with %j",
    async (options) => {
      const threads = new InMemorySaver().listThreads(options as never);
      await expect(threads.next()).rejects.toMatchObject({ code: "INVALID_INPUT" });
    },
  );

  it.each<[string, object]>([
    ["nothing to go by", {}],
    ["no checkpoint at all", { maxCheckpoints: 0 }],
    ["half a checkpoint", { maxCheckpoints: 0.5 }],
    ["a negative age", { maxAgeMs: -1 }],
    ["an age that is a text", { maxAgeMs: "1" }],
    ["an idle time that is NaN", { idleThreadMs: Number.NaN }],
    ["a jitter above 1", { maxAgeMs: 1, jitter: 2 }],
    ["a jitter that is a text", { maxAgeMs: 1, jitter: "0.1" }],
    ["no interval", { maxAgeMs: 1, intervalMs: 0 }],
    ["an interval beyond what timers take", { maxAgeMs: 1, intervalMs: 2 ** 31 }],
    ["an interval that never ends", { maxAgeMs: 1, intervalMs: Infinity }],
    ["a listener that is none", { maxAgeMs: 1, onSweep: "log" }],
    ["a flag that is a text", { maxAgeMs: 1, keepFinished: "no" }],
  ])("a retention with %s", (_, policy) => {
    expect(() => withRetention(new InMemorySaver(), policy)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });

  it("a retention of no saver", () => {
    expect(() => withRetention({} as never, { maxCheckpoints: 1 })).toThrow(/one of this pack/);
  });

  it("unknown threads, checkpoints and runs are no mistake where something is deleted or looked for", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    const before = await content(saver);
    expect(await saver.prune(["none"], { keepLast: 1 })).toEqual({
      deleted: 0,
      kept: 0,
      bytes: 0,
      threads: [],
      failed: [],
    });
    expect(await saver.prune([], { strategy: "delete" })).toMatchObject({ deleted: 0 });
    expect(await saver.deleteCheckpoints("none", ["1"])).toEqual({ checkpoints: 0 });
    expect(await saver.deleteCheckpoints("a", [])).toEqual({ checkpoints: 0 });
    expect(await saver.deleteForRuns([])).toEqual({ checkpoints: 0 });
    expect(await saver.getAtOrBefore("none", { step: 1 })).toBeUndefined();
    expect(await saver.threadInfo("none")).toBeUndefined();
    expect(await saver.verify("none")).toEqual({ intact: 0, problems: [] });
    await expect(saver.copyThread("none", "b")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(saver.fork(config("none"))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(saver.fork(config("a", "none"))).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await content(saver)).toEqual(before);
  });
});
