import { describe, expect, it } from "vitest";

import { configOf, getOne, listAll, listIds, newId, putOne, threeKeys, type Savers } from "./support.js";

const everyNamespace = { configurable: { thread_id: "t" } };

export function listContract(savers: Savers): void {
  describe("list", () => {
    it("newest first by checkpoint_id, not by time of writing", async () => {
      const saver = savers();
      const ids = Array.from({ length: 6 }, newId);
      for (const at of [3, 0, 5, 2, 4, 1]) await putOne(saver, "t", { id: ids[at]! });
      expect(await listIds(saver, configOf("t"))).toEqual(ids.toReversed());
    });

    it("newest first across namespaces and threads too", async () => {
      const saver = savers();
      const ids: string[] = [];
      for (let at = 0; at < 12; at += 1) {
        ids.push(await putOne(saver, ["u", "t", "s"][at % 3]!, { namespace: ["", "n", "a", "z"][at % 4]! }));
      }
      expect(await listIds(saver, {})).toEqual(ids.toReversed());
      expect(await listIds(saver, everyNamespace)).toEqual(ids.filter((_, at) => at % 3 === 1).toReversed());
      expect(await listIds(saver, {}, { limit: 5 })).toEqual(ids.toReversed().slice(0, 5));
      expect(await listIds(saver, { configurable: { checkpoint_ns: "n" } })).toEqual(
        ids.filter((_, at) => at % 4 === 1).toReversed(),
      );
    });

    it("order is by code unit, and before follows the same order", async () => {
      const saver = savers();
      for (const id of ["a", "B", "10", "9", "_", "Z"]) await putOne(saver, "t", { id });
      expect(await listIds(saver, configOf("t"))).toEqual(["a", "_", "Z", "B", "9", "10"]);
      expect(await listIds(saver, configOf("t"), { before: configOf("t", "Z") })).toEqual(["B", "9", "10"]);
      expect(await listIds(saver, configOf("t"), { before: configOf("t", "a") })).toEqual([
        "_",
        "Z",
        "B",
        "9",
        "10",
      ]);
    });

    it("unknown thread or namespace: nothing", async () => {
      await putOne(savers(), "t");
      expect(await listIds(savers(), configOf("u"))).toEqual([]);
      expect(await listIds(savers(), configOf("t", undefined, "n"))).toEqual([]);
    });

    it("a saver with no data lists nothing", async () => {
      expect(await listIds(savers(), {})).toEqual([]);
    });

    it("limit 0 yields nothing", async () => {
      await putOne(savers(), "t");
      expect(await listIds(savers(), configOf("t"), { limit: 0 })).toEqual([]);
      expect(await listIds(savers(), {}, { limit: 0 })).toEqual([]);
    });

    it("limit is an upper bound, not a demand", async () => {
      const saver = savers();
      const ids = [await putOne(saver, "t"), await putOne(saver, "t"), await putOne(saver, "t")].toReversed();
      for (const limit of [1, 2, 3, 4, 1000])
        expect(await listIds(saver, configOf("t"), { limit })).toEqual(ids.slice(0, limit));
    });

    it("limit counts matches, after the filter and before", async () => {
      const saver = savers();
      const ids: string[] = [];
      for (let step = 0; step < 30; step += 1)
        ids.push(await putOne(saver, "t", { metadata: { step, rare: step % 10 === 0 } }));
      expect(await listIds(saver, configOf("t"), { limit: 2, filter: { rare: true } })).toEqual([
        ids[20],
        ids[10],
      ]);
      expect(
        await listIds(saver, configOf("t"), {
          limit: 2,
          filter: { rare: true },
          before: configOf("t", ids[20]),
        }),
      ).toEqual([ids[10], ids[0]]);
    });

    it("config.checkpoint_id selects that one", async () => {
      const saver = savers();
      const [first, second] = [newId(), newId()];
      for (const namespace of ["", "n"])
        for (const id of [first, second]) await putOne(saver, "t", { id, namespace });
      expect((await listAll(saver, configOf("t", first))).map((each) => each.config)).toEqual([
        threeKeys("t", first),
      ]);
      const everywhere = await listAll(saver, { configurable: { thread_id: "t", checkpoint_id: first } });
      expect(everywhere.map((each) => each.config.configurable?.["checkpoint_ns"]).toSorted()).toEqual([
        "",
        "n",
      ]);
      expect(everywhere.map((each) => each.checkpoint.id)).toEqual([first, first]);
      expect(await listIds(saver, configOf("t", newId()))).toEqual([]);
      expect(await listIds(saver, configOf("t", first), { before: configOf("t", first) })).toEqual([]);
      expect(await listIds(saver, configOf("t", first), { before: configOf("t", second) })).toEqual([first]);
    });

    it("before compares ids only: its id may be of another namespace or thread", async () => {
      const saver = savers();
      const first = await putOne(saver, "t");
      const foreign = await putOne(saver, "t", { namespace: "n" });
      const second = await putOne(saver, "t");
      const elsewhere = await putOne(saver, "u");
      const third = await putOne(saver, "t");
      expect(await listIds(saver, configOf("t"), { before: configOf("t", foreign, "n") })).toEqual([first]);
      expect(
        await listIds(saver, configOf("t"), { before: { configurable: { checkpoint_id: elsewhere } } }),
      ).toEqual([second, first]);
      expect(await listIds(saver, configOf("t"), { before: configOf("u", elsewhere) })).toEqual([
        second,
        first,
      ]);
      expect(await listIds(saver, everyNamespace, { before: configOf("t", third) })).toEqual([
        second,
        foreign,
        first,
      ]);
    });

    it("before may carry an id that does not exist", async () => {
      const saver = savers();
      const first = await putOne(saver, "t");
      const never = newId();
      const second = await putOne(saver, "t");
      expect(await listIds(saver, configOf("t"), { before: configOf("t", never) })).toEqual([first]);
      expect(await listIds(saver, configOf("t"), { before: configOf("t", newId()) })).toEqual([
        second,
        first,
      ]);
      expect(await listIds(saver, configOf("t"), { before: configOf("t", "0") })).toEqual([]);
    });

    it("before without an id leaves nothing out", async () => {
      const id = await putOne(savers(), "t");
      expect(await listIds(savers(), configOf("t"), { before: configOf("t") })).toEqual([id]);
    });

    it("each tuple is as getTuple would return it: values, writes, metadata, parent", async () => {
      const saver = savers();
      let parent: string | undefined;
      for (let step = 0; step < 8; step += 1) {
        parent = await putOne(saver, "t", {
          namespace: "n",
          values: { kept: "k".repeat(9000), step },
          versions: { kept: 1, step },
          changed: step === 0 ? ["kept", "step"] : ["step"],
          metadata: { step, extra: { deep: [step] } },
          ...(parent === undefined ? {} : { parent }),
        });
        await saver.putWrites(
          configOf("t", parent, "n"),
          [
            ["step", step + 1],
            ["big", "b".repeat(5000)],
          ],
          "k",
        );
      }
      const tuples = await listAll(saver, everyNamespace);
      expect(tuples).toHaveLength(8);
      for (const tuple of tuples) {
        expect(tuple).toEqual(await saver.getTuple(tuple.config));
        expect(tuple.pendingWrites).toHaveLength(2);
        expect(tuple.checkpoint.channel_values["kept"]).toBe("k".repeat(9000));
        expect(Object.keys(tuple.config.configurable ?? {}).toSorted()).toEqual([
          "checkpoint_id",
          "checkpoint_ns",
          "thread_id",
        ]);
      }
    });

    it("a long history is listed whole and in order, page after page", { timeout: 120_000 }, async () => {
      const saver = savers();
      const ids = Array.from({ length: 450 }, newId);
      for (let from = 0; from < ids.length; from += 50) {
        await Promise.all(
          ids.slice(from, from + 50).map((id, at) => putOne(saver, "t", { id, values: { at: from + at } })),
        );
      }
      const tuples = await listAll(saver, configOf("t"));
      expect(tuples.map((tuple) => tuple.checkpoint.channel_values["at"])).toEqual(
        ids.map((_, at) => at).toReversed(),
      );
      expect(await listIds(saver, configOf("t"), { before: configOf("t", ids[300]), limit: 250 })).toEqual(
        ids.slice(50, 300).toReversed(),
      );
    });

    it("the consumer may stop early, and go on with the saver", async () => {
      const saver = savers();
      for (let step = 0; step < 20; step += 1) await putOne(saver, "t", { values: { step } });
      const seen: unknown[] = [];
      for await (const tuple of saver.list(configOf("t"))) {
        seen.push(tuple.checkpoint.channel_values["step"]);
        if (seen.length === 3) break;
      }
      expect(seen).toEqual([19, 18, 17]);
      const generator = saver.list(configOf("t"));
      expect((await generator.next()).done).toBe(false);
      expect((await generator.return(undefined)).done).toBe(true);
      expect(await generator.next()).toEqual({ done: true, value: undefined });
      await putOne(saver, "t", { values: { step: 20 } });
      expect((await getOne(saver, "t")).checkpoint.channel_values).toEqual({ step: 20 });
      await saver.deleteThread("t");
      expect(await listIds(saver, configOf("t"))).toEqual([]);
    });

    it("the consumer may use the saver between two tuples, and several lists may run at once", async () => {
      const saver = savers();
      const ids = [await putOne(saver, "t"), await putOne(saver, "t"), await putOne(saver, "t")];
      const seen: string[] = [];
      for await (const tuple of saver.list(configOf("t"))) {
        seen.push(tuple.checkpoint.id);
        expect((await getOne(saver, "t", tuple.checkpoint.id)).checkpoint.id).toBe(tuple.checkpoint.id);
        expect(await listIds(saver, configOf("t"))).toHaveLength(3);
        await saver.putWrites(configOf("t", tuple.checkpoint.id), [["a", 1]], "k");
      }
      expect(seen).toEqual(ids.toReversed());
    });
  });
}
