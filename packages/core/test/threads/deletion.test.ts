import { describe, expect, it } from "vitest";

import { InMemorySaver } from "../../src/index.js";
import { config } from "../support.js";
import { deltaGraph } from "./delta-graph.js";
import { idOf, notesGraph, tuples, withNotes } from "./graphs.js";

describe("deleteCheckpoints", () => {
  it("leaves children whole", async () => {
    const saver = new InMemorySaver();
    const graph = await withNotes(saver, "a");
    const before = await tuples(saver, "a");
    const going = before.filter((_, at) => at % 2 === 1).map(idOf);
    expect(await saver.deleteCheckpoints("a", [...going, "none"])).toEqual({ checkpoints: going.length });
    expect(await tuples(saver, "a")).toEqual(before.filter((_, at) => at % 2 === 0));
    expect(await saver.deleteCheckpoints("a", going)).toEqual({ checkpoints: 0 });
    expect((await graph.invoke({ topic: "bees" }, config("a"))).notes).toHaveLength(8);
  });

  it("refuses what a DeltaChannel of another one needs, and forced, never shows a part as the whole", async () => {
    const saver = new InMemorySaver();
    const graph = deltaGraph(saver);
    for (const word of ["one", "two"]) await graph.invoke({ words: [word] }, config("a"));
    const before = await tuples(saver, "a");
    const oldest = idOf(before.at(-1)!);
    await expect(saver.deleteCheckpoints("a", [oldest])).rejects.toMatchObject({ code: "CHECKPOINT_NEEDED" });
    expect(await tuples(saver, "a")).toEqual(before);
    expect(await saver.deleteCheckpoints("a", [oldest], { force: true })).toEqual({ checkpoints: 1 });
    await expect(graph.getState(config("a"))).rejects.toMatchObject({ code: "CHECKPOINT_DAMAGED" });
    const rest = before.slice(0, -1).map(idOf);
    expect(await saver.deleteCheckpoints("a", rest)).toEqual({ checkpoints: rest.length });
  });
});

describe("deleteForRuns", () => {
  it("deletes what the runs put, in every thread", async () => {
    const saver = new InMemorySaver();
    const graph = notesGraph(saver);
    const run = (threadId: string, runId: string) =>
      graph.invoke({ topic: runId }, { ...config(threadId), metadata: { run_id: runId } });
    await run("a", "r1");
    const first = await tuples(saver, "a");
    await run("a", "r2");
    await run("b", "r2");
    const { checkpoints } = await saver.deleteForRuns(["r2", "unknown"]);
    expect(checkpoints).toBe(2 * first.length);
    expect(await tuples(saver, "a")).toEqual(first);
    expect(await saver.exists("b")).toBe(false);
  });

  it("refuses as a whole where another run's DeltaChannel needs one of them", async () => {
    const saver = new InMemorySaver();
    const graph = deltaGraph(saver);
    for (const runId of ["r1", "r2"])
      await graph.invoke({ words: [runId] }, { ...config("a"), metadata: { run_id: runId } });
    await expect(saver.deleteForRuns(["r1"])).rejects.toMatchObject({ code: "CHECKPOINT_NEEDED" });
    expect((await graph.getState(config("a"))).values.words).toHaveLength(4);
    expect((await saver.deleteForRuns(["r1", "r2"])).checkpoints).toBeGreaterThan(0);
    expect(await saver.exists("a")).toBe(false);
  });
});
