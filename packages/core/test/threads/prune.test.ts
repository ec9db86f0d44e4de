import { afterEach, describe, expect, it, vi } from "vitest";

import {
  countCalls,
  GRACE_MS,
  InMemorySaver,
  MemoryStore,
  SaverError,
  type PrunePolicy,
  type StoreSaver,
} from "../../src/index.js";
import { checkpoint, config, metadata, pseudoRandomText } from "../support.js";
import { deltaGraph } from "./delta-graph.js";
import {
  approvalGraph,
  idOf,
  isInput,
  isRoot,
  notesGraph,
  resume,
  stepOf,
  tuples,
  withNotes,
} from "./graphs.js";

afterEach(() => {
  vi.useRealTimers();
});

function setClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: ms });
}

/** Steps of the root's checkpoints that are left, newest first. */
async function steps(saver: StoreSaver, threadId: string): Promise<number[]> {
  const all = await tuples(saver, threadId);
  return all.filter(isRoot).map(stepOf);
}

describe("prune", () => {
  it("of all: a thread that cannot be read is reported, and those after it are pruned; one that is named fails", async () => {
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    for (const threadId of ["a", "b", "c"]) await withNotes(saver, threadId);
    const list = store.listCheckpoints.bind(store);
    store.listCheckpoints = async (query) => {
      if (query.threadId === "b") throw new SaverError("CHECKPOINT_DAMAGED", "Stored data is damaged.");
      return list(query);
    };
    const report = await saver.prune("all", { keepLast: 1 });
    expect(report.threads.map(({ threadId }) => threadId)).toEqual(["a", "c"]);
    expect(report).toMatchObject({
      kept: 2,
      failed: [{ threadId: "b", error: { code: "CHECKPOINT_DAMAGED" } }],
    });
    await expect(saver.prune(["b"], { keepLast: 1 })).rejects.toMatchObject({ code: "CHECKPOINT_DAMAGED" });
    store.listCheckpoints = () => Promise.reject(new SaverError("BACKEND_UNAVAILABLE", "It is down."));
    await expect(saver.prune("all", { keepLast: 1 })).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
  });

  it("keeps the newest ones, says why, and the thread goes on", async () => {
    const saver = new InMemorySaver();
    const graph = await withNotes(saver, "a");
    const before = await tuples(saver, "a");
    const report = await saver.prune(["a"], { keepLast: 2 });
    expect(await tuples(saver, "a")).toEqual(before.slice(0, 2));
    expect(report).toMatchObject({ deleted: before.length - 2, kept: 2 });
    expect(report.bytes).toBeGreaterThan(0);
    expect(report.threads).toEqual([
      {
        threadId: "a",
        bytes: report.bytes,
        kept: before.slice(0, 2).map((tuple) => ({
          checkpointNs: "",
          checkpointId: idOf(tuple),
          reasons: ["last"],
        })),
        deleted: before.slice(2).map((tuple) => ({ checkpointNs: "", checkpointId: idOf(tuple) })),
      },
    ]);
    const end = await graph.invoke({ topic: "bees" }, config("a"));
    expect(end.notes).toHaveLength(8);
  });

  it("reports the same in a dry run, and changes nothing", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    const before = await tuples(saver, "a");
    const dry = await saver.prune("all", { keepLast: 1, dryRun: true });
    expect(await tuples(saver, "a")).toEqual(before);
    const real = await saver.prune("all", { keepLast: 1 });
    expect({ ...real, bytes: 0, threads: real.threads.map((thread) => ({ ...thread, bytes: 0 })) }).toEqual(
      dry,
    );
  });

  it("keeps what is not old enough, and the newest all the same", async () => {
    setClock(1_000_000);
    const saver = new InMemorySaver();
    const graph = notesGraph(saver);
    await graph.invoke({ topic: "cats" }, config("a"));
    setClock(2_000_000);
    await graph.invoke({ topic: "dogs" }, config("a"));
    expect((await saver.prune(["a"], { olderThan: 500_000 })).deleted).toBe(4);
    expect(await steps(saver, "a")).toEqual([6, 5, 4, 3]);
    setClock(9_000_000);
    await saver.prune(["a"], { olderThan: new Date(8_000_000) });
    expect(await steps(saver, "a")).toHaveLength(1);
  });

  it("keeps the last finished one of a run that has not come to its end", async () => {
    const saver = new InMemorySaver();
    const graph = approvalGraph(saver);
    await graph.invoke({ topic: "go" }, config("a"));
    await graph.invoke(resume("yes"), config("a"));
    const [finished] = await tuples(saver, "a");
    await graph.invoke({ topic: "stay" }, config("a"));
    const { threads } = await saver.prune(["a"], { keepLast: 1, keepFinished: true });
    const root = threads[0]!.kept.filter(({ checkpointNs }) => checkpointNs === "");
    expect(root.map(({ reasons }) => reasons)).toEqual([["last", "interrupted"], ["finished"]]);
    expect(root[1]!.checkpointId).toBe(idOf(finished!));
    expect((await graph.invoke(resume("no"), config("a"))).notes.slice(-2)).toEqual(["answer: no", "done"]);
  });

  it("keeps a branch in which an interrupt waits for its answer", async () => {
    const saver = new InMemorySaver();
    const graph = approvalGraph(saver);
    await graph.invoke({ topic: "go" }, config("a"));
    const root = (await tuples(saver, "a")).filter(isRoot);
    const [waiting] = root;
    // A branch from the start that leaves the waiting one behind.
    const start = root.find(isInput)!;
    await graph.updateState(start.config, { topic: "elsewhere" }, "inner");
    const policy: PrunePolicy = { keepLast: 1 };
    const kept = (await saver.prune(["a"], policy)).threads[0]!.kept;
    expect(kept).toContainEqual(
      expect.objectContaining({ checkpointId: idOf(waiting!), reasons: ["interrupted"] }),
    );
    await saver.prune(["a"], { ...policy, keepInterrupted: false });
    expect((await tuples(saver, "a")).map(idOf)).not.toContain(idOf(waiting!));
  });

  it("keeps the ancestors that a DeltaChannel counts on, back to its nearest value", async () => {
    const saver = new InMemorySaver();
    const graph = deltaGraph(saver, 3);
    for (const word of ["one", "two", "three", "four"]) await graph.invoke({ words: [word] }, config("a"));
    const all = await tuples(saver, "a");
    const state = (await graph.getState(config("a"))).values;
    const { kept } = (await saver.prune(["a"], { keepLast: 1 })).threads[0]!;
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.length).toBeLessThan(all.length);
    expect(kept.slice(1).every(({ reasons }) => reasons.includes("needed"))).toBe(true);
    expect((await graph.getState(config("a"))).values).toEqual(state);
    await graph.invoke({ words: ["five"] }, config("a"));
    expect((await graph.getState(config("a"))).values.words).toEqual([...state.words, "five", "echo"]);
  });

  it("deletes whole threads, or those that are idle", async () => {
    setClock(1_000_000);
    const saver = new InMemorySaver();
    await withNotes(saver, "old");
    setClock(2_000_000);
    await withNotes(saver, "new");
    const report = await saver.prune("all", { strategy: "delete", olderThan: 500_000 });
    expect(report.threads.map(({ threadId, kept }) => [threadId, kept.length > 0])).toEqual([
      ["new", true],
      ["old", false],
    ]);
    expect(await saver.exists("old")).toBe(false);
    await saver.prune(["new"], { strategy: "delete" });
    expect(await saver.stats()).toEqual({ threads: 0, checkpoints: 0, bytes: 0 });
  });

  it("gives the space of values back once nothing has needed them for the grace period", async () => {
    setClock(1_000_000_000);
    const saver = new InMemorySaver();
    const graph = notesGraph(saver);
    for (let run = 0; run < 20; run++)
      await graph.invoke({ topic: pseudoRandomText(8000, run + 1) }, config("a"));
    const full = (await saver.threadInfo("a"))!.bytes;
    await saver.prune(["a"], { keepLast: 1 });
    const kept = await tuples(saver, "a");
    const pruned = (await saver.threadInfo("a"))!.bytes;
    setClock(1_000_000_000 + GRACE_MS - 1);
    await saver.prune(["a"], { keepLast: 1 });
    expect((await saver.threadInfo("a"))!.bytes).toBe(pruned);
    setClock(1_000_000_000 + GRACE_MS + 1);
    expect((await saver.prune(["a"], { keepLast: 1 })).bytes).toBeGreaterThan(100_000);
    expect((await saver.threadInfo("a"))!.bytes).toBeLessThan(full * 0.6);
    expect(await tuples(new InMemorySaver({ store: saver.store }), "a")).toEqual(kept);
    expect((await saver.verify()).problems).toEqual([]);
  });
});

