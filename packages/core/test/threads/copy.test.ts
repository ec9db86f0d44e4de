import { describe, expect, it } from "vitest";

import { InMemorySaver, type SaverOptions } from "../../src/index.js";
import { config, pseudoRandomText } from "../support.js";
import { approvalGraph, resume, tuples, withNotes } from "./graphs.js";

const keys = [{ id: "k1", key: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff" }];

/** As a tuple of another thread of the same content would be. */
function elsewhere(value: unknown, from: string, to: string): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(`"thread_id":"${from}"`, `"thread_id":"${to}"`));
}

describe.each<[string, SaverOptions]>([
  ["plain", {}],
  ["encrypted, without cache", { encryption: { keys }, cacheBytes: 0 }],
])("copyThread, %s", (_, options) => {
  it("copies every checkpoint, parent and write of every namespace, and goes on without the source", async () => {
    const saver = new InMemorySaver(options);
    const graph = approvalGraph(saver);
    await graph.invoke({ topic: "go", notes: [pseudoRandomText(90_000, 7)] }, config("a"));
    const source = await tuples(saver, "a");
    expect(await saver.copyThread("a", "b")).toEqual({ checkpoints: source.length });
    const copy = await tuples(saver, "b");
    expect(elsewhere(copy, "b", "b")).toEqual(elsewhere(source, "a", "b"));
    expect(copy.map(({ config: { configurable } }) => configurable!["checkpoint_ns"])).toContain("");
    await saver.deleteThread("a");
    const end = await graph.invoke(resume("yes"), config("b"));
    expect(end.notes.slice(-3)).toEqual(["prepared", "answer: yes", "done"]);
    expect(await saver.exists("a")).toBe(false);
    expect((await saver.verify()).problems).toEqual([]);
  });

  it("shares chunks within the copy as the source does", async () => {
    const saver = new InMemorySaver(options);
    await withNotes(saver, "a");
    await saver.copyThread("a", "b");
    const [a, b] = await Promise.all(["a", "b"].map((id) => saver.threadInfo(id)));
    expect(b!.bytes).toBeLessThan(a!.bytes * 1.1);
    expect(b).toMatchObject({
      checkpoints: a!.checkpoints,
      createdAt: a!.createdAt,
      updatedAt: a!.updatedAt,
    });
  });
});

describe("copyThread", () => {
  it("merges into a target or replaces it where told so", async () => {
    const saver = new InMemorySaver();
    await withNotes(saver, "a");
    await withNotes(saver, "b");
    const before = (await tuples(saver, "b")).length;
    await expect(saver.copyThread("a", "b")).rejects.toMatchObject({ code: "THREAD_EXISTS" });
    expect(await tuples(saver, "b")).toHaveLength(before);
    await saver.copyThread("a", "b", { ifExists: "merge" });
    expect(await tuples(saver, "b")).toHaveLength(2 * before);
    await saver.copyThread("a", "b", { ifExists: "replace" });
    expect(await tuples(saver, "b")).toHaveLength(before);
  });
});
