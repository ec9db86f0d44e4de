import { afterEach, describe, expect, it, vi } from "vitest";

import { InMemorySaver, withRetention } from "../../src/index.js";
import { config } from "../support.js";
import { approvalGraph, idOf, notesGraph, resume, stepOf, tuples, withNotes } from "./graphs.js";
import { deltaGraph } from "./delta-graph.js";

afterEach(() => {
  vi.useRealTimers();
});

describe("fork", () => {
  it("makes a thread that a graph goes on with at once, inside of the subgraph that waits", async () => {
    const saver = new InMemorySaver();
    const graph = approvalGraph(saver);
    await graph.invoke({ topic: "go" }, config("a"));
    const fork = await saver.fork(config("a"));
    const end = await graph.invoke(resume("yes"), fork);
    expect(end.notes).toEqual(["prepared", "answer: yes", "done"]);
    const { next } = await graph.getState(config("a"));
    expect(next).toEqual(["inner"]);
  });

  it("says where it came from, and has no parent that is not there", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    const [newest] = await tuples(saver, "a");
    await saver.fork(config("a"), { threadId: "b" });
    const [copy, ...rest] = await tuples(saver, "b");
    expect(rest).toEqual([]);
    expect(copy!.metadata).toMatchObject({
      forked_from: { thread_id: "a", checkpoint_ns: "", checkpoint_id: idOf(newest!) },
    });
    expect(copy!.parentConfig).toBeUndefined();
    expect(copy!.checkpoint.channel_values).toEqual(newest!.checkpoint.channel_values);
  });

  it("starts from any checkpoint, with edits that the next node sees", async () => {
    const saver = new InMemorySaver();
    const graph = await withNotes(saver, "a");
    const history = await tuples(saver, "a");
    const before = history.find((tuple) => stepOf(tuple) === 0)!;
    const fork = await saver.fork(config("a", idOf(before)), { edits: { topic: "bees" } });
    const end = await graph.invoke(null, fork);
    expect(end.topic).toBe("bees");
    expect(end.notes[0]).toBe("about bees");
    expect(end.notes).toHaveLength(2);
    expect(await tuples(saver, "a")).toEqual(history);
    const [last] = await tuples(saver, fork.configurable!["thread_id"] as string);
    expect(last!.metadata!.step).toBe(3);
  });

  it("edits at versions that no node has seen", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    const fork = await saver.fork(config("a"), { edits: { topic: "bees", notes: undefined } });
    const [edited, copy] = await tuples(saver, fork.configurable!["thread_id"] as string);
    const versions = Object.values(copy!.checkpoint.channel_versions) as number[];
    expect(edited!.checkpoint.channel_versions["topic"]).toBeGreaterThan(Math.max(...versions));
    expect(edited!.checkpoint.channel_values).not.toHaveProperty("notes");
    expect(edited!.metadata!.source).toBe("fork");
    expect(idOf(edited!) > idOf(copy!)).toBe(true);
  });

  it("takes the history along where asked to", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    const history = await tuples(saver, "a");
    await saver.fork(config("a", idOf(history[2]!)), { threadId: "b", history: true });
    const copies = await tuples(saver, "b");
    expect(copies.map(idOf)).toEqual(history.slice(2).map(idOf));
    expect(copies.map(({ parentConfig }) => parentConfig?.configurable!["checkpoint_id"])).toEqual(
      history.slice(2).map(({ parentConfig }) => parentConfig?.configurable!["checkpoint_id"]),
    );
  });

  it("brings the ancestors that a DeltaChannel counts on, with edits and without", async () => {
    const saver = new InMemorySaver();
    const graph = deltaGraph(saver);
    for (const word of ["one", "two", "three"]) await graph.invoke({ words: [word] }, config("a"));
    const state = (await graph.getState(config("a"))).values.words;
    expect(state).toHaveLength(6);
    const plain = await saver.fork(config("a"));
    expect((await graph.getState(plain)).values.words).toEqual(state);
    const edited = await saver.fork(config("a"), { edits: { other: "x" } });
    expect((await graph.getState(edited)).values).toMatchObject({ words: state, other: "x" });
    const older = (await tuples(saver, "a")).find((tuple) => stepOf(tuple) === 2)!;
    const past = (await graph.getState(config("a", idOf(older)))).values.words;
    const branch = await saver.fork(config("a", idOf(older)), { edits: { other: "y" } });
    expect((await graph.getState(branch)).values).toMatchObject({ words: past, other: "y" });
  });

  it("refuses what cannot be, and changes nothing", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    await withNotes(saver, "b");
    const count = (await saver.stats()).checkpoints;
    await expect(saver.fork(config("a", "none"))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(saver.fork(config("c"))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(saver.fork(config("a"), { threadId: "b" })).rejects.toMatchObject({ code: "THREAD_EXISTS" });
    await expect(saver.fork(config("a"), { threadId: "a" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(saver.fork(config("a"), { edits: { f: () => 1 } })).rejects.toMatchObject({
      code: "VALUE_NOT_SERIALIZABLE",
    });
    expect(await saver.stats()).toMatchObject({ threads: 2, checkpoints: count });
  });

  it("is independent of the source for ever", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    const fork = await saver.fork(config("a"));
    const before = await saver.getTuple(fork);
    await saver.deleteThread("a");
    expect(await saver.getTuple(fork)).toEqual(before);
    const end = await notesGraph(saver).invoke({ topic: "bees" }, fork);
    expect(end.notes).toHaveLength(8);
  });

  it("of an old checkpoint is a thread of now: a sweep for idle ones leaves it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000_000 });
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    vi.setSystemTime(9_000_000_000);
    await saver.fork(config("a"), { threadId: "b" });
    expect((await saver.threadInfo("b"))!.updatedAt.getTime()).toBe(9_000_000_000);
    await using retention = withRetention(saver, { idleThreadMs: 1_000_000 });
    expect(await retention.sweep()).toMatchObject({ deletedThreads: 1 });
    expect([await saver.exists("a"), await saver.exists("b")]).toEqual([false, true]);
  });
});
