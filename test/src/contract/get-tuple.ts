import { Send } from "@langchain/langgraph";
import { TASKS } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import {
  checkpointOf,
  configOf,
  getOne,
  listAll,
  metadataOf,
  newId,
  putOne,
  threeKeys,
  type ContractSubject,
  type Savers,
} from "./support.js";

export function getTupleContract(savers: Savers, subject: ContractSubject): void {
  describe("getTuple", () => {
    it("latest is the greatest checkpoint_id, not the last written", async () => {
      const saver = savers();
      const [first, second, third] = [newId(), newId(), newId()];
      for (const id of [second, third, first]) await putOne(saver, "t", { id });
      expect((await getOne(saver, "t")).config).toEqual(threeKeys("t", third));
      await putOne(saver, "t", { id: first });
      expect((await getOne(saver, "t")).checkpoint.id).toBe(third);
    });

    it("the greatest checkpoint_id is by code unit, not by a locale's order", async () => {
      const saver = savers();
      for (const id of ["a", "B", "10", "9", "_"]) await putOne(saver, "t", { id });
      expect((await getOne(saver, "t")).checkpoint.id).toBe("a");
    });

    it("latest is of that exact namespace", async () => {
      const saver = savers();
      const root = await putOne(saver, "t");
      const child = await putOne(saver, "t", { namespace: "n:1" });
      await putOne(saver, "t", { namespace: "n:1|m:2" });
      await putOne(saver, "u", { namespace: "n:1" });
      expect((await getOne(saver, "t")).checkpoint.id).toBe(root);
      expect((await getOne(saver, "t", undefined, "n:1")).checkpoint.id).toBe(child);
    });

    it("unknown thread, namespace or id: undefined", async () => {
      const saver = savers();
      expect(await saver.getTuple(configOf("t"))).toBeUndefined();
      const id = await putOne(saver, "t");
      for (const config of [
        configOf("u"),
        configOf("u", id),
        configOf("t", newId()),
        configOf("t", id, "n"),
        configOf("t", undefined, "n"),
      ]) {
        expect(await saver.getTuple(config)).toBeUndefined();
      }
    });

    it("returned configs have exactly the three keys", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t", { namespace: "n" });
      const id = await putOne(saver, "t", { namespace: "n", parent });
      const crowded = {
        tags: ["x"],
        configurable: {
          thread_id: "t",
          checkpoint_ns: "n",
          checkpoint_id: id,
          other: 1,
          __pregel_read: () => 1,
        },
      };
      for (const tuple of [
        await saver.getTuple(crowded),
        await saver.getTuple(configOf("t", undefined, "n")),
      ]) {
        expect(tuple?.config).toStrictEqual(threeKeys("t", id, "n"));
        expect(tuple?.parentConfig).toStrictEqual(threeKeys("t", parent, "n"));
      }
    });

    it("get returns the checkpoint of the tuple", async () => {
      const saver = savers();
      const id = await putOne(saver, "t", { values: { a: 1 } });
      expect(await saver.get(configOf("t"))).toEqual((await getOne(saver, "t", id)).checkpoint);
      expect(await saver.get(configOf("u"))).toBeUndefined();
    });

    it("a put that has resolved is seen by the next read, latest and by id", async () => {
      const saver = savers();
      let parent: string | undefined;
      for (let step = 0; step < 20; step += 1) {
        parent = await putOne(saver, "t", {
          values: { step },
          versions: { step: step + 1 },
          ...(parent === undefined ? {} : { parent }),
        });
        expect((await getOne(saver, "t")).checkpoint.channel_values).toEqual({ step });
        expect((await getOne(saver, "t", parent)).checkpoint.channel_values).toEqual({ step });
      }
    });

    it("v < 4 with a parent: pending sends are the parent's TASKS writes in (task, idx) order, at the greatest version", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t", { values: { a: 1 }, v: 3 });
      const send = (node: string) => new Send(node, { from: node });
      await saver.putWrites(
        configOf("t", parent),
        [
          [TASKS, send("b0")],
          ["a", "no send"],
          [TASKS, send("b2")],
        ],
        "b",
      );
      await saver.putWrites(
        configOf("t", parent),
        Array.from({ length: 11 }, (_, at): [string, unknown] => [TASKS, send(`a${at}`)]),
        "a",
      );
      const versions = { a: 2, b: 7, c: 3 };
      for (const v of [1, 2, 3]) {
        const child = checkpointOf({ a: 2 }, { v, channel_versions: versions });
        await saver.put(configOf("t", parent), child, metadataOf(), versions);
        await saver.putWrites(configOf("t", child.id), [[TASKS, send("of the child")]], "a");
        const nodes = [...Array.from({ length: 11 }, (_, at) => `a${at}`), "b0", "b2"];
        for (const tuple of [
          await getOne(saver, "t", child.id),
          await getOne(saver, "t"),
          (await listAll(saver, configOf("t")))[0]!,
        ]) {
          expect(tuple.checkpoint.channel_values["a"]).toBe(2);
          expect(
            (tuple.checkpoint.channel_values[TASKS] as Send[]).map((each) => [each.node, each.args]),
          ).toEqual(nodes.map((node) => [node, { from: node }]));
          expect(tuple.checkpoint.channel_versions).toEqual({ ...versions, [TASKS]: 7 });
        }
      }
    });

    it("v < 4: the greatest of string versions", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t", { v: 3 });
      await saver.putWrites(configOf("t", parent), [[TASKS, "x"]], "k");
      const versions = { a: "0000000002.0.9", b: "0000000010.0.1" };
      const child = await putOne(saver, "t", { parent, v: 3, versions, values: { a: 1, b: 1 } });
      expect((await getOne(saver, "t", child)).checkpoint.channel_versions[TASKS]).toBe(versions.b);
    });

    it("v < 4: sends come from that parent only, and a child without a parent has none", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t", { v: 3 });
      await putOne(saver, "t", { id: parent, namespace: "n", v: 3 });
      await saver.putWrites(configOf("t", parent, "n"), [[TASKS, "elsewhere"]], "k");
      await saver.putWrites(configOf("t", parent), [[TASKS, "here"]], "k");
      const child = await putOne(saver, "t", { parent, v: 3, values: { a: 1 } });
      expect((await getOne(saver, "t", child)).checkpoint.channel_values).toEqual({
        a: 1,
        [TASKS]: ["here"],
      });
      const orphan = await putOne(saver, "t", { v: 3, values: { a: 1 } });
      expect((await getOne(saver, "t", orphan)).checkpoint.channel_values).toEqual({ a: 1 });
    });

    it("v 4: the parent's TASKS writes are not filled in", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t");
      await saver.putWrites(configOf("t", parent), [[TASKS, "x"]], "k");
      const child = await putOne(saver, "t", { parent, values: { a: 1 } });
      const { checkpoint } = await getOne(saver, "t", child);
      expect(checkpoint.channel_values).toEqual({ a: 1 });
      expect(checkpoint.channel_versions).toEqual({ a: 1 });
    });

    if (subject.reopen !== undefined) {
      it("latest follows what another saver over the same data has put", async () => {
        const saver = savers();
        const first = await putOne(saver, "t");
        expect((await getOne(saver, "t")).checkpoint.id).toBe(first);
        const second = await putOne(await savers.reopen(), "t", { parent: first });
        expect((await getOne(saver, "t")).checkpoint.id).toBe(second);
      });
    }
  });
}
