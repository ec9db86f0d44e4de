import { expect, it } from "vitest";

import { chunk, chunks, indexOf, instant, later, slot, special } from "./data.js";
import type { StoreWorld } from "./world.js";

/** Long values: the record refers to index chunks, which list the chunks, or index chunks once more. */
export function indexChunkCases(world: StoreWorld): void {
  it("what an index chunk lists stays as long as a record refers to the index chunk", async () => {
    const thread = world.thread();
    const listed = chunks(12);
    const index = indexOf(listed);
    const other = chunk();
    await thread.put("a", [index], { sends: [...listed, index] });
    await thread.put("b", [other]);
    await thread.delete("b");
    await thread.collects(later(), [other]);
    await thread.holds(index, ...listed);
    await thread.delete("a");
    await thread.collects(later(), [index, ...listed]);
  });

  it("a value that changed a little shares what did not change", async () => {
    const thread = world.thread();
    const [shared, before, after] = [chunks(9), chunk(), chunk()];
    const [old, now] = [indexOf([...shared, before]), indexOf([...shared, after])];
    await thread.put("a", [old], { sends: [...shared, before, old] });
    await thread.put("b", [now], { sends: [after, now] });
    await thread.delete("a");
    await thread.collects(later(), [old, before]);
    await thread.holds(now, after, ...shared);
  });

  it("index chunks of index chunks", async () => {
    const thread = world.thread();
    const leaves = [chunks(9), chunks(9), chunks(9)];
    const level = leaves.map(indexOf);
    const [first, second] = [indexOf(level.slice(0, 2)), indexOf(level.slice(1))];
    await thread.put("a", [first], { sends: [...leaves.flat(), ...level, first] });
    await thread.put("b", [second], { sends: [second] });
    await thread.delete("a");
    await thread.collects(later(), [first, level[0]!, ...leaves[0]!]);
    await thread.holds(second, ...level.slice(1), ...leaves.slice(1).flat());
  });

  it("those of writes, and of a replaced special write", async () => {
    const thread = world.thread();
    const [own, listed, replacing] = [chunks(9), chunks(9), chunks(9)];
    const [kept, old, now] = [indexOf(own), indexOf(listed), indexOf(replacing)];
    await thread.write("a", [slot("0", [kept]), special("-1", [old])], {
      sends: [...own, ...listed, kept, old],
    });
    await thread.write("a", [special("-1", [now])], { sends: [...replacing, now] });
    await thread.collects(later(), [old, ...listed]);
    await thread.holds(kept, now, ...own, ...replacing);
  });

  it("what one lists stays while the deletion of its record is young", async () => {
    const thread = world.thread();
    const [listed, own] = [chunks(9), chunk()];
    const index = indexOf(listed);
    await thread.put("a", [index], { sends: [...listed, index] });
    await thread.put("b", [own]);
    await thread.delete("b");
    const before = await instant();
    await thread.delete("a");
    await thread.collects(before, [own]);
    await thread.holds(index, ...listed);
    await thread.collects(later(), [index, ...listed]);
  });

  it("an index chunk that lists itself in a circle ends no collection", async () => {
    const thread = world.thread();
    const [first, second] = [chunk(), chunk()];
    const [circle, back] = [
      { ...indexOf([second]), hash: first.hash },
      { ...indexOf([first]), hash: second.hash },
    ];
    const other = chunk();
    await thread.put("a", [circle], { sends: [circle, back] });
    await thread.put("b", [other]);
    await thread.delete("b");
    await thread.collects(later(), [other]);
    expect(await thread.holding([circle, back])).toHaveLength(2);
  });
}
