import { expect, it } from "vitest";

import { chunk, chunks, instant, later, slot } from "./data.js";
import type { StoreWorld } from "./world.js";

const NOTHING = { chunks: 0, bytes: 0 };

export function collectionCases(world: StoreWorld): void {
  it("removes what only deleted checkpoints and their writes referred to", async () => {
    const thread = world.thread();
    const [own, written, kept] = [chunk(), chunk(500), chunk()];
    await thread.put("a", [own, kept]);
    await thread.write("a", [slot("0", [written, kept])], { sends: [written, kept] });
    await thread.put("b", [kept]);
    await thread.delete("a");
    await thread.collects(later(), [own, written]);
    await thread.holds(kept);
    expect(await thread.collect(later())).toEqual(NOTHING);
  });

  it("leaves what a write of a checkpoint that stays refers to", async () => {
    const thread = world.thread();
    const shared = chunk();
    await thread.put("a", [shared]);
    await thread.put("b");
    await thread.write("b", [slot("0", [shared])]);
    await thread.delete("a");
    expect(await thread.collect(later())).toEqual(NOTHING);
    await thread.holds(shared);
  });

  it("does nothing where nothing was deleted or replaced", async () => {
    const thread = world.thread();
    expect(await thread.collect(later())).toEqual(NOTHING);
    const kept = chunk();
    await thread.put("a", [kept]);
    expect(await thread.collect(later())).toEqual(NOTHING);
    await thread.holds(kept);
  });

  it("leaves what was deleted at `before` or since, and takes it once that is past", async () => {
    const thread = world.thread();
    const [old, young, both] = [chunk(), chunk(), chunk()];
    await thread.put("a", [old, both]);
    await thread.put("b", [young, both]);
    await thread.delete("a");
    const before = await instant();
    await thread.delete("b");
    await thread.collects(before, [old]);
    await thread.holds(young, both);
    expect(await thread.collect(before)).toEqual(NOTHING);
    await thread.collects(later(), [young, both]);
  });

  it("leaves what was stored, or sent again, at `before` or since, though nothing refers to it", async () => {
    const thread = world.thread();
    const [old, again, fresh] = [chunk(), chunk(), chunk()];
    await thread.put("a", [old, again]);
    await thread.delete("a");
    const before = await instant();
    await world.elsewhere(thread).put("b", [], { sends: [again, fresh] });
    await thread.collects(before, [old]);
    await thread.holds(again, fresh);
    const other = chunk();
    await thread.put("c", [other]);
    await thread.delete("c");
    await thread.collects(later(), [again, fresh, other]);
  });

  it("leaves what was sent again with writes at `before` or since", async () => {
    const thread = world.thread();
    const [old, again] = [chunk(), chunk()];
    await thread.put("a", [old, again]);
    await thread.delete("a");
    const before = await instant();
    await thread.write("b", [slot("0")], { sends: [again] });
    await thread.collects(before, [old]);
    await thread.holds(again);
  });

  it("takes chunks that no record came to refer to", async () => {
    const thread = world.thread();
    const [lost, own] = [chunk(), chunk()];
    await thread.put("a", [own], { sends: [own, lost] });
    await thread.put("b");
    await thread.delete("b");
    // Nothing that refers to a chunk has gone: whether a store looks at all is its own affair.
    await thread.collect(later());
    await thread.holds(own);
    await thread.delete("a");
    await thread.collect(later());
    expect(await thread.holding([own, lost])).toEqual([]);
  });

  it("a chunk that has gone can be stored again", async () => {
    const thread = world.thread();
    const back = chunk();
    await thread.put("a", [back]);
    await thread.delete("a");
    await thread.collects(later(), [back]);
    await thread.put("b", [back]);
    expect(await thread.collect(later())).toEqual(NOTHING);
    await thread.holds(back);
    await thread.delete("b");
    await thread.collects(later(), [back]);
  });

  it("leaves other threads alone, whatever their ids and chunks", async () => {
    const thread = world.thread();
    const longer = world.thread(`${thread.id}:`);
    const shared = chunk();
    for (const each of [thread, longer]) await each.put("a", [shared]);
    await thread.delete("a");
    expect(await longer.collect(later())).toEqual(NOTHING);
    await thread.collects(later(), [shared]);
    await longer.holds(shared);
  });

  it("hundreds of chunks, of which some are needed", async () => {
    const thread = world.thread();
    const all = chunks(260);
    const kept = all.filter((_, at) => at % 5 === 0);
    await thread.put("a", all);
    await thread.put("b", kept, { sends: [] });
    await thread.delete("a");
    await thread.collects(
      later(),
      all.filter((_, at) => at % 5 !== 0),
    );
    await thread.holds(...kept);
  });

  it("the thread's generation stays", async () => {
    const thread = world.thread();
    const kept = chunk();
    await thread.put("a", [chunk()]);
    await thread.put("b", [kept]);
    const generation = await thread.generation();
    await thread.delete("a");
    await thread.collect(later());
    expect(await thread.generation()).toBe(generation);
    await thread.put("c", [kept], { sends: [], condition: { generation } });
  });

  it("gives the space back", async () => {
    const thread = world.thread();
    await thread.put("a", [chunk(5_000)]);
    await thread.put("b", [chunk(50)]);
    await thread.delete("a");
    const { bytes } = (await thread.store.getThread(thread.id))!;
    const collected = await thread.collect(later());
    const left = (await thread.store.getThread(thread.id))!.bytes;
    expect(left).toBe(bytes - collected.bytes);
    expect(left).toBeLessThan(200);
  });
}