describe("prune beside others", () => {
  it("gives back the values of a thread of which every checkpoint was deleted", async () => {
    setClock(1_000_000_000);
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    const metadataOf = (runId: string) => ({ ...config("a"), metadata: { run_id: runId } });
    await notesGraph(saver).invoke({ topic: pseudoRandomText(90_000, 1) }, metadataOf("r"));
    const hashes = (await store.getCheckpoints([{ threadId: "a", namespace: "" }]))[0]!.checkpoint!.chunks;
    const left = async () => (await store.getChunks("a", "0", hashes)).length;
    await saver.deleteForRuns(["r"]);
    expect(await saver.exists("a")).toBe(false);
    expect(await left()).toBe(hashes.length);
    setClock(1_000_000_000 + GRACE_MS + 1);
    expect((await saver.prune(["a"], { keepLast: 1 })).threads).toEqual([]);
    expect(await left()).toBe(0);
  });

  it("a reader of the newest gets the one before where that was deleted with its values meanwhile", async () => {
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    const ids: string[] = [];
    for (const seed of [1, 2]) {
      const state = checkpoint({ big: pseudoRandomText(5000, seed) });
      await saver.put(config("t"), state, metadata(), { big: 1 });
      ids.push(state.id);
    }
    const getChunks = store.getChunks.bind(store);
    store.getChunks = async (...call) => {
      store.getChunks = getChunks;
      await saver.deleteCheckpoints("t", [ids[1]!]);
      await store.collectChunks("t", Infinity);
      return getChunks(...call);
    };
    const tuple = await new InMemorySaver({ store }).getTuple(config("t"));
    expect(tuple?.checkpoint.channel_values).toEqual({ big: pseudoRandomText(5000, 1) });
  });

  it("takes no damage for what was deleted meanwhile", async () => {
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store, cacheBytes: 0 });
    // Metadata that is in chunks: they are read after the record.
    const big = { ...metadata(1), about: pseudoRandomText(50_000, 5) };
    for (const threadId of ["a", "b"])
      for (let step = 0; step < 3; step++) {
        const first = await saver.put(config(threadId), checkpoint({ x: step }), big, { x: 1 });
        await saver.put(
          {
            configurable: {
              ...config(threadId).configurable,
              checkpoint_id: first.configurable!["checkpoint_id"],
            },
          },
          checkpoint({ x: step }),
          big,
          { x: 1 },
        );
      }
    const other = new InMemorySaver({ store });
    const getChunks = store.getChunks.bind(store);
    store.getChunks = async (threadId, ...rest) => {
      if (threadId === "a") await other.deleteThread("a");
      return getChunks(threadId, ...rest);
    };
    const report = await saver.prune("all", { keepLast: 1 });
    expect(report.threads.map(({ threadId }) => threadId)).toContain("b");
    expect(await saver.exists("a")).toBe(false);
    expect((await saver.threadInfo("b"))!.checkpoints).toBe(1);
  });
});

