import { execFile } from "node:child_process";
import { promisify } from "node:util";

import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { afterEach, describe, expect, it, vi } from "vitest";

import { InMemorySaver, ReplicatedSaver, Serializer } from "../../../src/index.js";
import { config } from "../../support.js";
import { all, closeAll, idsOf, putOne, replicate, until } from "./support.js";

const closed = expect.objectContaining({ code: "SAVER_CLOSED" });

afterEach(closeAll);

describe("close", () => {
  it("waits until the secondary has taken the queue, then refuses every call", async () => {
    const { saver, primary, secondary, events } = replicate({ mode: "async" });
    secondary.pause();
    for (let step = 0; step < 50; step += 1) await putOne(saver, `thread ${step % 5}`, { step });
    let isClosed = false;
    const closing = saver.close().finally(() => (isClosed = true));
    await expect(putOne(saver, "t")).rejects.toEqual(closed);
    await until(() => secondary.count("put") > 0);
    expect(isClosed).toBe(false);
    secondary.resume();
    await closing;
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
    expect(events).toEqual([]);
    await saver.close();
    await expect(saver.getTuple(config("t"))).rejects.toEqual(closed);
    await expect(saver.list({}).next()).rejects.toEqual(closed);
    await expect(saver.putWrites(config("t", "c"), [], "k")).rejects.toEqual(closed);
    await expect(saver.deleteThread("t")).rejects.toEqual(closed);
    await expect(saver.resync()).rejects.toEqual(closed);
  });

  it("waits for writes that are under way", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync" });
    primary.pause();
    const putting = putOne(saver, "t");
    const closing = saver.close();
    primary.resume();
    await closing;
    const id = await putting;
    expect(await idsOf(secondary.inner)).toEqual([id]);
  });

  it("refuses a write whose values are still being serialised: it would be on one side only", async () => {
    const own = new Serializer();
    const serde: SerializerProtocol = {
      dumpsTyped: async (value) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return own.dumpsTyped(value);
      },
      loadsTyped: async (type, data) => own.loadsTyped(type, data),
    };
    const { saver, primary, secondary } = replicate({ mode: "async", serde });
    const [putting] = await Promise.allSettled([putOne(saver, "t"), saver.close()]);
    expect(putting).toEqual({ status: "rejected", reason: closed });
    expect([await idsOf(primary.inner), await idsOf(secondary.inner)]).toEqual([[], []]);
  });

  it("asks a side that was down once more", async () => {
    const { saver, primary, secondary, events } = replicate({ mode: "async", failureThreshold: 1 });
    secondary.kill();
    await putOne(saver, "t");
    await until(() => saver.status().secondary.state === "down");
    secondary.restart();
    await saver.close();
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
    expect(events.map(({ type }) => type)).toEqual(["degraded", "recovered"]);
  });

  it("tells what a side could not take, and ends all the same", async () => {
    const { saver, secondary, events } = replicate({ mode: "async", failureThreshold: 2 });
    secondary.kill();
    await putOne(saver, "t");
    await putOne(saver, "u");
    await saver.close();
    expect(events.at(-1)).toEqual({ type: "incomplete", side: "secondary", operations: 2, threads: 2 });
  });

  it("is what `await using` does; the two savers stay open unless told", async () => {
    const sides = () => [new InMemorySaver(), new InMemorySaver()] as const;
    const [primary, secondary] = sides();
    {
      await using saver = new ReplicatedSaver({ primary, secondary, mode: "async" });
      await putOne(saver, "t");
    }
    expect(await all(secondary)).toEqual(await all(primary));
    const own = sides();
    const saver = new ReplicatedSaver({
      primary: own[0],
      secondary: own[1],
      mode: "sync",
      closeSavers: true,
    });
    await saver.close();
    for (const side of own) await expect(side.getTuple(config("t"))).rejects.toEqual(closed);
  });

  it("a listener that throws changes nothing", async () => {
    const onEvent = vi.fn<() => void>(() => {
      throw new Error("of the listener");
    });
    const { saver, secondary } = replicate({ mode: "async", failureThreshold: 1, onEvent });
    secondary.kill();
    await putOne(saver, "t");
    await until(() => onEvent.mock.calls.length > 0);
    expect(await idsOf(saver, "t")).toHaveLength(1);
  });
});

describe("a process with a ReplicatedSaver", () => {
  it("ends by itself, also when the saver is never closed and a side is down", async () => {
    const script = `
      import { InMemorySaver, ReplicatedSaver, Serializer } from ${JSON.stringify(new URL("../../../dist/index.mjs", import.meta.url).href)};
      class Down extends InMemorySaver {
        async put() { throw new Error("down"); }
      }
      const saver = new ReplicatedSaver({ primary: new InMemorySaver(), secondary: new Down(), mode: "async" });
      const checkpoint = { v: 4, id: "1", ts: "", channel_values: {}, channel_versions: {}, versions_seen: {} };
      await saver.put({ configurable: { thread_id: "t" } }, checkpoint, {}, {});
      console.log(saver.status().secondary.queue.operations);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      timeout: 15_000,
    });
    expect(stdout.trim()).toBe("1");
  });
});
