import { expect, it } from "vitest";

import { chunk, later, slot } from "./data.js";
import type { StoreWorld } from "./world.js";

export function registerCases(world: StoreWorld): void {
  it("is not set at first; is set, changed and removed by who knows what it is", async () => {
    const { store, other } = world;
    const { id } = world.thread();
    expect(await store.getRegister(id, "lease")).toBeUndefined();
    expect(await store.setRegister(id, "lease", "first", undefined)).toBe(true);
    expect(await other.getRegister(id, "lease")).toBe("first");
    expect(await other.setRegister(id, "lease", "second", "first")).toBe(true);
    expect(await store.getRegister(id, "lease")).toBe("second");
    expect(await store.setRegister(id, "lease", undefined, "second")).toBe(true);
    expect(await other.getRegister(id, "lease")).toBeUndefined();
    expect(await other.setRegister(id, "lease", "third", undefined)).toBe(true);
  });

  it("stays as it is for who expects something else", async () => {
    const { store } = world;
    const { id } = world.thread();
    expect(await store.setRegister(id, "lease", "mine", "yours")).toBe(false);
    expect(await store.setRegister(id, "lease", undefined, "yours")).toBe(false);
    expect(await store.getRegister(id, "lease")).toBeUndefined();
    await store.setRegister(id, "lease", "mine", undefined);
    expect(await store.setRegister(id, "lease", "yours", undefined)).toBe(false);
    expect(await store.setRegister(id, "lease", "yours", "mine ")).toBe(false);
    expect(await store.setRegister(id, "lease", undefined, undefined)).toBe(false);
    expect(await store.getRegister(id, "lease")).toBe("mine");
  });

  it("can be set to what it is, and removed where it is not set", async () => {
    const { store } = world;
    const { id } = world.thread();
    expect(await store.setRegister(id, "lease", undefined, undefined)).toBe(true);
    await store.setRegister(id, "lease", "mine", undefined);
    expect(await store.setRegister(id, "lease", "mine", "mine")).toBe(true);
    expect(await store.getRegister(id, "lease")).toBe("mine");
  });

  it("holds text as it is, and tells none from empty", async () => {
    const { store } = world;
    const { id } = world.thread();
    let expected: string | undefined;
    for (const text of ["", " ", '{"$set":{"a":"b"}}', "é\u{1f600}\n\t\"'", "$x", "x".repeat(1_000)]) {
      expect(await store.setRegister(id, "lease", text, expected)).toBe(true);
      expect(await store.getRegister(id, "lease")).toBe(text);
      expected = text;
    }
  });

  it("each thread and each name has its own", async () => {
    const { store } = world;
    const thread = world.thread();
    const longer = world.thread(`${thread.id}#`);
    await store.setRegister(thread.id, "a", "1", undefined);
    await store.setRegister(thread.id, "a-b", "2", undefined);
    await store.setRegister(longer.id, "a", "3", undefined);
    await store.setRegister(thread.id, "a", undefined, "1");
    expect(await store.getRegister(thread.id, "a")).toBeUndefined();
    expect(await store.getRegister(thread.id, "a-b")).toBe("2");
    expect(await store.getRegister(longer.id, "a")).toBe("3");
    expect(await store.getRegister(thread.id, `${"0".repeat(63)}z`)).toBeUndefined();
  });

  it("outlives all that is stored for the thread", async () => {
    const { store } = world;
    const thread = world.thread();
    await thread.put("a", [chunk()]);
    await thread.write("b", [slot("0")]);
    await store.setRegister(thread.id, "lease", "mine", undefined);
    await thread.delete("a", "b");
    await thread.collect(later());
    expect(await store.getRegister(thread.id, "lease")).toBe("mine");
    await thread.put("a");
    await store.deleteThread(thread.id);
    expect(await store.getRegister(thread.id, "lease")).toBe("mine");
    expect(await store.getThread(thread.id)).toBeUndefined();
    await store.deleteThread(thread.id);
    expect(await world.other.setRegister(thread.id, "lease", "yours", "mine")).toBe(true);
  });

  it("of many who set it at once, one does", async () => {
    const { store, other } = world;
    const { id } = world.thread();
    let expected: string | undefined;
    for (let round = 0; round < 5; round += 1) {
      const names = Array.from({ length: 8 }, (_, at) => `${round}-${at}`);
      const set = await Promise.all(
        names.map((name, at) => (at % 2 === 0 ? store : other).setRegister(id, "lease", name, expected)),
      );
      const winners = names.filter((_, at) => set[at]);
      expect(winners).toHaveLength(1);
      expected = winners[0]!;
      expect(await store.getRegister(id, "lease")).toBe(expected);
    }
  });
}
