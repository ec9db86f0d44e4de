import { afterEach, describe, expect, it } from "vitest";

import { SaverError } from "../../../src/index.js";
import { checkpoint, config, metadata } from "../../support.js";
import { closeAll, drained, idsOf, putOne, replicate, until } from "./support.js";

const unavailable = expect.objectContaining({ code: "BACKEND_UNAVAILABLE" });

afterEach(closeAll);

describe("the sync mode", () => {
  it("acknowledges a write when both sides have it", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync" });
    secondary.pause();
    let isAcknowledged = false;
    const putting = putOne(saver, "t").finally(() => (isAcknowledged = true));
    await until(() => secondary.count("put") === 1);
    expect(await idsOf(primary.inner, "t")).toHaveLength(1);
    expect(isAcknowledged).toBe(false);
    secondary.resume();
    const id = await putting;
    expect(await idsOf(secondary.inner, "t")).toEqual([id]);
  });

  it("sends a write to both sides at once, not to one after the other", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync" });
    primary.pause();
    const putting = putOne(saver, "t");
    await until(() => secondary.count("put") === 1);
    expect(await idsOf(secondary.inner, "t")).toHaveLength(1);
    primary.resume();
    await putting;
  });

  it("refuses a write that the secondary did not take, and passes it on when the secondary is back", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync" });
    secondary.failNext();
    await expect(putOne(saver, "t")).rejects.toEqual(unavailable);
    await drained(saver);
    expect(await idsOf(secondary.inner, "t")).toEqual(await idsOf(primary.inner, "t"));
  });

  it("refuses writes before it stores anything once the secondary is known to be down", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync", failureThreshold: 1 });
    secondary.kill();
    await expect(putOne(saver, "t")).rejects.toEqual(unavailable);
    expect(saver.status().secondary.state).toBe("down");
    const before = primary.calls.length;
    await expect(putOne(saver, "t")).rejects.toEqual(unavailable);
    await expect(saver.putWrites(config("t", "c"), [["a", 1]], "k")).rejects.toEqual(unavailable);
    await expect(saver.deleteThread("t")).rejects.toEqual(unavailable);
    expect(primary.calls.length).toBe(before);
  });

  it("goes on with the primary alone where told so", async () => {
    const { saver, primary, secondary, events } = replicate({
      mode: "sync",
      onSecondaryDown: "degrade",
      failureThreshold: 1,
    });
    secondary.kill();
    const ids = [await putOne(saver, "t"), await putOne(saver, "t")].toReversed();
    expect(await idsOf(saver, "t")).toEqual(ids);
    expect(await idsOf(primary.inner, "t")).toEqual(ids);
    expect(events).toEqual([{ type: "degraded", side: "secondary", error: expect.any(SaverError) }]);
    expect(saver.status()).toMatchObject({
      degraded: true,
      secondary: { queue: { operations: 2, threads: 1 } },
    });
  });

  it("acknowledges what the secondary took while the primary failed, and reads it", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync" });
    primary.failNext();
    const id = await putOne(saver, "t");
    expect(await idsOf(secondary.inner, "t")).toEqual([id]);
    expect(await idsOf(saver, "t")).toEqual([id]);
    await drained(saver);
    expect(await idsOf(primary.inner, "t")).toEqual([id]);
    expect(saver.status().active).toBe("primary");
  });

  it("undoes on the secondary what the primary refused", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync" });
    const first = await putOne(saver, "t");
    primary.failNext(new SaverError("THREAD_DELETED", "The thread was deleted."), "before", "put");
    await expect(putOne(saver, "t")).rejects.toMatchObject({ code: "THREAD_DELETED" });
    await drained(saver);
    expect(await idsOf(primary.inner, "t")).toEqual([first]);
    expect(await idsOf(secondary.inner, "t")).toEqual([first]);
  });

  it("throws what the secondary says about the data, and serves the thread from the primary", async () => {
    const { saver, secondary } = replicate({ mode: "sync" });
    const tooLarge = new SaverError("VALUE_NOT_SERIALIZABLE", "Too large for this backend.");
    secondary.fault = (call) => (call === "put" ? { at: "before", error: tooLarge } : undefined);
    await expect(putOne(saver, "t")).rejects.toBe(tooLarge);
    await until(() => saver.status().secondary.needsResync === 1);
    expect(saver.status()).toMatchObject({ secondary: { state: "up", failures: 0 }, active: "primary" });
    expect(await saver.getTuple(config("t"))).toBeDefined();
  });
});

describe.each(["sync", "async"] as const)("mistakes of the caller, %s", (mode) => {
  it("are refused alike, reach neither side, and are no failures", async () => {
    const { saver, primary, secondary, events } = replicate({ mode, failureThreshold: 1 });
    const one = checkpoint({ a: 1 });
    const code = (expected: string) => expect.objectContaining({ code: expected });
    await expect(saver.put({}, one, metadata(), {})).rejects.toEqual(code("INVALID_INPUT"));
    await expect(saver.putWrites(config("t"), [["a", 1]], "k")).rejects.toEqual(code("INVALID_INPUT"));
    await expect(saver.deleteThread({ $gt: "" } as never)).rejects.toEqual(code("INVALID_INPUT"));
    await expect(saver.getTuple(config(["t"] as never))).rejects.toEqual(code("INVALID_INPUT"));
    await expect(putOne(saver, "t", { f: () => 1 })).rejects.toEqual(code("VALUE_NOT_SERIALIZABLE"));
    await expect(saver.putWrites(config("t", "c"), [["f", () => 1]], "k")).rejects.toEqual(
      code("VALUE_NOT_SERIALIZABLE"),
    );
    expect([...primary.calls, ...secondary.calls]).toEqual([]);
    await expect(saver.list(config("t"), { limit: -1 }).next()).rejects.toEqual(code("INVALID_INPUT"));
    expect(saver.status()).toMatchObject({
      primary: { failures: 0 },
      secondary: { failures: 0 },
      degraded: false,
    });
    expect(events).toEqual([]);
  });

  it("that only the caller can tell are told by `isOutage`", async () => {
    const { saver, primary, events } = replicate({
      mode,
      failureThreshold: 1,
      isOutage: (error) => !String(error).includes("quota"),
    });
    primary.failNext(new Error("quota of this tenant"), "before", "put");
    await expect(putOne(saver, "t")).rejects.toThrow("quota of this tenant");
    await drained(saver);
    expect(saver.status()).toMatchObject({ active: "primary", primary: { state: "up" } });
    expect(events.filter(({ type }) => type !== "resynced")).toEqual([]);
  });
});