describe("prune of idle threads", () => {
  it("leaves one alone with which somebody goes on while it is being looked at", async () => {
    setClock(1_000_000);
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    const graph = await withNotes(saver, "a");
    setClock(9_000_000);
    const getThread = store.getThread.bind(store);
    store.getThread = async (threadId) => {
      const summary = await getThread(threadId);
      await graph.invoke({ topic: "owls" }, config("a"));
      return summary;
    };
    const report = await saver.prune(["a"], { strategy: "delete", olderThan: 1_000_000 });
    expect(report).toMatchObject({ deleted: 0, kept: 16 });
    expect((await graph.getState(config("a"))).values.notes).toHaveLength(8);
  });
});

describe("prune of a long thread", () => {
  it("takes calls in proportion to what is there, and keeps no more than ids meanwhile", async () => {
    const calls: Record<string, number>[] = [];
    for (const length of [1_000, 4_000]) {
      const store = countCalls(new MemoryStore());
      const saver = new InMemorySaver({ store });
      let parent: string | undefined;
      for (let step = 0; step < length; step++) {
        const next = checkpoint({ step }, step + 1);
        await saver.put(config("a", parent), next, metadata(step), { step: step + 1 });
        parent = next.id;
      }
      store.reset();
      expect((await saver.prune(["a"], { keepLast: 10 })).deleted).toBe(length - 10);
      calls.push({ ...store.calls });
    }
    const [small, large] = calls;
    for (const method of ["listCheckpoints", "deleteCheckpoints"])
      expect(large![method]! / small![method]!).toBeCloseTo(4, 0);
    expect(large!["getCheckpoints"] ?? 0).toBe(0);
  });
});
