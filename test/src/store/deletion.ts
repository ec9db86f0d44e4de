import { expect, it } from "vitest";

import { chunk, slot, special } from "./data.js";
import { expectBytes } from "./test-thread.js";
import type { StoreWorld } from "./world.js";

export function deletionCases(world: StoreWorld): void {
  it("removes checkpoints with their writes, counts them, and leaves the others alone", async () => {
    const thread = world.thread();
    const kept = await thread.put("a", [], { createdAt: 1_700_000_000_000 });
    const writes = [slot("0"), special("-1"), slot("0")];
    const records = [
      await thread.put("b", [], { parentId: "a" }),
      await thread.put({ namespace: "n", checkpointId: "b" }),
    ];
    await thread.write("a", [slot("0")]);
    await thread.write("b", writes.slice(0, 2));
    await thread.write("b", writes.slice(2), { taskId: "other" });
    const deleted = await thread.delete("b", { namespace: "n", checkpointId: "b" });
    expect(deleted.checkpoints).toBe(2);
    expectBytes(
      deleted.bytes,
      [...records, ...writes].map(({ body }) => body),
    );
    for (const reader of [thread, world.elsewhere(thread)]) {
      expect(await reader.ids()).toEqual(["a"]);
      expect(await reader.read("b")).toMatchObject({ checkpoint: undefined, writes: [] });
      const stored = await reader.read("a");
      expect({ ...stored.checkpoint, body: Buffer.from(stored.checkpoint!.body) }).toEqual({
        ...kept,
        body: Buffer.from(kept.body),
      });
      expect(stored.writes.map(({ slots }) => slots.length)).toEqual([1]);
    }
  });

  it("an id names the checkpoint of the given namespace only", async () => {
    const thread = world.thread();
    for (const namespace of ["", "n", "n|m"]) await thread.put({ namespace, checkpointId: "a" });
    await thread.delete({ namespace: "n", checkpointId: "a" });
    const left = (await thread.list()).map(({ namespace }) => namespace);
    expect(left).toEqual(["", "n|m"]);
  });

  it("takes no checkpoint or writes for those whose ids it starts", async () => {
    const thread = world.thread();
    const ids = ["1", "10", "1#", "1:x", "1\u0000"];
    for (const id of ids) {
      await thread.put(id);
      await thread.write(id, [slot("0")], { taskId: "1" });
    }
    await thread.write("2", [slot("0")], { taskId: "1" });
    expect((await thread.delete("1")).checkpoints).toBe(1);
    expect((await thread.ids()).toSorted()).toEqual(ids.slice(1).toSorted());
    for (const id of [...ids.slice(1), "2"]) expect((await thread.read(id)).writes).toHaveLength(1);
  });

  it("the newest of what stays is the newest", async () => {
    const thread = world.thread();
    for (const id of ["a", "b", "c"]) await thread.put(id);
    await thread.delete("c");
    expect(await thread.newest()).toBe("b");
    await thread.delete("a", "b");
    expect(await thread.newest()).toBeUndefined();
    await thread.put("B");
    expect(await thread.newest()).toBe("B");
  });

  it("children of a deleted parent stay, and the chain ends before it", async () => {
    const thread = world.thread();
    await thread.put("a");
    await thread.put("b", [], { parentId: "a" });
    await thread.put("c", [], { parentId: "b" });
    await thread.put("d", [], { parentId: "c" });
    await thread.delete("b");
    expect((await thread.read("c")).checkpoint?.parentId).toBe("b");
    const { items, cursor } = await thread.store.listAncestors({
      threadId: thread.id,
      namespace: "",
      checkpointId: "d",
      limit: 10,
    });
    expect(items.map(({ checkpointId }) => checkpointId)).toEqual(["d", "c"]);
    expect(cursor).toBeUndefined();
  });

  it("what is not there counts for nothing, and leaves no trace", async () => {
    const thread = world.thread();
    expect(await thread.delete("a")).toEqual({ checkpoints: 0, bytes: 0 });
    expect(await thread.store.getThread(thread.id)).toBeUndefined();
    await thread.put("a");
    expect(await thread.delete("b", { namespace: "n", checkpointId: "a" })).toEqual({
      checkpoints: 0,
      bytes: 0,
    });
    expect(await thread.delete()).toEqual({ checkpoints: 0, bytes: 0 });
    expect(await thread.ids()).toEqual(["a"]);
  });

  it("may be named twice, and called again", async () => {
    const thread = world.thread();
    await thread.put("a");
    await thread.write("a", [slot("0")]);
    expect((await thread.delete("a", "a")).checkpoints).toBe(1);
    expect(await world.elsewhere(thread).delete("a")).toEqual({ checkpoints: 0, bytes: 0 });
  });

  it("a checkpoint put again is there without its former writes", async () => {
    const thread = world.thread();
    const record = await thread.put("a");
    await thread.write("a", [slot("0"), special("-1")]);
    await thread.delete("a");
    await thread.commit(record);
    expect(await thread.read("a")).toMatchObject({ checkpoint: { checkpointId: "a" }, writes: [] });
    const again = slot("0");
    await thread.write("a", [again]);
    const [written] = (await thread.read("a")).writes;
    expect(written!.slots.map(({ body }) => Buffer.from(body))).toEqual([Buffer.from(again.body)]);
  });

  it("chunks stay for those who have read the record", async () => {
    const thread = world.thread();
    const [own, written] = [chunk(), chunk()];
    await thread.put("a", [own]);
    await thread.write("a", [slot("0", [written])], { sends: [written] });
    const { generation } = await thread.read("a");
    await thread.delete("a");
    expect(await thread.holding([own, written], generation)).toHaveLength(2);
  });

  it("the thread's generation stays", async () => {
    const thread = world.thread();
    await thread.put("a");
    const generation = await thread.generation();
    await thread.delete("a");
    expect(await thread.generation()).toBe(generation);
    await thread.put("b", [], { condition: { generation } });
  });

  it("hundreds of checkpoints in one call", async () => {
    const thread = world.thread();
    const ids = Array.from({ length: 230 }, (_, at) => `c${at}`);
    for (let at = 0; at < ids.length; at += 23) {
      await Promise.all(ids.slice(at, at + 23).map((id) => thread.put(id)));
    }
    await thread.put("kept");
    expect((await thread.delete(...ids)).checkpoints).toBe(ids.length);
    expect(await thread.ids()).toEqual(["kept"]);
  });
}
