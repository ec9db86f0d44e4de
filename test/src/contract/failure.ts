import { describe, expect, it } from "vitest";

import {
  checkpointOf,
  configOf,
  getOne,
  listIds,
  metadataOf,
  newId,
  putOne,
  refusal,
  settle,
  valuesOf,
  writesOf,
  type ContractSubject,
  type Savers,
} from "./support.js";

export function failureContract(savers: Savers, subject: ContractSubject): void {
  describe("failure", () => {
    it("the code of an error is stable: the same mistake has the same code", async () => {
      const saver = savers();
      const mistakes = [
        () => saver.put({}, checkpointOf(), metadataOf(), {}),
        () => saver.getTuple(configOf({ $gt: "" })),
        () => saver.deleteThread([] as unknown as string),
        () => putOne(saver, "t", { values: { f: () => 1 } }),
      ];
      for (const mistake of mistakes)
        expect((await refusal(mistake)).code).toBe((await refusal(mistake)).code);
    });

    it("the message says where: the method's mistake is named, not a driver's", async () => {
      expect(
        (await refusal(() => savers().put(configOf(["t"]), checkpointOf(), metadataOf(), {}))).message,
      ).toContain("thread_id");
      expect((await refusal(() => savers().getTuple(configOf("t", {})))).message).toContain("checkpoint_id");
      expect((await refusal(() => savers().getTuple(configOf("t", "x", {})))).message).toContain(
        "checkpoint_ns",
      );
    });

    it("put and putWrites never throw at once: a refusal is a rejected promise", async () => {
      const saver = savers();
      const calls = [
        () => saver.put({}, checkpointOf(), metadataOf(), {}),
        () => saver.put(configOf("t"), checkpointOf({ f: () => 1 }), metadataOf(), { f: 1 }),
        () => saver.putWrites(configOf("t"), [["a", 1]], "k"),
        () => saver.putWrites(configOf("t", newId()), [["a", () => 1]], "k"),
        () => saver.getTuple(configOf([])),
        () => saver.deleteThread({} as unknown as string),
      ];
      for (const call of calls) {
        const promise = call();
        expect(promise).toBeInstanceOf(Promise);
        await refusal(() => promise);
      }
    });

    it("an error carries no stored values", async () => {
      const secret = "s3cr3t-value";
      const error = await refusal(() =>
        putOne(savers(), "t", { values: { poisoned: { secret, f: () => secret } }, metadata: { secret } }),
      );
      expect(error.message).not.toContain(secret);
      expect(JSON.stringify(error)).not.toContain(secret);
    });

    it("a refused put leaves what was there, and the saver works on", async () => {
      const saver = savers();
      const id = await putOne(saver, "t", { values: { a: 1 } });
      await refusal(() => putOne(saver, "t", { id, values: { a: 2, f: () => 1 } }));
      expect(await valuesOf(saver, "t", id)).toEqual({ a: 1 });
      await putOne(saver, "t", { id, values: { a: 3 } });
      expect(await valuesOf(saver, "t", id)).toEqual({ a: 3 });
    });

    it("a refused batch leaves the task's earlier writes", async () => {
      const saver = savers();
      const id = await putOne(saver, "t");
      await saver.putWrites(configOf("t", id), [["a", 1]], "k");
      await refusal(() =>
        saver.putWrites(
          configOf("t", id),
          [
            ["a", 2],
            ["b", () => 1],
          ],
          "k",
        ),
      );
      expect(await writesOf(saver, "t", id)).toEqual([["k", "a", 1]]);
    });

    it("a refused put does not touch the ones beside it", async () => {
      const saver = savers();
      const ids = Array.from({ length: 9 }, newId);
      const outcomes = await Promise.all(
        ids.map((id, at) =>
          settle(() => putOne(saver, "t", { id, values: { at, f: at === 4 ? () => 1 : "fine" } })),
        ),
      );
      expect(outcomes.map(({ error }) => error !== undefined)).toEqual(ids.map((_, at) => at === 4));
      expect(await listIds(saver, configOf("t"))).toEqual(ids.filter((_, at) => at !== 4).toReversed());
    });

    if (subject.reopen !== undefined) {
      it("a refusal is refused for other savers too: nothing of it can be read elsewhere", async () => {
        const saver = savers();
        const id = await putOne(saver, "t", { values: { a: 1 } });
        await refusal(() =>
          putOne(saver, "t", { parent: id, values: { a: "x".repeat(20_000), f: () => 1 } }),
        );
        const other = await savers.reopen();
        expect(await listIds(other, {})).toEqual([id]);
        expect((await getOne(other, "t")).checkpoint.channel_values).toEqual({ a: 1 });
      });
    }
  });
}
