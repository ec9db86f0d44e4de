import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { SaverError, type ReplicationMode } from "../../../src/index.js";
import { checkpoint, config, metadata } from "../../support.js";
import {
  all,
  closeAll,
  drained,
  idsOf,
  putOne,
  replicate,
  stopTime,
  until,
  type Replicated,
} from "./support.js";

const unavailable = expect.objectContaining({ code: "BACKEND_UNAVAILABLE" });
const times = { checkIntervalMs: 1000, timeoutMs: 500, failbackDelayMs: 10_000, failureThreshold: 3 };
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(stopTime);
afterEach(closeAll);

/** Replicated, with `t` and `u` on both sides, and the primary known to be down. */
async function failedOver(
  mode: ReplicationMode,
  options: object = {},
): Promise<Replicated & { first: string }> {
  const pair = replicate({ mode, ...times, ...options });
  const first = await putOne(pair.saver, "t", { kept: "k", a: 1 });
  await putOne(pair.saver, "u");
  await drained(pair.saver);
  pair.primary.kill();
  await pass(3000);
  expect(pair.saver.status()).toMatchObject({ active: "secondary", primary: { state: "down" } });
  return { ...pair, first };
}

describe.each(["sync", "async"] as const)("a primary that goes down, %s", (mode) => {
  it("costs no call: what fails there is answered by the secondary, and after n failures it is not asked", async () => {
    const { saver, primary, secondary, events } = replicate({ mode, ...times });
    const first = await putOne(saver, "t");
    await drained(saver);
    primary.kill();
    for (const attempt of [1, 2, 3]) {
      expect((await saver.getTuple(config("t")))?.checkpoint.id).toBe(first);
      expect(saver.status().primary.failures).toBe(attempt);
    }
    expect(events).toEqual([
      { type: "degraded", side: "primary", error: expect.any(SaverError) },
      { type: "failover", from: "primary", to: "secondary", error: expect.any(SaverError) },
    ]);
    const asked = primary.calls.length;
    const second = await putOne(saver, "t", { a: 2 }, first);
    await saver.putWrites(config("t", second), [["a", 3]], "k");
    expect(await idsOf(saver, "t")).toEqual([second, first]);
    expect(primary.calls.length).toBe(asked);
    expect(await idsOf(secondary.inner, "t")).toEqual([second, first]);
  });

  it("is found by the health check where nothing is asked of it", async () => {
    const { saver, events } = await failedOver(mode);
    expect(events.map(({ type }) => type)).toEqual(["degraded", "failover"]);
    expect(saver.status().primary.downSince).toEqual(new Date());
    expect(saver.status().primary.lastError).toEqual(unavailable);
  });

  it("serves again when it has caught up, after a delay, and has missed nothing then", async () => {
    const { saver, primary, secondary, events, first } = await failedOver(mode);
    const second = await putOne(saver, "t", { kept: "k", a: 2 }, first);
    await saver.putWrites(config("t", second), [["a", 3]], "k");
    await saver.deleteThread("u");
    expect(saver.status()).toMatchObject({
      degraded: true,
      primary: { queue: { operations: 3, threads: 2 } },
    });
    primary.restart();
    await pass(1000);
    await drained(saver);
    expect(events.at(-1)).toEqual({ type: "recovered", side: "primary" });
    expect(saver.status()).toMatchObject({
      active: "secondary",
      primary: { state: "up", downSince: undefined },
    });
    expect(await all(primary.inner)).toEqual(await all(secondary.inner));
    await pass(9000);
    expect(saver.status().active).toBe("secondary");
    await pass(2000);
    expect(saver.status().active).toBe("primary");
    expect(events.at(-1)).toEqual({ type: "failback", to: "primary" });
    expect(await idsOf(saver)).toEqual([second, first]);
  });

  it("does not serve before it has caught up, and starts anew when it fails on the way", async () => {
    const { saver, primary, events } = await failedOver(mode);
    const second = await putOne(saver, "t", { a: 2 });
    primary.kill("before", "put");
    await pass(30_000);
    expect(saver.status()).toMatchObject({ active: "secondary", primary: { state: "down" } });
    expect(events.map(({ type }) => type)).toEqual(["degraded", "failover"]);
    primary.restart();
    await pass(12_000);
    expect(saver.status()).toMatchObject({ active: "primary", degraded: false });
    expect(await idsOf(primary.inner, "t")).toContain(second);
  });

  it("that hangs is given up: calls under way are answered by the secondary", async () => {
    const { saver, primary, secondary } = replicate({
      mode,
      ...times,
      checkIntervalMs: 100,
      timeoutMs: 60_000,
    });
    const first = await putOne(saver, "t");
    await drained(saver);
    primary.pause();
    const reading = saver.getTuple(config("t"));
    const listing = idsOf(saver, "t");
    const writing = saver.putWrites(config("t", first), [["a", 1]], "k");
    await pass(1000);
    expect((await reading)?.checkpoint.id).toBe(first);
    expect(await listing).toEqual([first]);
    await writing;
    expect((await secondary.inner.getTuple(config("t")))?.pendingWrites).toEqual([["k", "a", 1]]);
    primary.resume();
    await pass(1000);
    await drained(saver);
    expect(await all(primary.inner)).toEqual(await all(secondary.inner));
  });

  it("that hangs for one call only is an outage after the time limit", async () => {
    const { saver, primary } = replicate({ mode, ...times, checkIntervalMs: 60_000 });
    const first = await putOne(saver, "t");
    await drained(saver);
    primary.pause();
    const reading = saver.getTuple(config("t"));
    await pass(500);
    expect((await reading)?.checkpoint.id).toBe(first);
    expect(saver.status()).toMatchObject({ active: "primary", primary: { state: "up", failures: 1 } });
  });

  it("gets what it missed from the log, also when the secondary is down by then", async () => {
    const { saver, primary, secondary, first } = await failedOver(mode, { onSecondaryDown: "degrade" });
    const second = await putOne(saver, "t", { a: 2 }, first);
    secondary.kill();
    primary.restart();
    await pass(4000);
    expect(saver.status()).toMatchObject({ active: "primary", secondary: { state: "down" } });
    expect(await idsOf(saver, "t")).toEqual([second, first]);
    const third = await putOne(saver, "t", { a: 3 }, second);
    secondary.restart();
    await pass(2000);
    await drained(saver);
    expect(await idsOf(secondary.inner, "t")).toEqual([third, second, first]);
    expect(await all(primary.inner)).toEqual(await all(secondary.inner));
  });

  it("never shows old data: a thread that only the other side has is refused, others are served", async () => {
    const { saver, primary, secondary, first } = await failedOver(mode, {
      onSecondaryDown: "degrade",
      queueLimit: 1,
    });
    const second = await putOne(saver, "t", { a: 2 }, first);
    const third = await putOne(saver, "t", { a: 3 }, second);
    expect(saver.status().primary.needsResync).toBe(1);
    secondary.kill();
    primary.restart();
    await pass(5000);
    expect(saver.status()).toMatchObject({ active: "primary", secondary: { state: "down" } });
    await expect(saver.getTuple(config("t"))).rejects.toEqual(unavailable);
    await expect(putOne(saver, "t", { a: 4 }, third)).rejects.toEqual(unavailable);
    await expect(idsOf(saver)).rejects.toEqual(unavailable);
    expect(await idsOf(saver, "u")).toHaveLength(1);
    await putOne(saver, "u");
    secondary.restart();
    await pass(5000);
    await drained(saver);
    expect(await idsOf(saver, "t")).toEqual([third, second, first]);
    expect(await all(primary.inner)).toEqual(await all(secondary.inner));
  });

  it("gets the deletion of threads that it missed before anything that came after", async () => {
    const { saver, primary, secondary, first } = await failedOver(mode);
    await saver.deleteThread("t");
    const again = await putOne(saver, "t", { a: "again" });
    await saver.deleteThread("u");
    primary.restart();
    await pass(2000);
    await drained(saver);
    expect(await idsOf(primary.inner)).toEqual([again]);
    expect(await all(primary.inner)).toEqual(await all(secondary.inner));
    expect(await saver.getTuple(config("t", first))).toBeUndefined();
  });
});

