import { expect, it } from "vitest";

import { checkpointRecord, chunk, later, slot } from "./data.js";
import type { StoreWorld } from "./world.js";

export function generationCases(world: StoreWorld): void {
  it("a commit names the generation that it went to, or the one that it found", async () => {
    const thread = world.thread();
    const { generation } = await thread.commit(checkpointRecord(thread.key("a"), []));
    expect(await thread.generation()).toBe(generation);
    await thread.put("b", [], { condition: { generation } });
    expect(await thread.write("b", [slot("0")], { condition: { generation } })).toEqual({
      committed: true,
      generation,
    });
    const condition = { generation: `${generation}0` };
    const refused = { committed: false, generation };
    expect(await thread.commit(checkpointRecord(thread.key("c"), []), [], condition)).toEqual(refused);
    expect(await thread.write("c", [slot("0")], { condition })).toEqual(refused);
    expect(await thread.read("c")).toMatchObject({ checkpoint: undefined, writes: [] });
    expect(await thread.ids()).toEqual(["b", "a"]);
  });

  it("a deleted thread starts another: the old one takes nothing and shows nothing", async () => {
    const thread = world.thread();
    const own = chunk();
    await thread.put("a", [own]);
    await thread.write("a", [slot("0")]);
    const generation = await thread.generation();
    await world.elsewhere(thread).store.deleteThread(thread.id);
    const condition = { generation };
    expect(await thread.commit(checkpointRecord(thread.key("b"), []), [], condition)).toMatchObject({
      committed: false,
    });
    expect(await thread.write("a", [slot("0")], { condition })).toMatchObject({ committed: false });
    expect(await thread.read("a")).toMatchObject({ checkpoint: undefined, writes: [] });
    expect(await thread.holding([own], generation)).toEqual([]);
    await thread.put("a", [own]);
    expect(await thread.generation()).not.toBe(generation);
    expect((await thread.read("a")).writes).toEqual([]);
    await thread.holds(own);
  });

  it("what is deleted and collected is of the current one", async () => {
    const thread = world.thread();
    const [first, second] = [chunk(), chunk()];
    await thread.put("a", [first]);
    await thread.put("b", [second]);
    await thread.delete("a");
    await thread.store.deleteThread(thread.id);
    expect(await thread.delete("b")).toEqual({ checkpoints: 0, bytes: 0 });
    expect(await thread.collect(later())).toEqual({ chunks: 0, bytes: 0 });
    await thread.put("a", [first, second]);
    await thread.put("b", [second]);
    await thread.delete("a");
    await thread.collects(later(), [first]);
    await thread.holds(second);
  });

  it("a thread may be deleted that is not there, and twice", async () => {
    const thread = world.thread();
    await thread.store.deleteThread(thread.id);
    await thread.put("a");
    await Promise.all([thread, world.elsewhere(thread)].map(({ store }) => store.deleteThread(thread.id)));
    await thread.store.deleteThread(thread.id);
    expect(await thread.ids()).toEqual([]);
    await thread.put("b");
    expect(await world.elsewhere(thread).ids()).toEqual(["b"]);
  });
}
