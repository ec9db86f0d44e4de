import { Annotation, START, StateGraph } from "@langchain/langgraph";
import type { RunnableConfig } from "@langchain/core/runnables";
import { describe, expect, it, vi } from "vitest";

import {
  InMemorySaver,
  MemoryStore,
  type AncestorQuery,
  type CheckpointSelector,
  type ListQuery,
} from "../../src/index.js";
import { checkpoint, config, metadata } from "../support.js";

/** A store whose reads wait, once `hold` was called, until `resume` is. */
class HeldStore extends MemoryStore {
  #gate = Promise.resolve();
  #resume = () => {};
  #reached = () => {};

  /** Resolves when a read has come to wait. */
  hold(): Promise<void> {
    this.#gate = new Promise((resolve) => (this.#resume = resolve));
    return new Promise((resolve) => (this.#reached = resolve));
  }

  resume(): void {
    this.#resume();
  }

  async #wait<T>(read: () => Promise<T>): Promise<T> {
    this.#reached();
    await this.#gate;
    return read();
  }

  override getCheckpoints(selectors: CheckpointSelector[]) {
    return this.#wait(() => super.getCheckpoints(selectors));
  }

  override listAncestors(query: AncestorQuery) {
    return this.#wait(() => super.listAncestors(query));
  }

  override listCheckpoints(query: ListQuery) {
    return this.#wait(() => super.listCheckpoints(query));
  }
}

async function withHistory(length: number) {
  const store = new HeldStore();
  const saver = new InMemorySaver({ store });
  const ids: string[] = [];
  for (let step = 0; step < length; step++) {
    const next = checkpoint({ step });
    await saver.put(config("t", ids.at(-1)), next, metadata(step), { step: 1 });
    ids.push(next.id);
  }
  return { store, saver, ids };
}

const reads: Record<string, (saver: InMemorySaver, config: RunnableConfig) => Promise<unknown>> = {
  getTuple: (saver, of) => saver.getTuple(of),
  list: (saver, of) => saver.list(of).next(),
  getDeltaChannelHistory: (saver, of) => saver.getDeltaChannelHistory({ config: of, channels: ["step"] }),
};

describe("a read whose config has a signal", () => {
  it.each(Object.entries(reads))(
    "%s: aborted before, it rejects with the reason and reads nothing",
    async (_, read) => {
      const { store, saver } = await withHistory(1);
      let reached = false;
      void store.hold().then(() => (reached = true));
      const reason = new Error("enough");
      await expect(read(saver, { ...config("t"), signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(reached).toBe(false);
    },
  );

  it.each(Object.entries(reads))(
    "%s: aborted meanwhile, it rejects with the reason at once",
    async (_, read) => {
      const { store, saver } = await withHistory(1);
      const waits = store.hold();
      const controller = new AbortController();
      const reading = read(saver, { ...config("t"), signal: controller.signal });
      await waits;
      controller.abort();
      // The store has still not answered.
      await expect(reading).rejects.toMatchObject({ name: "AbortError" });
      store.resume();
      expect(await saver.getTuple(config("t"))).toBeDefined();
    },
  );

  it("list: aborted between two tuples, the next one is not given", async () => {
    const { saver } = await withHistory(3);
    const controller = new AbortController();
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const tuple of saver.list({ ...config("t"), signal: controller.signal })) {
        seen.push(tuple.metadata?.step);
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    expect(seen).toEqual([2]);
  });

  it("leaves nothing behind at a signal that lives longer than the reads", async () => {
    const { saver } = await withHistory(3);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    for (const read of Object.values(reads)) await read(saver, { ...config("t"), signal });
    for await (const _ of saver.list({ ...config("t"), signal }));
    expect(listeners).toBe(0);
  });
});

describe("a write whose config has a signal", () => {
  it("is stored, whether the run was aborted before or is meanwhile", async () => {
    const { saver, ids } = await withHistory(1);
    const controller = new AbortController();
    const aborted = { ...config("t", ids[0]), signal: AbortSignal.abort() };
    const next = checkpoint({ step: 1 }, 2);
    await saver.put(aborted, next, metadata(1), { step: 2 });
    const writing = saver.putWrites(
      { ...config("t", next.id), signal: controller.signal },
      [["out", 1]],
      "task",
    );
    controller.abort();
    await writing;
    const tuple = await saver.getTuple(config("t"));
    expect(tuple?.checkpoint.id).toBe(next.id);
    expect(tuple?.pendingWrites).toEqual([["task", "out", 1]]);
  });

  it.each(["sync", "async", "exit"] as const)(
    "durability %s: an aborted run keeps the steps that it finished, and is resumed from there",
    async (durability) => {
      const controller = new AbortController();
      let patient = false;
      const State = Annotation.Root({
        log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
      });
      const graph = new StateGraph(State)
        .addNode("first", () => ({ log: ["first"] }))
        .addNode("second", async () => {
          if (patient) return { log: ["second"] };
          controller.abort();
          return new Promise<never>(() => {});
        })
        .addEdge(START, "first")
        .addEdge("first", "second")
        .compile({ checkpointer: new InMemorySaver() });
      const run = graph.invoke({ log: ["in"] }, { ...config("t"), signal: controller.signal, durability });
      await expect(run).rejects.toMatchObject({ name: "AbortError" });
      // LangGraph stores what is left to store after it has told the caller.
      await vi.waitFor(async () => {
        const { values, next } = await graph.getState(config("t"));
        expect({ values, next }).toEqual({ values: { log: ["in", "first"] }, next: ["second"] });
      });
      patient = true;
      expect(await graph.invoke(null, config("t"))).toEqual({ log: ["in", "first", "second"] });
    },
  );
});
