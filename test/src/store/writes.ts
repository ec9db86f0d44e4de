import { expect, it } from "vitest";

import { chunk, later, slot } from "./data.js";
import { expectBytes } from "./test-thread.js";
import type { StoreWorld } from "./world.js";

/** A task's writes often come before the checkpoint that they belong to. */
export function writesCases(world: StoreWorld): void {
  it("are read, and are there when the checkpoint comes", async () => {
    const thread = world.thread();
    await thread.write("a", [slot("0")]);
    expect(await thread.read("a")).toMatchObject({ checkpoint: undefined, writes: [{ taskId: "task" }] });
    expect(await thread.newest()).toBeUndefined();
    expect(await thread.list()).toEqual([]);
    await thread.put("a");
    expect(await thread.read("a")).toMatchObject({
      checkpoint: { checkpointId: "a" },
      writes: [{ slots: [{ name: "0" }] }],
    });
  });

  it("are deleted by name, and counted by their bytes", async () => {
    const thread = world.thread();
    await thread.put("b");
    const slots = [slot("0"), slot("1")];
    await thread.write("a", slots);
    const deleted = await thread.delete("a");
    expect(deleted.checkpoints).toBe(0);
    expectBytes(
      deleted.bytes,
      slots.map(({ body }) => body),
    );
    expect((await thread.read("a")).writes).toEqual([]);
  });

  it("keep their chunks, and the chunks go after them", async () => {
    const thread = world.thread();
    const [written, other] = [chunk(), chunk()];
    await thread.write("a", [slot("0", [written])], { sends: [written] });
    await thread.put("b", [other]);
    await thread.delete("b");
    await thread.collects(later(), [other]);
    await thread.holds(written);
    await thread.delete("a");
    await thread.collects(later(), [written]);
  });
}
