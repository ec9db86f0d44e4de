import {
  ERROR,
  INTERRUPT,
  MemorySaver,
  RESUME,
  type BaseCheckpointSaver,
} from "@langchain/langgraph-checkpoint";
import { HumanMessage } from "@langchain/core/messages";
import { afterEach, describe, expect, it, vi } from "vitest";

import { InMemorySaver, ReplicatedSaver } from "../../../src/index.js";
import { checkpoint, config, metadata } from "../../support.js";
import { all, closeAll, drained, idsOf, putOne, replicate, until } from "./support.js";

const nothing = { checkpoints: 0, writes: 0 };

afterEach(closeAll);

/** A thread with all that one can have: two namespaces, a fork, carried channels, writes of every kind. */
async function fill(saver: BaseCheckpointSaver, threadId: string): Promise<string[]> {
  const root = checkpoint({
    kept: "k".repeat(3000),
    messages: [new HumanMessage("hello")],
    map: new Map([["a", 1]]),
  });
  await saver.put(
    { ...config(threadId), metadata: { run_id: "run" } },
    root,
    { ...metadata(0), extra: { deep: [1] } } as never,
    { ...root.channel_versions },
  );
  const ids = [root.id];
  for (const branch of ["left", "right"]) {
    const child = checkpoint({ kept: "k".repeat(3000), branch }, 2);
    child.channel_versions["kept"] = 1;
    await saver.put(config(threadId, root.id), child, metadata(1), { branch: 2 });
    ids.push(child.id);
  }
  const inner = checkpoint({ n: 1 });
  await saver.put(config(threadId, undefined, "sub:1"), inner, metadata(0), { n: 1 });
  await saver.putWrites(
    config(threadId, root.id),
    [
      [RESUME, ["yes"]],
      ["a", 1],
      ["b", 2],
    ],
    "resumed",
  );
  await saver.putWrites(config(threadId, root.id), [[INTERRUPT, "?"]], "resumed");
  await saver.putWrites(
    config(threadId, root.id),
    [
      ["a", 1],
      [ERROR, { message: "m" }],
    ],
    "failed",
  );
  await saver.putWrites(config(threadId, inner.id, "sub:1"), [["n", 2]], "k");
  return ids;
}

