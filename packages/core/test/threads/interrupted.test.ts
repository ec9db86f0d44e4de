import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { describe, expect, it, vi } from "vitest";

import { InMemorySaver, MemoryStore, type CheckpointStore, type StoreSaver } from "../../src/index.js";
import { config } from "../support.js";
import { deltaGraph } from "./delta-graph.js";
import { approvalGraph, resume, tuples } from "./graphs.js";

/** The store as a process has it that dies before its nth change to it, and changes nothing more. */
function dyingAt(store: CheckpointStore, change: number): { store: CheckpointStore; died: () => boolean } {
  let changes = 0;
  const changing = ["putCheckpoint", "putWrites", "deleteCheckpoints", "deleteThread", "collectChunks"];
  return {
    died: () => changes >= change,
    store: new Proxy(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...args: unknown[]): unknown => {
          if (changing.includes(String(name)) && (changes += 1) >= change) throw new Error("killed");
          return Reflect.apply(method, target, args);
        };
      },
    }),
  };
}

/** A thread with a subgraph that waits for an answer, and one with a channel that holds changes only. */
async function stored(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const saver = new InMemorySaver({ store });
  await approvalGraph(saver).invoke({ topic: "go" }, config("waiting"));
  for (const word of ["one", "two", "three"])
    await deltaGraph(saver, 4).invoke({ words: [word] }, config("delta"));
  return store;
}

const withoutThread = (all: CheckpointTuple[]): unknown =>
  JSON.parse(JSON.stringify(all, (key, value: unknown) => (key === "thread_id" ? undefined : value)));

/** `"done"`, or the code of the error. */
const outcomeOf = (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => "done",
    (error: { code: string }) => error.code,
  );

/** Runs an operation again and again, killed before each of its changes in turn, until it gets through. */
async function killedEverywhere(
  operation: (saver: StoreSaver) => Promise<unknown>,
  afterwards: (saver: StoreSaver) => Promise<void>,
): Promise<number> {
  for (let change = 1; ; change++) {
    const store = await stored();
    const dying = dyingAt(store, change);
    const outcome = await operation(new InMemorySaver({ store: dying.store })).then(
      () => "done",
      (error: Error) => error.message,
    );
    expect(outcome).toBe(dying.died() ? "killed" : "done");
    await afterwards(new InMemorySaver({ store }));
    if (!dying.died()) return change - 1;
  }
}

// Each is run dozens of times.
vi.setConfig({ testTimeout: 60_000 });

describe("an operation whose process is killed at any point", () => {
  it("copyThread: what is in the target has the source's state, and merging finishes the copy", async () => {
    const kills = await killedEverywhere(
      (saver) => saver.copyThread("waiting", "copy"),
      async (saver) => {
        const source = await tuples(saver, "waiting");
        const graph = approvalGraph(saver);
        const newest = (await tuples(saver, "copy")).slice(0, 1);
        expect(withoutThread(newest)).toEqual(withoutThread(source.slice(0, newest.length)));
        const again = await outcomeOf(saver.copyThread("waiting", "copy"));
        expect(again).toBe(newest.length > 0 ? "THREAD_EXISTS" : "done");
        await saver.copyThread("waiting", "copy", { ifExists: "merge" });
        expect(withoutThread(await tuples(saver, "copy"))).toEqual(withoutThread(source));
        const { notes } = await graph.invoke(resume("yes"), config("copy"));
        expect(notes.at(-1)).toBe("done");
        expect((await saver.verify()).problems).toEqual([]);
      },
    );
    expect(kills).toBeGreaterThan(6);
  });

  it("copyThread of a channel that holds changes only: whole, or refused as damaged, never a part", async () => {
    let refused = 0;
    const whole: string[][] = [];
    await killedEverywhere(
      (saver) => saver.copyThread("delta", "copy"),
      async (saver) => {
        const graph = deltaGraph(saver, 4);
        const { words } = (await graph.getState(config("delta"))).values;
        const isThere = await saver.exists("copy");
        const read = await outcomeOf(graph.getState(config("copy")));
        expect(["done", "CHECKPOINT_DAMAGED"]).toContain(read);
        if (read === "done" && isThere) whole.push((await graph.getState(config("copy"))).values.words);
        else if (isThere) refused += 1;
        expect(whole.every((each) => each.length === words.length)).toBe(true);
        await saver.copyThread("delta", "copy", { ifExists: "replace" });
        expect((await graph.getState(config("copy"))).values.words).toEqual(words);
      },
    );
    expect(refused).toBeGreaterThan(0);
  });

  it("fork: the new thread is not taken for a fork before it is one", async () => {
    await killedEverywhere(
      (saver) => saver.fork(config("waiting"), { threadId: "fork", history: true }),
      async (saver) => {
        const origin = await saver.getTuple(config("waiting"));
        const newest = await saver.getTuple(config("fork"));
        const isFork = newest?.checkpoint.id === origin!.checkpoint.id;
        const pending = isFork ? newest.pendingWrites : [];
        expect(pending).toEqual(isFork ? origin!.pendingWrites : []);
        expect(Object.keys(newest?.metadata ?? {}).includes("forked_from")).toBe(isFork);
        expect((await saver.verify()).problems).toEqual([]);
        await saver.deleteThread("fork");
        await saver.fork(config("waiting"), { threadId: "fork" });
        const { notes } = await approvalGraph(saver).invoke(resume("yes"), config("fork"));
        expect(notes.at(-1)).toBe("done");
      },
    );
  });

  it.each<[string, (saver: StoreSaver) => Promise<unknown>]>([
    ["prune", (saver) => saver.prune("all", { keepLast: 1 })],
    ["a prune of whole threads", (saver) => saver.prune(["delta"], { strategy: "delete" })],
    [
      "a prune of idle threads",
      (saver) => saver.prune(["delta"], { strategy: "delete", olderThan: new Date(1e14) }),
    ],
  ])("%s: what is left is readable and goes on, and a second call finishes it", async (_, operation) => {
    await killedEverywhere(operation, async (saver) => {
      expect((await saver.verify()).problems).toEqual([]);
      const once = await stored();
      const whole = new InMemorySaver({ store: once });
      await operation(whole);
      await operation(saver);
      expect(await saver.stats()).toMatchObject({ checkpoints: (await whole.stats()).checkpoints });
      const graph = approvalGraph(saver);
      expect((await graph.invoke(resume("yes"), config("waiting"))).notes.at(-1)).toBe("done");
      const { words } = await deltaGraph(saver, 4).invoke({ words: ["more"] }, config("delta"));
      expect(words.slice(-2)).toEqual(["more", "echo"]);
    });
  });
});
