import { describe, expect, it } from "vitest";

import {
  configOf,
  getOne,
  listAll,
  listIds,
  newId,
  putOne,
  settle,
  valuesOf,
  writesOf,
  type ContractSubject,
  type Savers,
} from "./support.js";

export function deleteThreadContract(savers: Savers, subject: ContractSubject): void {
  describe("deleteThread", () => {
    it("removes every namespace, checkpoint and write", async () => {
      const saver = savers();
      const ids = new Map<string, string[]>();
      for (const namespace of ["", "n", "n|m"]) {
        const own = [
          await putOne(saver, "t", { namespace, values: { a: "x".repeat(20_000) } }),
          await putOne(saver, "t", { namespace }),
        ];
        for (const id of own) await saver.putWrites(configOf("t", id, namespace), [["a", 1]], "k");
        ids.set(namespace, own);
      }
      await saver.deleteThread("t");
      expect(await listIds(saver, {})).toEqual([]);
      for (const [namespace, own] of ids) {
        expect(await saver.getTuple(configOf("t", undefined, namespace))).toBeUndefined();
        for (const id of own) expect(await saver.getTuple(configOf("t", id, namespace))).toBeUndefined();
      }
    });

    it("removes writes too, also of checkpoints that never landed", async () => {
      const saver = savers();
      const [landed, never] = [newId(), newId()];
      await putOne(saver, "t", { id: landed });
      for (const id of [landed, never]) await saver.putWrites(configOf("t", id), [["a", 1]], "k");
      await saver.deleteThread("t");
      for (const id of [landed, never]) {
        await putOne(saver, "t", { id });
        expect(await writesOf(saver, "t", id)).toEqual([]);
      }
    });

    it("removes nothing of another thread, not even one whose id it prefixes", async () => {
      const saver = savers();
      const others = ["t1", "t:", "t:n", "t/n", "t.", "t\0", "T", "t ", "tt"];
      for (const thread of ["t", ...others]) {
        const id = await putOne(saver, thread, {
          namespace: "",
          values: { big: "same content ".repeat(3000) },
        });
        await saver.putWrites(configOf(thread, id), [["a", thread]], "k");
      }
      await saver.deleteThread("t");
      expect(await saver.getTuple(configOf("t"))).toBeUndefined();
      for (const thread of others) {
        const tuple = await getOne(saver, thread);
        expect(tuple.checkpoint.channel_values).toEqual({ big: "same content ".repeat(3000) });
        expect(tuple.pendingWrites).toEqual([["k", "a", thread]]);
      }
    });

    it("takes no pattern for a thread id", async () => {
      const saver = savers();
      const id = await putOne(saver, "t");
      for (const pattern of ["*", "%", "_", ".*", "t*", "?", "[t]"]) await saver.deleteThread(pattern);
      expect(await listIds(saver, {})).toEqual([id]);
    });

    it("an unknown thread is a no-op", async () => {
      const saver = savers();
      const id = await putOne(saver, "t");
      expect(await saver.deleteThread("u")).toBeUndefined();
      expect(await listIds(saver, {})).toEqual([id]);
    });

    it("is safe before set-up: as the first call of all", async () => {
      await savers().deleteThread("t");
      expect(await listIds(savers(), {})).toEqual([]);
    });

    it("is safe twice and at once", async () => {
      const saver = savers();
      for (const namespace of ["", "n"])
        await putOne(saver, "t", { namespace, values: { a: "x".repeat(9000) } });
      await Promise.all([1, 2, 3, 4].map(() => saver.deleteThread("t")));
      await saver.deleteThread("t");
      expect(await listIds(saver, {})).toEqual([]);
    });

    it("the thread id can be used again at once", async () => {
      const saver = savers();
      const big = "content that comes back ".repeat(2000);
      for (let round = 0; round < 5; round += 1) {
        const first = await putOne(saver, "t", { values: { big, round } });
        const second = await putOne(saver, "t", {
          parent: first,
          values: { big: "ignored", round },
          versions: { big: 1, round: 2 },
          changed: ["round"],
        });
        await saver.putWrites(configOf("t", second), [["a", round]], "k");
        expect(await listIds(saver, configOf("t"))).toEqual([second, first]);
        expect(await valuesOf(saver, "t")).toEqual({ big, round });
        expect(await writesOf(saver, "t", second)).toEqual([["k", "a", round]]);
        await saver.deleteThread("t");
        expect(await saver.getTuple(configOf("t"))).toBeUndefined();
      }
    });

    it("the same checkpoint can be put again, and nothing of the old one returns", async () => {
      const saver = savers();
      const id = await putOne(saver, "t", {
        parent: newId(),
        values: { a: 1, b: 2 },
        metadata: { old: true },
      });
      await saver.deleteThread("t");
      await putOne(saver, "t", { id, parent: id, values: { a: 3 } });
      const tuple = await getOne(saver, "t", id);
      expect(tuple.checkpoint.channel_values).toEqual({ a: 3 });
      expect(tuple.parentConfig).toBeUndefined();
      expect(tuple.metadata).not.toHaveProperty("old");
    });

    it("a child of a deleted parent stores the values that were passed", async () => {
      const saver = savers();
      const parent = await putOne(saver, "t", { values: { kept: "x".repeat(20_000) } });
      await saver.deleteThread("t");
      const child = await putOne(saver, "t", { parent, values: { kept: "x".repeat(20_000) }, changed: [] });
      expect(await valuesOf(saver, "t", child)).toEqual({ kept: "x".repeat(20_000) });
    });

    it("no reader sees a half-deleted checkpoint as a whole one", { timeout: 60_000 }, async () => {
      const saver = savers();
      const values = { a: "a".repeat(30_000), b: { c: [1, 2] } };
      const ids: string[] = [];
      for (let at = 0; at < 10; at += 1) {
        ids.push(await putOne(saver, "t", { values }));
        await saver.putWrites(configOf("t", ids[at]!), [["w", "w".repeat(3000)]], "k");
      }
      const whole = new Map(
        (await listAll(saver, configOf("t"))).map((tuple) => [tuple.checkpoint.id, tuple]),
      );
      let done = false;
      const deleting = saver.deleteThread("t").finally(() => (done = true));
      const seen: unknown[] = [];
      do {
        const reads = await Promise.all(ids.map((id) => settle(() => saver.getTuple(configOf("t", id)))));
        const listed = await settle(() => listAll(saver, configOf("t")));
        for (const { value, error } of [
          ...reads,
          ...((listed.value ?? []) as unknown[]).map((tuple) => ({ value: tuple, error: undefined })),
          { value: undefined, error: listed.error },
        ]) {
          if (error !== undefined) expect(typeof (error as { code?: unknown }).code).toBe("string");
          else if (value !== undefined) seen.push(value);
        }
      } while (!done);
      await deleting;
      for (const tuple of seen as { checkpoint: { id: string } }[])
        expect(tuple).toEqual(whole.get(tuple.checkpoint.id));
      expect(await listIds(saver, configOf("t"))).toEqual([]);
    });

    it("a put beside a deletion leaves a readable checkpoint or none", { timeout: 60_000 }, async () => {
      const saver = savers();
      const kept = "shared content ".repeat(2000);
      for (let round = 0; round < 10; round += 1) {
        const parent = await putOne(saver, "t", { values: { kept, round } });
        const child = newId();
        const [put] = await Promise.all([
          settle(() =>
            putOne(saver, "t", {
              id: child,
              parent,
              values: { kept, round: -round },
              versions: { kept: 1, round: 2 },
              changed: ["round"],
            }),
          ),
          saver.deleteThread("t"),
        ]);
        if (put.error !== undefined) expect(typeof (put.error as { code?: unknown }).code).toBe("string");
        const tuple = await saver.getTuple(configOf("t", child));
        if (tuple !== undefined) expect(tuple.checkpoint.channel_values).toEqual({ kept, round: -round });
        expect(await saver.getTuple(configOf("t", parent))).toBeUndefined();
        await saver.deleteThread("t");
      }
    });

    if (subject.reopen !== undefined) {
      it("another saver over the same data goes on with a deleted thread", async () => {
        const saver = savers();
        const kept = "shared content ".repeat(2000);
        const parent = await putOne(saver, "t", { values: { kept } });
        await (await savers.reopen()).deleteThread("t");
        expect(await saver.getTuple(configOf("t"))).toBeUndefined();
        const outcome = await settle(() => putOne(saver, "t", { parent, values: { kept }, changed: [] }));
        if (outcome.error !== undefined)
          expect(typeof (outcome.error as { code?: unknown }).code).toBe("string");
        else expect(await valuesOf(saver, "t")).toEqual({ kept });
      });
    }
  });
}