describe("resync", () => {
  it("fills a secondary that is new: namespaces, parents, metadata, channels and writes", async () => {
    const { saver, primary, secondary, events } = replicate();
    for (const thread of ["t", "u"]) await fill(primary.inner, thread);
    expect(await saver.resync()).toEqual({
      threads: 2,
      toPrimary: nothing,
      toSecondary: { checkpoints: 8, writes: 14 },
    });
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
    for (const threadId of ["t", "u"]) {
      expect(events).toContainEqual({
        type: "resynced",
        threadId,
        to: "secondary",
        checkpoints: 4,
        writes: 7,
      });
    }
    expect(await saver.resync()).toEqual({ threads: 2, toPrimary: nothing, toSecondary: nothing });
  });

  it("asks savers that can list their threads for no more than that", async () => {
    const [primary, secondary] = [new InMemorySaver(), new InMemorySaver()];
    const listed = vi.spyOn(primary, "list");
    await fill(primary, "t");
    await using saver = new ReplicatedSaver({ primary, secondary, mode: "async" });
    await saver.resync();
    expect(listed.mock.calls).toEqual([
      [{ configurable: { thread_id: "t" } }],
      [{ configurable: { thread_id: "t" } }],
    ]);
    listed.mockRestore();
    expect(await all(secondary)).toEqual(await all(primary));
  });

  it("of one thread leaves the others alone", async () => {
    const { saver, primary, secondary } = replicate();
    await putOne(primary.inner, "t");
    await putOne(primary.inner, "u");
    expect(await saver.resync("t")).toMatchObject({ threads: 1, toSecondary: { checkpoints: 1 } });
    expect(await idsOf(secondary.inner, "u")).toEqual([]);
    expect(await saver.resync("unknown")).toEqual({ threads: 1, toPrimary: nothing, toSecondary: nothing });
  });

  it("keeps the positions of writes: a task that is run again adds nothing", async () => {
    const { saver, primary, secondary } = replicate();
    const [root] = await fill(primary.inner, "t");
    await saver.resync();
    const before = await all(primary.inner);
    for (const side of [primary.inner, secondary.inner]) {
      await side.putWrites(
        config("t", root),
        [
          [RESUME, ["yes"]],
          ["a", 1],
          ["b", 2],
        ],
        "resumed",
      );
      expect(await all(side)).toEqual(before);
    }
  });

  it("gives each side what only the other has, where neither is known to have missed it", async () => {
    const { saver, primary, secondary } = replicate();
    const [root] = await fill(saver, "t");
    await putOne(primary.inner, "t", { only: "primary" }, root);
    await putOne(secondary.inner, "t", { only: "secondary" }, root);
    await putOne(secondary.inner, "u");
    await primary.inner.putWrites(config("t", root), [["x", 1]], "of the primary");
    await secondary.inner.putWrites(config("t", root), [["x", 2]], "of the secondary");
    expect(await saver.resync()).toEqual({
      threads: 2,
      toPrimary: { checkpoints: 2, writes: 1 },
      toSecondary: { checkpoints: 1, writes: 1 },
    });
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
    expect(await idsOf(primary.inner)).toHaveLength(7);
  });

  it("takes the active side's where the two differ, also where putting cannot change it", async () => {
    const { saver, primary, secondary } = replicate();
    const id = await putOne(saver, "t", { a: 1 });
    for (const [side, value] of [
      [primary.inner, "of the primary"],
      [secondary.inner, "of the secondary"],
    ] as const) {
      const one = { ...checkpoint({ a: value }), id };
      await side.put(config("t"), one, metadata(), { a: 1 });
      await side.putWrites(config("t", id), [["w", value]], "k");
      await side.putWrites(config("t", id), [[INTERRUPT, value]], "k");
    }
    const before = await all(primary.inner);
    await saver.resync();
    expect(await all(primary.inner)).toEqual(before);
    expect(await all(secondary.inner)).toEqual(before);
  });

  it("makes one side a copy of the other where told so, and deletes what is not there", async () => {
    const { saver, primary, secondary } = replicate();
    await fill(primary.inner, "t");
    await putOne(secondary.inner, "t", { only: "secondary" });
    await putOne(secondary.inner, "u");
    const before = await all(primary.inner);
    await saver.resync(undefined, { from: "primary" });
    expect(await all(primary.inner)).toEqual(before);
    expect(await all(secondary.inner)).toEqual(before);
    await primary.inner.deleteThread("t");
    await saver.resync("t", { from: "secondary" });
    expect(await all(primary.inner)).toEqual(before);
  });

  it("refuses a side that it does not know, and rejects while a side is down", async () => {
    const { saver, secondary } = replicate({ mode: "async", failureThreshold: 1 });
    await expect(saver.resync("t", { from: "third" as never })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    await expect(saver.resync({} as never)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    secondary.kill();
    await putOne(saver, "t");
    await until(() => saver.status().secondary.state === "down");
    await expect(saver.resync("t")).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
    expect(await idsOf(saver, "t")).toHaveLength(1);
  });

  it.each(["sync", "async"] as const)("runs beside writes to the same thread, %s", async (mode) => {
    const { saver, primary, secondary } = replicate({ mode });
    for (let step = 0; step < 20; step += 1) await putOne(primary.inner, "t", { step });
    secondary.pause();
    const resyncing = saver.resync("t");
    const id = putOne(saver, "t", { late: true });
    await until(() => primary.count("put") === 1);
    secondary.resume();
    await Promise.all([resyncing, id, saver.putWrites(config("t", await id), [["a", 1]], "k")]);
    await drained(saver);
    expect(await all(secondary.inner)).toEqual(await all(primary.inner));
    expect(await idsOf(secondary.inner)).toHaveLength(21);
  });

  it.each(["sync", "async"] as const)("brings back no thread that is deleted meanwhile, %s", async (mode) => {
    const { saver, primary, secondary } = replicate({ mode });
    for (let step = 0; step < 20; step += 1) {
      await putOne(primary.inner, "t", { step });
      await putOne(secondary.inner, "t", { step });
    }
    const resyncing = saver.resync("t");
    await until(() => primary.count("put") > 3);
    await saver.deleteThread("t");
    await resyncing;
    await drained(saver);
    expect(await idsOf(primary.inner)).toEqual([]);
    expect(await idsOf(secondary.inner)).toEqual([]);
  });

  it.each([
    ["primary", () => [new MemorySaver(), new InMemorySaver()]],
    ["secondary", () => [new InMemorySaver(), new MemorySaver()]],
  ])("takes LangGraph's own saver as %s, and does not mind what its serializer loses", async (_, savers) => {
    const { saver, primary, secondary } = replicate({}, savers());
    await fill(primary.inner, "t");
    const id = await putOne(saver, "t", { when: new Date(0), not: Number.NaN });
    await saver.putWrites(config("t", id), [["w", new Date(0)]], "k");
    expect(await saver.resync()).toMatchObject({ toSecondary: { checkpoints: 4, writes: 7 } });
    expect(await saver.resync()).toMatchObject({ toPrimary: nothing, toSecondary: nothing });
    expect(secondary.count("deleteThread")).toBe(0);
    expect((await idsOf(secondary.inner, "t")).toSorted()).toEqual(
      (await idsOf(primary.inner, "t")).toSorted(),
    );
  });
});
