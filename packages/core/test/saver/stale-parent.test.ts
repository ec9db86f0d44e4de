import { describe, expect, it } from "vitest";

import { InMemorySaver, MemoryStore, type SaverError } from "../../src/index.js";
import { checkpoint, config, metadata } from "../support.js";

const reject = { onStaleParent: "reject" } as const;

async function put(saver: InMemorySaver, parent?: string, namespace = ""): Promise<string> {
  const next = checkpoint({ x: 1 });
  await saver.put(config("t", parent, namespace), next, metadata(), { x: 1 });
  return next.id;
}

describe('onStaleParent: "reject"', () => {
  it("takes a line of checkpoints, in each namespace, and refuses a branch", async () => {
    const saver = new InMemorySaver(reject);
    const first = await put(saver);
    const second = await put(saver, first);
    await put(saver, undefined, "sub");
    await expect(put(saver, first)).rejects.toMatchObject({ code: "STALE_PARENT" });
    await expect(put(saver)).rejects.toMatchObject({ code: "STALE_PARENT" });
    await put(saver, second);
    expect((await saver.stats()).checkpoints).toBe(4);
  });

  it("takes the newest one put again, also as its own parent", async () => {
    const saver = new InMemorySaver(reject);
    const first = await put(saver);
    const next = checkpoint({ x: 2 });
    for (const parent of [first, first, next.id])
      await saver.put(config("t", parent), next, metadata(), { x: 1 });
    const tuple = await saver.getTuple(config("t"));
    expect(tuple!.parentConfig!.configurable!["checkpoint_id"]).toBe(first);
  });

  it("lets exactly one of many through that start from the same parent at once", async () => {
    const store = new MemoryStore();
    const savers = Array.from({ length: 8 }, () => new InMemorySaver({ ...reject, store }));
    let parent = await put(savers[0]!);
    for (let round = 0; round < 20; round++) {
      const results = await Promise.allSettled(savers.map((saver) => put(saver, parent)));
      const through = results.filter(({ status }) => status === "fulfilled");
      expect(through).toHaveLength(1);
      const codes = results.flatMap((each) =>
        each.status === "rejected" ? [each.reason as SaverError] : [],
      );
      expect(codes.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => "STALE_PARENT"));
      parent = (through[0] as PromiseFulfilledResult<string>).value;
    }
    expect((await savers[0]!.stats()).checkpoints).toBe(21);
  });

  it("is off by default: an older parent starts a branch", async () => {
    const saver = new InMemorySaver();
    const first = await put(saver);
    await put(saver, first);
    await put(saver, first);
    expect((await saver.stats()).checkpoints).toBe(3);
  });
});
