import { describe, expect, it } from "vitest";

import {
  checkpointOf,
  configOf,
  getOne,
  listAll,
  listIds,
  metadataOf,
  newId,
  putOne,
  threeKeys,
  valuesOf,
  writesOf,
  type ContractSubject,
  type Savers,
} from "./support.js";

export function putContract(savers: Savers, subject: ContractSubject): void {
  describe("put", () => {
    it("the checkpoint_id of the config is the parent; the key is checkpoint.id", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t");
      const child = await putOne(saver, "t", { parent });
      const tuple = await getOne(saver, "t", child);
      expect(tuple.checkpoint.id).toBe(child);
      expect(tuple.parentConfig).toEqual(threeKeys("t", parent));
      expect((await getOne(saver, "t", parent)).parentConfig).toBeUndefined();
    });

    it("returns exactly the three keys", async () => {
      const checkpoint = checkpointOf({ a: 1 });
      const config = { ...configOf("t", newId(), "n"), tags: ["x"], metadata: { run_id: "r" } };
      const returned = await savers().put(config, checkpoint, metadataOf(), { a: 1 });
      expect(returned).toStrictEqual(threeKeys("t", checkpoint.id, "n"));
    });

    it("stores the whole skeleton: v, id, ts, channel_versions, versions_seen", async () => {
      const saver = savers();
      const checkpoint = checkpointOf(
        { a: "x", b: [1] },
        {
          channel_versions: { a: 3, b: "00000000000000000000000000000007.0.42", c: 2.5 },
          versions_seen: { __input__: {}, node: { a: 2, b: "00000000000000000000000000000006.0.1" } },
        },
      );
      await saver.put(configOf("t"), checkpoint, metadataOf(), checkpoint.channel_versions);
      expect((await getOne(saver, "t")).checkpoint).toEqual(checkpoint);
    });

    it("a checkpoint without channels is a checkpoint", async () => {
      const id = await putOne(savers(), "t");
      expect((await getOne(savers(), "t", id)).checkpoint).toEqual(checkpointOf({}, { id }));
    });

    it("the same put twice is one checkpoint", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t");
      const id = newId();
      for (const _ of [1, 2]) await putOne(saver, "t", { id, parent, values: { a: 1 } });
      expect(await listIds(saver, configOf("t"))).toEqual([id, parent]);
      const tuple = await getOne(saver, "t", id);
      expect(tuple.checkpoint.channel_values).toEqual({ a: 1 });
      expect(tuple.parentConfig).toEqual(threeKeys("t", parent));
    });

    it("the same put many times at once is one checkpoint", async () => {
      const saver = savers();
      const id = newId();
      await Promise.all(
        Array.from({ length: 10 }, () => putOne(saver, "t", { id, values: { a: "x".repeat(5000) } })),
      );
      expect(await listIds(saver, configOf("t"))).toEqual([id]);
      expect(await valuesOf(saver, "t", id)).toEqual({ a: "x".repeat(5000) });
    });

    it("a later put of the same id replaces values and metadata", async () => {
      const saver = savers();
      const id = await putOne(saver, "t", { values: { a: 1, b: 2 }, metadata: { mark: "old" } });
      await putOne(saver, "t", { id, values: { a: "new" }, metadata: { mark: "new" } });
      const tuple = await getOne(saver, "t", id);
      expect(tuple.checkpoint.channel_values).toEqual({ a: "new" });
      expect(tuple.metadata).toMatchObject({ mark: "new" });
    });

    it("a repeated put keeps the writes already stored", async () => {
      const saver = savers();
      const id = await putOne(saver, "t");
      await saver.putWrites(configOf("t", id), [["a", 1]], "task");
      await putOne(saver, "t", { id });
      expect(await writesOf(saver, "t", id)).toEqual([["task", "a", 1]]);
    });

    it("a put whose parent id equals its own id keeps the parent it had", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t");
      const id = await putOne(saver, "t", { parent, values: { a: 1 } });
      await putOne(saver, "t", { id, parent: id, values: { a: 2 }, versions: { a: 2 } });
      const tuple = await getOne(saver, "t", id);
      expect(tuple.parentConfig).toEqual(threeKeys("t", parent));
      expect(tuple.checkpoint.channel_values).toEqual({ a: 2 });
    });

    it("a put whose parent id equals its own id keeps the values that did not change", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t", { values: { kept: "value", b: 1 } });
      const id = await putOne(saver, "t", {
        parent,
        values: { kept: "value", b: 2 },
        versions: { kept: 1, b: 2 },
        changed: ["b"],
      });
      await putOne(saver, "t", {
        id,
        parent: id,
        values: { kept: "value", b: 3 },
        versions: { kept: 1, b: 3 },
        changed: ["b"],
      });
      await putOne(saver, "t", {
        id,
        parent: id,
        values: { kept: "value", b: 3 },
        versions: { kept: 1, b: 3 },
        changed: [],
      });
      expect(await valuesOf(saver, "t", id)).toEqual({ kept: "value", b: 3 });
    });

    it("a first put whose parent id equals its own id has no parent, and its values", async () => {
      const saver = savers();
      const id = newId();
      await putOne(saver, "t", { id, parent: id, values: { a: 1, b: 2 }, changed: ["a"] });
      const tuple = await getOne(saver, "t", id);
      expect(tuple.parentConfig).toBeUndefined();
      expect(tuple.checkpoint.channel_values).toEqual({ a: 1, b: 2 });
      expect((await listAll(saver, configOf("t")))[0]?.parentConfig).toBeUndefined();
    });

    it("reads the three keys of a whole RunnableConfig and serialises nothing else of it", async () => {
      const saver = savers();
      const cycle: Record<string, unknown> = { big: 1n };
      cycle["self"] = cycle;
      const hostile = {
        toJSON: () => {
          throw new Error("must not be serialised");
        },
      };
      const config = {
        callbacks: [{ handleLLMStart: () => undefined, cycle }],
        signal: new AbortController().signal,
        store: hostile,
        configurable: {
          thread_id: "t",
          checkpoint_ns: "n",
          __pregel_send: () => undefined,
          __pregel_read: () => undefined,
          __pregel_checkpointer: saver,
          __pregel_stream: cycle,
          hostile,
          secret: "do not store",
        },
      } as unknown as Parameters<typeof saver.put>[0];
      const checkpoint = checkpointOf({ a: 1 });
      const returned = await saver.put(config, checkpoint, metadataOf(), { a: 1 });
      expect(returned).toStrictEqual(threeKeys("t", checkpoint.id, "n"));
      const configurable = { ...config.configurable, checkpoint_id: checkpoint.id };
      await saver.putWrites({ ...config, configurable }, [["a", 2]], "task");
      const tuple = await saver.getTuple({ ...config, configurable });
      expect(tuple?.config).toStrictEqual(threeKeys("t", checkpoint.id, "n"));
      expect(tuple?.metadata).toEqual(metadataOf());
      expect(tuple?.pendingWrites).toEqual([["task", "a", 2]]);
    });

    it("puts at once on one thread all land, whatever their namespaces", async () => {
      const saver = savers();
      const places = Array.from({ length: 30 }, (_, at) => ({
        id: newId(),
        namespace: ["", "n:1", "n:1|m:2"][at % 3]!,
        at,
      }));
      await Promise.all(
        places.map(({ id, namespace, at }) =>
          putOne(saver, "t", { id, namespace, values: { at, same: "s".repeat(3000) } }),
        ),
      );
      expect(await listIds(saver, { configurable: { thread_id: "t" } })).toEqual(
        places.map(({ id }) => id).toReversed(),
      );
      for (const { id, namespace, at } of places) {
        expect(await valuesOf(saver, "t", id, namespace)).toEqual({ at, same: "s".repeat(3000) });
      }
    });

    it("a parent may land after its child", async () => {
      const saver = savers();
      const [parent, child] = [newId(), newId()];
      await putOne(saver, "t", {
        id: child,
        parent,
        values: { a: "child", b: "kept" },
        versions: { a: 2, b: 1 },
        changed: ["a"],
      });
      await putOne(saver, "t", { id: parent, values: { a: "parent", b: "kept" } });
      expect((await getOne(saver, "t", child)).parentConfig).toEqual(threeKeys("t", parent));
      expect(await valuesOf(saver, "t", child)).toEqual({ a: "child", b: "kept" });
      expect(await valuesOf(saver, "t", parent)).toEqual({ a: "parent", b: "kept" });
    });

    it("a parent and its child put at once both have their values", async () => {
      const saver = savers();
      const kept = "k".repeat(30_000);
      const [parent, child] = [newId(), newId()];
      await Promise.all([
        putOne(saver, "t", { id: parent, values: { a: 1, kept } }),
        putOne(saver, "t", {
          id: child,
          parent,
          values: { a: 2, kept },
          versions: { a: 2, kept: 1 },
          changed: ["a"],
        }),
      ]);
      expect(await valuesOf(saver, "t", parent)).toEqual({ a: 1, kept });
      expect(await valuesOf(saver, "t", child)).toEqual({ a: 2, kept });
    });

    if (subject.reopen !== undefined) {
      it("what is put is there for another saver over the same data, and the other way round", async () => {
        const saver = savers();
        const first = await putOne(saver, "t", { values: { a: "x".repeat(20_000) } });
        const other = await savers.reopen();
        expect(await getOne(other, "t")).toEqual(await getOne(saver, "t"));
        const versions = { a: 1, b: 1 };
        const second = await putOne(other, "t", {
          parent: first,
          values: { a: "ignored", b: 2 },
          versions,
          changed: ["b"],
        });
        await other.putWrites(configOf("t", first), [["b", 2]], "task");
        expect((await getOne(saver, "t")).checkpoint.id).toBe(second);
        expect(await valuesOf(saver, "t", second)).toEqual({ a: "x".repeat(20_000), b: 2 });
        expect(await writesOf(saver, "t", first)).toEqual([["task", "b", 2]]);
      });
    }
  });
}
