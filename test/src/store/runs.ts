import { expect, it } from "vitest";

import type { CheckpointKey, CheckpointStore } from "../../../packages/core/src/store/port.js";
import type { StoreWorld } from "./world.js";

export function runCases(world: StoreWorld): void {
  it("finds what the runs put, in every thread and namespace, and nothing of others", async () => {
    const [first, second] = [world.thread(), world.thread()];
    const run = runId(first.id);
    const wanted = [
      await first.put("a", [], { labels: { runId: run("1") } }),
      await first.put({ namespace: "n|m", checkpointId: "b" }, [], {
        labels: { source: "loop", step: 3, runId: run("1") },
      }),
      await second.put("a", [], { labels: { runId: run("2") } }),
    ];
    await first.put("c", [], { labels: { runId: run("10") } });
    await first.put("d", [], { labels: { runId: run("1").toUpperCase() } });
    await first.put("e", [], { labels: { source: run("1") } });
    expect(await found(world.store, [run("1"), run("2"), run("3")])).toEqual(names(wanted));
    expect(await found(world.other, [run("2")])).toEqual(names(wanted.slice(2)));
  });

  it("finds nothing for runs that put nothing, and for none", async () => {
    const thread = world.thread();
    await thread.put("a");
    expect(await found(world.store, [runId(thread.id)("x")])).toEqual([]);
    expect(await found(world.store, [])).toEqual([]);
  });

  it("goes on page by page, though what it has found is deleted meanwhile", async () => {
    const thread = world.thread();
    const run = runId(thread.id)("x");
    const ids = Array.from({ length: 23 }, (_, at) => `c${at}`);
    for (const id of ids) await thread.put(id, [], { labels: { runId: run } });
    expect(await found(world.store, [run], 5)).toEqual(
      names(ids.map((checkpointId) => thread.key(checkpointId))),
    );
    const seen: string[] = [];
    for await (const page of pages(world.store, [run], 5)) {
      seen.push(...page.map(({ checkpointId }) => checkpointId));
      await thread.store.deleteCheckpoints(thread.id, page);
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(await found(world.store, [run])).toEqual([]);
  });

  it("a checkpoint put again belongs to the run that put it last", async () => {
    const thread = world.thread();
    const run = runId(thread.id);
    await thread.put("a", [], { labels: { runId: run("1") } });
    const again = await thread.put("a", [], { labels: { runId: run("2") } });
    expect(await found(world.store, [run("1")])).toEqual([]);
    expect(await found(world.store, [run("2")])).toEqual(names([again]));
    await thread.put("a");
    expect(await found(world.store, [run("1"), run("2")])).toEqual([]);
  });

  it("a checkpoint that is deleted, or of a deleted thread, is not found", async () => {
    const [deleted, emptied] = [world.thread(), world.thread()];
    const run = runId(deleted.id)("x");
    for (const thread of [deleted, emptied]) await thread.put("a", [], { labels: { runId: run } });
    await deleted.store.deleteThread(deleted.id);
    await emptied.delete("a");
    expect(await found(world.store, [run])).toEqual([]);
    const back = await deleted.put("a", [], { labels: { runId: run } });
    expect(await found(world.store, [run])).toEqual(names([back]));
  });

  it("run ids are text, whatever they look like", async () => {
    const thread = world.thread();
    for (const [at, odd] of ['{"$gt":""}', "#", "a|b:c", "é\u{1f600}", "x".repeat(2_000)].entries()) {
      const run = runId(thread.id)(odd);
      const put = await thread.put(`c${at}`, [], { labels: { runId: run } });
      expect(await found(world.store, [run])).toEqual(names([put]));
    }
  });
}

/** Run ids that no other case uses: what is found is of all threads. */
function runId(threadId: string): (name: string) => string {
  return (name) => `run of ${threadId}: ${name}`;
}

async function* pages(
  store: CheckpointStore,
  runIds: string[],
  limit: number,
): AsyncGenerator<CheckpointKey[]> {
  for (let cursor: string | undefined; ;) {
    const page = await store.listRuns({ runIds, limit, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    yield page.items;
    if (page.cursor === undefined) return;
    cursor = page.cursor;
  }
}

async function found(store: CheckpointStore, runIds: string[], limit = 100): Promise<string[]> {
  const keys: CheckpointKey[] = [];
  for await (const page of pages(store, runIds, limit)) keys.push(...page);
  return names(keys);
}

/** In an order of its own: the port leaves the order open. */
function names(keys: readonly CheckpointKey[]): string[] {
  return keys
    .map(({ threadId, namespace, checkpointId }) => JSON.stringify([threadId, namespace, checkpointId]))
    .toSorted();
}
