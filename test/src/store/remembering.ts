import { expect, it } from "vitest";

import { chunk, instant, later, slot, special } from "./data.js";
import type { StoreWorld } from "./world.js";

/**
 * Whatever makes a record or a slot stop referring to chunks leaves a memory of them with its time: someone who saw
 * them stored may still be about to rely on them.
 */
export function rememberingCases(world: StoreWorld): void {
  it("a put of the same id", async () => {
    const thread = world.thread();
    const [old, first, second, both] = [chunk(), chunk(), chunk(), chunk()];
    await thread.put("x", [old]);
    await thread.delete("x");
    await thread.put("a", [first, both]);
    const before = await instant();
    await world.elsewhere(thread).put("a", [second, both]);
    await thread.collects(before, [old]);
    await thread.holds(first, second, both);
    await thread.collects(later(), [first]);
    await thread.holds(second, both);
  });

  it("the same put twice lets go of nothing", async () => {
    const thread = world.thread();
    const own = chunk();
    const record = await thread.put("a", [own]);
    await thread.commit(record, [own]);
    await thread.commit(record);
    expect(await thread.collect(later())).toEqual({ chunks: 0, bytes: 0 });
    await thread.holds(own);
    expect(await thread.ids()).toEqual(["a"]);
  });

  it("several puts of the same id, each with its own time", async () => {
    const thread = world.thread();
    const versions = [chunk(), chunk(), chunk()];
    await thread.put("a", [versions[0]!]);
    await thread.put("a", [versions[1]!]);
    const before = await instant();
    await thread.put("a", [versions[2]!]);
    await thread.collects(before, [versions[0]!]);
    await thread.holds(versions[1]!, versions[2]!);
    await thread.collects(later(), [versions[1]!]);
    await thread.holds(versions[2]!);
  });

  it("a special write that replaces another", async () => {
    const thread = world.thread();
    const [first, second, third, regular] = [chunk(), chunk(), chunk(), chunk()];
    await thread.put("a");
    await thread.write("a", [special("-1", [first]), slot("0", [regular])], { sends: [first, regular] });
    await thread.write("a", [special("-1", [second])], { sends: [second] });
    const before = await instant();
    await world.elsewhere(thread).write("a", [special("-1", [third])], { sends: [third] });
    await thread.collects(before, [first]);
    await thread.holds(second, third, regular);
    await thread.collects(later(), [second]);
    await thread.holds(third, regular);
  });

  it("a regular write that is there already keeps its chunks, and the later one's go", async () => {
    const thread = world.thread();
    const [first, second, other] = [chunk(), chunk(), chunk()];
    await thread.put("x", [other]);
    await thread.write("a", [slot("0", [first])], { sends: [first] });
    await thread.write("a", [slot("0", [second])], { sends: [second] });
    await thread.delete("x");
    await thread.collect(later());
    await thread.holds(first);
    expect(await thread.holding([second, other])).toEqual([]);
  });

  it("a deletion soon after a replacement: both stay, then both go", async () => {
    const thread = world.thread();
    const [old, first, second] = [chunk(), chunk(), chunk()];
    await thread.put("x", [old]);
    await thread.delete("x");
    await thread.put("a", [first]);
    const before = await instant();
    await thread.put("a", [second]);
    await thread.delete("a");
    await thread.collects(before, [old]);
    await thread.holds(first, second);
    await thread.collects(later(), [first, second]);
  });

  it("a deletion soon after a special write was replaced: both stay, then both go", async () => {
    const thread = world.thread();
    const [old, first, second] = [chunk(), chunk(), chunk()];
    await thread.put("a", [old]);
    await thread.put("a");
    await thread.write("a", [special("-1", [first])], { sends: [first] });
    const before = await instant();
    await thread.write("a", [special("-1", [second])], { sends: [second] });
    await thread.delete("a");
    await thread.collects(before, [old]);
    await thread.holds(first, second);
    await thread.collects(later(), [first, second]);
  });

  it("a deletion long after a replacement: what was replaced goes first", async () => {
    const thread = world.thread();
    const [first, second] = [chunk(), chunk()];
    await thread.put("a", [first]);
    await thread.put("a", [second]);
    const before = await instant();
    await thread.delete("a");
    await thread.collects(before, [first]);
    await thread.holds(second);
    await thread.collects(later(), [second]);
  });

  it("a checkpoint put again after its deletion, without what it had", async () => {
    const thread = world.thread();
    const [first, second] = [chunk(), chunk()];
    await thread.put("a", [first]);
    await thread.delete("a");
    await thread.put("a", [second]);
    await thread.collects(later(), [first]);
    await thread.holds(second);
  });

  it("the deletion of the thread forgets all of it", async () => {
    const thread = world.thread();
    const [first, second] = [chunk(), chunk()];
    await thread.put("a", [first]);
    await thread.put("a", [second]);
    await thread.delete("a");
    await thread.store.deleteThread(thread.id);
    await thread.put("a", [first]);
    expect(await thread.collect(later())).toEqual({ chunks: 0, bytes: 0 });
    await thread.holds(first);
    expect(await thread.holding([second])).toEqual([]);
  });
}
