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
  type Savers,
} from "./support.js";

export function metadataContract(savers: Savers): void {
  describe("metadata", () => {
    it("source, step, parents and whatever else the caller adds are stored", async () => {
      const saver = savers();
      const metadata = {
        source: "update",
        step: -1,
        parents: { "": newId(), "n:1": newId() },
        counters_since_delta_snapshot: { d: [1, 2] },
        nested: { list: [1, "two", null, { three: 3 }] },
        "a.b": 1,
        $c: 2,
        "": 3,
        thread_id: "said by the caller",
        nil: null,
      };
      const id = await putOne(saver, "t", { metadata });
      expect((await getOne(saver, "t", id)).metadata).toEqual(metadata);
      expect((await listAll(saver, configOf("t")))[0]?.metadata).toEqual(metadata);
    });

    it("metadata keeps the values that JSON loses", async () => {
      const metadata = {
        when: new Date(5),
        big: 12n,
        nan: NaN,
        bytes: new Uint8Array([1, 255]),
        map: new Map([["a", new Set([1])]]),
        undef: undefined,
      };
      const id = await putOne(savers(), "t", { metadata });
      expect((await getOne(savers(), "t", id)).metadata).toStrictEqual(metadataOf(metadata));
    });

    it("the run_id of config.metadata is stored, and can be filtered by", async () => {
      const saver = savers();
      const checkpoint = checkpointOf();
      await saver.put(
        { ...configOf("t"), metadata: { run_id: "run-1", other: "not stored" } },
        checkpoint,
        metadataOf(),
        {},
      );
      await putOne(saver, "t");
      expect((await getOne(saver, "t", checkpoint.id)).metadata).toEqual({
        ...metadataOf(),
        run_id: "run-1",
      });
      expect(await listIds(saver, configOf("t"), { filter: { run_id: "run-1" } })).toEqual([checkpoint.id]);
    });

    it("without a run_id none is made up", async () => {
      const id = await putOne(savers(), "t");
      expect((await getOne(savers(), "t", id)).metadata).not.toHaveProperty("run_id");
    });

    it("the caller's metadata object is left as it was", async () => {
      const metadata = metadataOf({ nested: { a: 1 } });
      await savers().put({ ...configOf("t"), metadata: { run_id: "run-1" } }, checkpointOf(), metadata, {});
      expect(metadata).toEqual(metadataOf({ nested: { a: 1 } }));
    });

    it("__proto__, constructor and toString are ordinary metadata keys", async () => {
      const extra = JSON.parse('{"__proto__":{"polluted":1},"constructor":"c","toString":"s"}') as Record<
        string,
        unknown
      >;
      const id = await putOne(savers(), "t", { metadata: extra });
      const stored = new Map(Object.entries((await getOne(savers(), "t", id)).metadata ?? {}));
      expect(stored).toEqual(new Map(Object.entries({ ...metadataOf(), ...extra })));
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    it("large metadata is stored whole", async () => {
      const metadata = { text: "m".repeat(100_000), list: Array.from({ length: 2000 }, (_, at) => ({ at })) };
      const id = await putOne(savers(), "t", { metadata });
      expect((await getOne(savers(), "t", id)).metadata).toEqual(metadataOf(metadata));
    });
  });
}
