import { expect, it } from "vitest";

import type { ThreadSummary } from "../../../packages/core/src/store/port.js";
import { chunk, slot } from "./data.js";
import { expectBytes, type TestThread } from "./test-thread.js";
import type { StoreWorld } from "./world.js";

export function threadCases(world: StoreWorld): void {
  it("a thread is summed up over its namespaces, writes and chunks, alike by both", async () => {
    const thread = world.thread();
    const [own, written] = [chunk(300), chunk(400)];
    const start = Date.now() - 5_000;
    const records = [
      await thread.put("b", [own], { createdAt: start, labels: { source: "input", step: -1 } }),
      await thread.put({ namespace: "n|m", checkpointId: "a" }, [], { createdAt: start + 1 }),
      await thread.put({ namespace: "n", checkpointId: "c" }, [own], {
        createdAt: start + 2,
        labels: { source: "loop", step: 1, runId: "run" },
      }),
    ];
    const writes = [slot("0", [written]), slot("1")];
    await thread.write("b", writes, { sends: [written] });
    const summary = await summaryOf(thread);
    expect(summary).toEqual({
      threadId: thread.id,
      createdAt: start,
      updatedAt: start + 2,
      namespaces: ["", "n", "n|m"],
      checkpoints: 3,
      bytes: summary!.bytes,
      last: { source: "loop", step: 1, runId: "run" },
    });
    expectBytes(summary!.bytes, [...[...records, ...writes].map(({ body }) => body), own.data, written.data]);
  });

  it("a thread that was never used is not there", async () => {
    expect(await summaryOf(world.thread())).toBeUndefined();
  });

  it("a thread with writes only is not there", async () => {
    const thread = world.thread();
    await thread.write("a", [slot("0")]);
    expect(await summaryOf(thread)).toBeUndefined();
  });

  it("a thread with registers only is not there, and has no checkpoint", async () => {
    const thread = world.thread();
    await thread.store.setRegister(thread.id, "lease", "mine", undefined);
    expect(await summaryOf(thread)).toBeUndefined();
    expect(await thread.list()).toEqual([]);
    expect((await thread.read("a")).checkpoint).toBeUndefined();
  });

  it("deleted checkpoints no longer count", async () => {
    const thread = world.thread();
    const start = Date.now() - 5_000;
    const kept = await thread.put("a", [], { createdAt: start, labels: { source: "loop", step: 1 } });
    await thread.put("b", [], { createdAt: start + 1, labels: { source: "loop", step: 2 } });
    await thread.put({ namespace: "n", checkpointId: "c" }, [], { createdAt: start + 2 });
    await thread.write("b", [slot("0")]);
    await thread.delete("b", { namespace: "n", checkpointId: "c" });
    const summary = await summaryOf(thread);
    expect(summary).toEqual({
      threadId: thread.id,
      createdAt: start,
      updatedAt: start,
      namespaces: [""],
      checkpoints: 1,
      bytes: summary!.bytes,
      last: { source: "loop", step: 1 },
    });
    expectBytes(summary!.bytes, [kept.body]);
  });

  it("a thread whose last checkpoint was deleted is not there, and comes back with the next", async () => {
    const thread = world.thread();
    await thread.put("a");
    await thread.write("b", [slot("0")]);
    await thread.delete("a");
    expect(await summaryOf(thread)).toBeUndefined();
    await thread.put("c");
    expect(await summaryOf(thread)).toMatchObject({ checkpoints: 1 });
  });

  it("a deleted thread is not there", async () => {
    const thread = world.thread();
    await thread.put("a");
    await thread.store.deleteThread(thread.id);
    expect(await summaryOf(thread)).toBeUndefined();
  });

  it("a thread is not another whose id it starts, or differs from in case", async () => {
    const thread = world.thread("Ids");
    const longer = world.thread(`${thread.id}:x`);
    const otherCase = world.thread(thread.id.toLowerCase());
    await longer.put("a");
    await otherCase.put("a");
    expect(await summaryOf(thread)).toBeUndefined();
    expect(await summaryOf(longer)).toMatchObject({ checkpoints: 1 });
  });

  it("pages leave out threads without a checkpoint, and no others", async () => {
    const prefix = `${world.thread("pages").id}/`;
    const all = Array.from({ length: 7 }, (_, at) => world.thread(`${prefix}${at}`));
    for (const thread of all) await thread.put("a");
    for (const [at, thread] of all.entries()) {
      if (at % 3 === 0) await thread.delete("a");
    }
    const found: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await world.store.listThreads({
        prefix,
        limit: 2,
        ...(after === undefined ? {} : { after }),
      });
      expect(page.items.length).toBeLessThanOrEqual(2);
      found.push(...page.items.map(({ threadId }) => threadId));
      if (page.cursor === undefined) break;
      after = page.cursor;
    }
    expect(found).toEqual(all.filter((_, at) => at % 3 !== 0).map(({ id }) => id));
  });

  it("the other store sees the same", async () => {
    const thread = world.thread();
    await thread.put("a", [chunk()]);
    await thread.put("b");
    await thread.delete("b");
    expect(await world.other.getThread(thread.id)).toEqual(await summaryOf(thread));
  });
}

/** What `getThread` says, which must be what `listThreads` does. */
async function summaryOf({ store, id }: TestThread): Promise<ThreadSummary | undefined> {
  const summary = await store.getThread(id);
  const { items } = await store.listThreads({ prefix: id, limit: 10 });
  expect(items.find(({ threadId }) => threadId === id)).toEqual(summary);
  return summary;
}