describe("both sides down", () => {
  it("rejects, and goes on with whichever comes back", async () => {
    const { saver, primary, secondary, types } = replicate({ mode: "async", ...times });
    const first = await putOne(saver, "t");
    await drained(saver);
    primary.kill();
    secondary.kill();
    await pass(3000);
    await expect(saver.getTuple(config("t"))).rejects.toEqual(unavailable);
    await expect(putOne(saver, "t")).rejects.toEqual(unavailable);
    await expect(saver.deleteThread("t")).rejects.toEqual(unavailable);
    secondary.restart();
    await pass(1000);
    expect(saver.status().active).toBe("secondary");
    const second = await putOne(saver, "t", { a: 2 }, first);
    expect(await idsOf(saver, "t")).toEqual([second, first]);
    primary.restart();
    await pass(12_000);
    await drained(saver);
    expect(saver.status().active).toBe("primary");
    expect(await all(primary.inner)).toEqual(await all(secondary.inner));
    expect(types()).toContain("failback");
  });

  it("a write that failed on both is on both or on none when they are back", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync", ...times });
    primary.kill("after");
    secondary.kill("before");
    await expect(putOne(saver, "t")).rejects.toEqual(unavailable);
    expect(saver.status().secondary.needsResync).toBe(1);
    primary.restart();
    secondary.restart();
    await pass(2000);
    await drained(saver);
    expect(await idsOf(primary.inner, "t")).toHaveLength(1);
    expect(await all(primary.inner)).toEqual(await all(secondary.inner));
  });
});

