import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
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
  writesOf,
  type Savers,
} from "./support.js";

const fresh = () => ({
  list: [1, { deep: "x" }],
  bytes: new Uint8Array([1, 2, 3]),
  big: { text: "b".repeat(20_000), rows: [{ a: 1 }] },
  map: new Map([["k", { a: 1 }]]),
  when: new Date(1),
});

/** Spoils everything inside a value that can be spoilt. */
function spoil(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(99);
  else if (value instanceof Date) value.setTime(99);
  else if (value instanceof Map) {
    for (const each of value.values()) spoil(each);
    value.set("spoilt", true);
  } else if (Array.isArray(value)) {
    value.forEach(spoil);
    value.push("spoilt");
  } else if (typeof value === "object" && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      if (typeof each === "object") spoil(each);
      else (value as Record<string, unknown>)[key] = "spoilt";
    }
    (value as Record<string, unknown>)["spoilt"] = true;
  }
}

/** Values are live references: nothing is shared between the caller and what is stored, in either direction. */
export function sharingContract(savers: Savers): void {
  describe("sharing", () => {
    const stored = async (): Promise<string> => {
      const parent = await putOne(savers(), "t", { values: fresh() });
      const id = await putOne(savers(), "t", {
        parent,
        values: fresh(),
        changed: [],
        metadata: { nested: { a: [1] } },
      });
      await savers().putWrites(configOf("t", id), [["w", fresh()]], "k");
      return id;
    };

    it("put: what the caller does to its values after the call changes nothing", async () => {
      const saver = savers();
      const checkpoint = checkpointOf(fresh(), { versions_seen: { node: { list: 1 } } });
      const untouched = checkpointOf(fresh(), { id: checkpoint.id, versions_seen: { node: { list: 1 } } });
      const metadata = metadataOf({ nested: { a: [1] } });
      const newVersions = { ...checkpoint.channel_versions };
      const config = configOf("t", newId());
      const putting = saver.put(config, checkpoint, metadata, newVersions);
      for (const each of [
        checkpoint.channel_values,
        checkpoint.versions_seen,
        checkpoint.channel_versions,
        metadata,
        newVersions,
        config.configurable,
      ])
        spoil(each);
      Object.assign(checkpoint, { id: "spoilt", ts: "spoilt", v: 1 });
      await putting;
      const tuple = await getOne(saver, "t", untouched.id);
      expect(tuple.checkpoint).toEqual(untouched);
      expect(tuple.metadata).toEqual(metadataOf({ nested: { a: [1] } }));
    });

    it("put: also for a channel that is carried, when its parent turns out not to be stored", async () => {
      const saver = savers();
      const values = fresh();
      const checkpoint = checkpointOf(values);
      const putting = saver.put(configOf("t", newId()), checkpoint, metadataOf(), {});
      spoil(values);
      await putting;
      expect(await valuesOf(saver, "t", checkpoint.id)).toEqual(fresh());
    });

    it("put: a running graph mutates its state while puts are under way", async () => {
      const saver = savers();
      const state = { log: [] as number[] };
      const puts: Promise<string>[] = [];
      const ids = Array.from({ length: 20 }, newId);
      for (const [at, id] of ids.entries()) {
        state.log.push(at);
        puts.push(putOne(saver, "t", { id, values: { state }, versions: { state: at + 1 } }));
      }
      await Promise.all(puts);
      for (const [at, id] of ids.entries()) {
        expect(await valuesOf(saver, "t", id)).toEqual({
          state: { log: ids.map((_, each) => each).slice(0, at + 1) },
        });
      }
    });

    it("putWrites: what the caller does to its writes after the call changes nothing", async () => {
      const saver = savers();
      const id = await putOne(saver, "t");
      const writes: [string, unknown][] = [
        ["a", fresh()],
        ["b", 1],
      ];
      const config = configOf("t", id);
      const putting = saver.putWrites(config, writes, "k");
      spoil(writes[0]![1]);
      writes[1]![0] = "spoilt";
      writes.push(["spoilt", 1]);
      spoil(config.configurable);
      await putting;
      expect(await writesOf(saver, "t", id)).toEqual([
        ["k", "a", fresh()],
        ["k", "b", 1],
      ]);
    });

    it("put and putWrites leave the caller's objects as they were", async () => {
      const saver = savers();
      const checkpoint = checkpointOf(fresh());
      const writes: [string, unknown][] = [["a", fresh()]];
      await saver.put(Object.freeze(configOf("t")), checkpoint, metadataOf(), { list: 1 });
      await saver.putWrites(configOf("t", checkpoint.id), writes, "k");
      expect(checkpoint).toEqual(checkpointOf(fresh(), { id: checkpoint.id }));
      expect(writes).toEqual([["a", fresh()]]);
    });

    it("getTuple: the caller mutates what it gets", async () => {
      const id = await stored();
      const before = await getOne(savers(), "t", id);
      for (const _ of [1, 2]) {
        const tuple = await getOne(savers(), "t", id);
        spoil(tuple);
        expect(await getOne(savers(), "t", id)).toEqual(before);
        expect((await listAll(savers(), configOf("t")))[0]).toEqual(before);
      }
      expect(before.checkpoint.channel_values).toEqual(fresh());
    });

    it("getTuple: nothing is shared between checkpoints that carry one value", async () => {
      const id = await stored();
      const tuple = await getOne(savers(), "t", id);
      const parentId = tuple.parentConfig?.configurable?.["checkpoint_id"] as string;
      spoil(tuple.checkpoint.channel_values);
      expect(await valuesOf(savers(), "t", parentId)).toEqual(fresh());
    });

    it("list: the caller mutates what it gets, while the list goes on", async () => {
      await stored();
      const before = await listAll(savers(), configOf("t"));
      const seen: CheckpointTuple[] = [];
      for await (const tuple of savers().list(configOf("t"))) {
        seen.push(structuredClone(tuple));
        spoil(tuple);
      }
      expect(seen).toEqual(before);
      expect(await listAll(savers(), configOf("t"))).toEqual(before);
    });

    it("getDeltaChannelHistory: the caller mutates what it gets", async () => {
      const parent = await stored();
      const id = await putOne(savers(), "t", { parent, versions: { list: 2, w: 2 } });
      const ask = () =>
        savers().getDeltaChannelHistory({ config: configOf("t", id), channels: ["big", "w"] });
      const before = await ask();
      spoil(await ask());
      expect(await ask()).toEqual(before);
      expect(before["big"]?.seed).toEqual(fresh().big);
      expect(before["w"]?.writes).toEqual([["k", "w", fresh()]]);
    });
  });
}
