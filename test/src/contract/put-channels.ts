import { describe, expect, it } from "vitest";

import {
  checkpointOf,
  configOf,
  getOne,
  listAll,
  metadataOf,
  newId,
  putOne,
  valuesOf,
  type Savers,
} from "./support.js";

const large = (mark: string): string => `${mark}:${"abcdefghij".repeat(3000)}`;

/** Which value a channel has after a put: the part of `put` that `newVersions` decides. */
export function putChannelsContract(savers: Savers): void {
  describe("put, newVersions", () => {
    it("a channel not in newVersions keeps the value the parent has at that version", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t", {
        values: { kept: "of the parent", big: large("of the parent"), a: 1 },
      });
      const child = await putOne(saver, "t", {
        parent,
        values: { kept: "ignored", big: large("ignored"), a: 2 },
        versions: { kept: 1, big: 1, a: 2 },
        changed: ["a"],
      });
      expect(await valuesOf(saver, "t", child)).toEqual({
        kept: "of the parent",
        big: large("of the parent"),
        a: 2,
      });
    });

    it("a value is carried down a long chain", async () => {
      const saver = savers();
      let parent = await putOne(saver, "t", { values: { kept: { deep: [1, 2] }, step: 0 } });
      for (let step = 1; step <= 12; step += 1) {
        parent = await putOne(saver, "t", {
          parent,
          values: { kept: "ignored", step },
          versions: { kept: 1, step: step + 1 },
          changed: ["step"],
        });
      }
      expect(await valuesOf(saver, "t", parent)).toEqual({ kept: { deep: [1, 2] }, step: 12 });
    });

    it("forks whose integer versions collide keep each its own value", async () => {
      const saver = savers();
      const root = await putOne(saver, "t", {
        values: { a: "root", big: large("root") },
        versions: { a: 6, big: 6 },
      });
      const branch = async (name: string): Promise<string[]> => {
        const top = await putOne(saver, "t", {
          parent: root,
          values: { a: name, big: large(name) },
          versions: { a: 7, big: 7 },
        });
        const below = await putOne(saver, "t", {
          parent: top,
          values: { a: name, big: large(name), b: 1 },
          versions: { a: 7, big: 7, b: 8 },
          changed: ["b"],
        });
        return [top, below];
      };
      const left = await branch("left");
      const right = await branch("right");
      for (const [name, [top, below]] of [
        ["left", left],
        ["right", right],
      ] as const) {
        expect(await valuesOf(saver, "t", top)).toEqual({ a: name, big: large(name) });
        expect(await valuesOf(saver, "t", below)).toEqual({ a: name, big: large(name), b: 1 });
      }
      expect(await valuesOf(saver, "t", root)).toEqual({ a: "root", big: large("root") });
    });

    it("a fork carries the value of its own parent, not of the newest checkpoint", async () => {
      const saver = savers();
      const root = await putOne(saver, "t", { values: { a: "old" }, versions: { a: 1 } });
      await putOne(saver, "t", { parent: root, values: { a: "new" }, versions: { a: 2 } });
      const fork = await putOne(saver, "t", {
        parent: root,
        values: { a: "old", b: 1 },
        versions: { a: 1, b: 2 },
        changed: ["b"],
      });
      expect(await valuesOf(saver, "t", fork)).toEqual({ a: "old", b: 1 });
    });

    it("namespaces and threads with colliding versions and ids keep each their own value", async () => {
      const saver = savers();
      const [parent, id] = [newId(), newId()];
      const places = ["t", "u"].flatMap((thread) =>
        ["", "n"].map((namespace) => ({ thread, namespace, mark: `${thread}${namespace}` })),
      );
      for (const { thread, namespace, mark } of places) {
        await putOne(saver, thread, { id: parent, namespace, values: { a: large(mark) } });
      }
      for (const { thread, namespace } of places) {
        await putOne(saver, thread, { id, namespace, parent, values: { a: "ignored" }, changed: [] });
      }
      for (const { thread, namespace, mark } of places) {
        expect(await valuesOf(saver, thread, id, namespace)).toEqual({ a: large(mark) });
      }
    });

    it("a parent that is named but not stored: the value that was passed is stored", async () => {
      const saver = savers();
      const id = await putOne(saver, "t", {
        parent: newId(),
        values: { a: 1, kept: large("passed") },
        changed: ["a"],
      });
      expect(await valuesOf(saver, "t", id)).toEqual({ a: 1, kept: large("passed") });
    });

    it("a parent that is stored in another namespace or thread only is not stored", async () => {
      const saver = savers();
      const parent = newId();
      await putOne(saver, "t", { id: parent, namespace: "n", values: { a: "elsewhere" } });
      await putOne(saver, "u", { id: parent, values: { a: "elsewhere" } });
      const id = await putOne(saver, "t", { parent, values: { a: "passed" }, changed: [] });
      expect(await valuesOf(saver, "t", id)).toEqual({ a: "passed" });
    });

    it("a parent of which only writes are stored is not stored", async () => {
      const saver = savers();
      const parent = newId();
      await saver.putWrites(configOf("t", parent), [["a", "written"]], "task");
      const id = await putOne(saver, "t", { parent, values: { a: "passed" }, changed: [] });
      expect(await valuesOf(saver, "t", id)).toEqual({ a: "passed" });
    });

    it("no parent, versioned and not in newVersions: not stored", async () => {
      const saver = savers();
      const id = await putOne(saver, "t", { values: { a: 1, b: 2 }, changed: ["a"] });
      const { checkpoint } = await getOne(saver, "t", id);
      expect(Object.entries(checkpoint.channel_values)).toEqual([["a", 1]]);
      expect(checkpoint.channel_versions).toEqual({ a: 1, b: 1 });
    });

    it("no parent and no version: the value is stored", async () => {
      const saver = savers();
      const id = await putOne(saver, "t", { values: { a: 1 }, versions: {} });
      expect(await valuesOf(saver, "t", id)).toEqual({ a: 1 });
    });

    it("channels that have a version and no value stay absent", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t", {
        values: { a: 1, gone: 1 },
        versions: { a: 1, gone: 1, never: 1 },
      });
      const child = await putOne(saver, "t", {
        parent,
        values: { a: 1 },
        versions: { a: 1, gone: 2, never: 1 },
        changed: ["gone"],
      });
      for (const tuple of [await getOne(saver, "t", child), (await listAll(saver, configOf("t")))[0]!]) {
        expect(Object.entries(tuple.checkpoint.channel_values)).toEqual([["a", 1]]);
        expect(tuple.checkpoint.channel_versions).toEqual({ a: 1, gone: 2, never: 1 });
      }
      expect(Object.keys(await valuesOf(saver, "t", parent)).toSorted()).toEqual(["a", "gone"]);
    });

    it("a channel that the child no longer names is absent", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t", { values: { a: 1, dropped: 2 } });
      const child = await putOne(saver, "t", { parent, values: { a: 1 }, changed: [] });
      expect(Object.entries(await valuesOf(saver, "t", child))).toEqual([["a", 1]]);
    });

    it("string versions carry values as numbers do", async () => {
      const saver = savers();
      const [v1, v2] = ["00000000000000000000000000000001.0.5", "00000000000000000000000000000002.0.7"];
      const parent = await putOne(saver, "t", { values: { a: "kept", b: 1 }, versions: { a: v1, b: v1 } });
      const child = await putOne(saver, "t", {
        parent,
        values: { a: "ignored", b: 2 },
        versions: { a: v1, b: v2 },
        changed: ["b"],
      });
      const { checkpoint } = await getOne(saver, "t", child);
      expect(checkpoint.channel_values).toEqual({ a: "kept", b: 2 });
      expect(checkpoint.channel_versions).toEqual({ a: v1, b: v2 });
    });

    it("null, undefined, zero and the empty string are values, not absence", async () => {
      const saver = savers();
      const values = { nothing: null, undef: undefined, zero: 0, empty: "", no: false };
      const parent = await putOne(saver, "t", { values });
      const child = checkpointOf({ ...values });
      await saver.put(configOf("t", parent), child, metadataOf(), {});
      for (const id of [parent, child.id]) {
        const stored = await valuesOf(saver, "t", id);
        expect(new Map(Object.entries(stored))).toStrictEqual(new Map(Object.entries(values)));
      }
    });
  });
}