describe("a write that was given up and may still land", () => {
  it("is waited for by what follows it: it never lands on top of that", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync", ...times });
    const one = checkpoint({ a: 0 });
    const put = (a: string) =>
      saver.put(config("t"), { ...one, channel_values: { a } }, metadata(), { a: 1 }).then(() => "stored");
    primary.pause();
    secondary.kill();
    const given = put("given up").catch((error: unknown) => error);
    await pass(600);
    expect(await given).toEqual(unavailable);
    secondary.restart();
    const again = put("again");
    await pass(100);
    expect(primary.count("put"), "puts that the primary was asked for").toBe(1);
    primary.resume();
    expect(await again).toBe("stored");
    await pass(2000);
    await drained(saver);
    expect((await primary.inner.getTuple(config("t")))?.checkpoint.channel_values).toEqual({ a: "again" });
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
  });
});

describe("reads from the secondary", () => {
  it("wait until the queue of the thread is empty", async () => {
    const { saver, primary, secondary } = replicate({ mode: "async", ...times });
    secondary.pause();
    const id = await putOne(saver, "t");
    await saver.putWrites(config("t", id), [["a", 1]], "k");
    primary.kill("before", "getTuple", "list", "getDeltaChannelHistory");
    const reading = saver.getTuple(config("t"));
    await until(() => saver.status().primary.failures === 1);
    secondary.resume();
    expect(await reading).toMatchObject({ checkpoint: { id }, pendingWrites: [["k", "a", 1]] });
  });

  it("go on where a list of the primary broke off", async () => {
    const { saver, primary } = replicate({ mode: "sync", ...times });
    const ids: string[] = [];
    for (let step = 0; step < 5; step += 1) ids.unshift(await putOne(saver, "t"));
    const seen: string[] = [];
    for await (const tuple of saver.list(config("t"), { limit: 4 })) {
      seen.push(tuple.checkpoint.id);
      if (seen.length === 2) primary.kill();
    }
    expect(seen).toEqual(ids.slice(0, 4));
  });

  it("include the history of delta channels", async () => {
    const { saver, primary } = replicate({ mode: "async", ...times });
    const parent = await putOne(saver, "t", { d: "seed" });
    await saver.putWrites(config("t", parent), [["d", 1]], "k");
    const child = await putOne(saver, "t", {}, parent);
    const ask = () => saver.getDeltaChannelHistory({ config: config("t", child), channels: ["d"] });
    const before = await ask();
    expect(before).toEqual({ d: { seed: "seed", writes: [["k", "d", 1]] } });
    primary.kill();
    expect(await ask()).toEqual(before);
  });
});
