import { INTERRUPT } from "@langchain/langgraph-checkpoint";
import { afterEach, describe, expect, it } from "vitest";

import { InMemorySaver, ReplicatedSaver } from "../../../src/index.js";
import { checkpoint, config, metadata } from "../../support.js";
import { all, closeAll, drained, idsOf, putOne, replicate, until } from "./support.js";

afterEach(closeAll);

describe.each(["sync", "async"] as const)("calls at once on one thread, %s", (mode) => {
  it("run at once, as LangGraph sends them", async () => {
    const { saver, primary } = replicate({ mode });
    const id = await putOne(saver, "t");
    primary.pause();
    const tasks = ["a", "b", "c"].map((task) => saver.putWrites(config("t", id), [["x", task]], task));
    const next = putOne(saver, "t", { a: 2 }, id);
    expect(primary.count("putWrites")).toBe(3);
    expect(primary.count("put")).toBe(2);
    primary.resume();
    await Promise.all([...tasks, next]);
  });

  it("keep their order where it counts: both sides end with the last put and the first write", async () => {
    const { saver, primary, secondary } = replicate({ mode });
    const one = checkpoint({ a: 0 });
    // One side is slow with the first, the other with nothing.
    primary.pause();
    const puts = [1, 2, 3].map((a) => {
      return saver.put(config("t"), { ...one, channel_values: { a } }, metadata(a), { a: 1 });
    });
    const writes = ["first", "second"].map((value) => {
      return saver.putWrites(
        config("t", one.id),
        [
          ["x", value],
          [INTERRUPT, value],
        ],
        "k",
      );
    });
    await until(() => primary.count("put") === 1 && primary.count("putWrites") === 1);
    primary.resume();
    await Promise.all([...puts, ...writes]);
    await drained(saver);
    const [tuple] = await all(primary.inner);
    expect(tuple?.checkpoint.channel_values).toEqual({ a: 3 });
    expect(tuple?.pendingWrites).toEqual([
      ["k", INTERRUPT, "second"],
      ["k", "x", "first"],
    ]);
    expect(await all(secondary.inner)).toEqual([tuple]);
  });

  it("a deletion takes what came before it, and nothing that comes after", async () => {
    const { saver, primary, secondary } = replicate({ mode });
    const parent = await putOne(saver, "t");
    primary.pause();
    const before = putOne(saver, "t", { a: 2 }, parent);
    const deleting = saver.deleteThread("t");
    const after = putOne(saver, "t", { a: 3 });
    primary.resume();
    const [, , last] = await Promise.all([before, deleting, after]);
    await drained(saver);
    expect(await idsOf(primary.inner)).toEqual([last]);
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
  });
});

describe("a secondary that lacks the parent", () => {
  it("is given all channels as new; one that has it takes the unchanged ones from it", async () => {
    const seen: string[][] = [];
    class Recording extends InMemorySaver {
      override put(...args: Parameters<InMemorySaver["put"]>) {
        seen.push(Object.keys(args[3]).toSorted());
        return super.put(...args);
      }
    }
    const { saver, primary, secondary } = replicate({ mode: "sync" }, [new InMemorySaver(), new Recording()]);
    // Put before there was a secondary.
    const first = await putOne(primary.inner, "t", { kept: "k", a: 1 });
    const ids: string[] = [];
    for (const a of [2, 3]) {
      const one = checkpoint({ kept: "k", a });
      one.channel_versions = { kept: 1, a };
      await saver.put(config("t", ids.at(-1) ?? first), one, metadata(), { a });
      ids.push(one.id);
    }
    expect(seen).toEqual([["a", "kept"], ["a"]]);
    for (const [at, id] of ids.entries()) {
      const tuple = await secondary.inner.getTuple(config("t", id));
      expect(tuple?.checkpoint.channel_values).toEqual({ kept: "k", a: at + 2 });
    }
  });
});

describe("a secondary that has the parent from an earlier process", () => {
  it("takes the unchanged channels from it, as the primary does", async () => {
    const { saver, primary, secondary } = replicate({ mode: "sync" });
    const first = checkpoint({ kept: ["as it was put"], a: 1 });
    for (const side of [primary, secondary])
      await side.inner.put(config("t"), first, metadata(), { kept: 1, a: 1 });
    // A node changed it in place, and did not say so.
    const second = checkpoint({ kept: ["as it was put", "changed in place"], a: 2 });
    second.channel_versions = { kept: 1, a: 2 };
    await saver.put(config("t", first.id), second, metadata(), { a: 2 });
    for (const side of [primary, secondary]) {
      const tuple = await side.inner.getTuple(config("t"));
      expect(tuple?.checkpoint.channel_values).toEqual({ kept: ["as it was put"], a: 2 });
    }
  });
});

describe("what reaches the two savers", () => {
  it("the primary gets the call as it is, the secondary its plain data: no function, no signal", async () => {
    const seen: unknown[][] = [];
    class Recording extends InMemorySaver {
      override putWrites(...args: Parameters<InMemorySaver["putWrites"]>) {
        seen.push(args);
        return super.putWrites(...args);
      }
    }
    const { saver, secondary } = replicate({ mode: "sync" }, [new Recording(), new Recording()]);
    const where = {
      configurable: { thread_id: "t", checkpoint_ns: "", checkpoint_id: "c", tenant: "x", send: () => {} },
      metadata: { run_id: "r" },
      signal: new AbortController().signal,
    };
    const writes: [string, unknown][] = [["a", 1]];
    await saver.putWrites(where, writes, "k", "path");
    expect(seen).toEqual([
      [where, writes, "k", "path"],
      [
        {
          configurable: { thread_id: "t", checkpoint_ns: "", checkpoint_id: "c", tenant: "x" },
          metadata: { run_id: "r" },
        },
        [["a", 1]],
        "k",
        "path",
      ],
    ]);
    expect(seen[0]![0]).toBe(where);
    await saver.put({ ...where, configurable: { thread_id: "t" } }, checkpoint({}), metadata(), {});
    expect((await secondary.inner.getTuple(config("t")))?.metadata).toMatchObject({ run_id: "r" });
  });

  it("versions of channels are the primary's business", () => {
    class Stepping extends InMemorySaver {
      override getNextVersion(current: number | undefined): number {
        return (current ?? 0) + 10;
      }
    }
    const saver = new ReplicatedSaver({
      primary: new Stepping(),
      secondary: new InMemorySaver(),
      mode: "sync",
    });
    expect(saver.getNextVersion(saver.getNextVersion(undefined))).toBe(20);
    // LangGraph calls it without its saver, too.
    expect(saver.getNextVersion.call(undefined as never, 5)).toBe(15);
  });
});
