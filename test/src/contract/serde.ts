import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import {
  checkpointOf,
  configOf,
  listAll,
  listIds,
  metadataOf,
  newId,
  putOne,
  refusal,
  valuesOf,
  writesOf,
  type ContractSubject,
  type Savers,
} from "./support.js";

const laterTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Serialises as soon as it is called, answers turns later, and counts; it can be told to fail. */
class RecordingSerde implements SerializerProtocol {
  dumps = 0;
  loads = 0;
  failOn: "dumps" | "loads" | undefined;

  async dumpsTyped(data: unknown): Promise<[string, Uint8Array]> {
    this.dumps += 1;
    const text = JSON.stringify({ wrapped: data });
    await laterTurn();
    if (this.failOn === "dumps") throw new Error("the serializer failed");
    return ["test-type", new TextEncoder().encode(text)];
  }

  async loadsTyped(type: string, data: Uint8Array | string): Promise<unknown> {
    this.loads += 1;
    await laterTurn();
    if (this.failOn === "loads") throw new Error("the serializer failed");
    if (type !== "test-type") throw new Error(`not written by this serializer: ${type}`);
    const text = typeof data === "string" ? data : new TextDecoder().decode(data);
    return (JSON.parse(text) as { wrapped: unknown }).wrapped;
  }
}

/** Rules that only a serializer of the test's own can show. */
export function serdeContract(savers: Savers, subject: ContractSubject): void {
  if (subject.createWith === undefined) return;

  describe("custom serde", () => {
    it("its values, types and bytes come back through it", async () => {
      const serde = new RecordingSerde();
      const saver = await savers.createWith({ serde });
      const values = { small: { a: [1, null] }, big: "b".repeat(50_000) };
      const parent = await putOne(saver, "t", { values });
      const child = await putOne(saver, "t", { parent, values, changed: [], metadata: { extra: { a: 1 } } });
      await saver.putWrites(configOf("t", child), [["w", values]], "k");
      expect(serde.dumps).toBeGreaterThan(0);
      expect(await valuesOf(saver, "t", child)).toEqual(values);
      expect(await writesOf(saver, "t", child)).toEqual([["k", "w", values]]);
      expect((await listAll(saver, configOf("t")))[0]?.metadata).toEqual(metadataOf({ extra: { a: 1 } }));
      expect(serde.loads).toBeGreaterThan(0);
    });

    it("put starts all calls of the serializer before its first await", async () => {
      const serde = new RecordingSerde();
      const saver = await savers.createWith({ serde });
      const parent = await putOne(saver, "t", { values: { a: 1, kept: [1] } });
      const checkpoint = checkpointOf(
        { a: { n: [1] }, b: { n: [2] }, kept: [1] },
        { channel_versions: { a: 2, b: 2, kept: 1 } },
      );
      serde.dumps = 0;
      const putting = saver.put(configOf("t", parent), checkpoint, metadataOf({ m: { n: [3] } }), {
        a: 2,
        b: 2,
      });
      const startedAtOnce = serde.dumps;
      (checkpoint.channel_values["a"] as { n: number[] }).n.push(99);
      (checkpoint.channel_values["b"] as { n: number[] }).n.push(99);
      await putting;
      expect(startedAtOnce).toBeGreaterThanOrEqual(2);
      expect(serde.dumps).toBe(startedAtOnce);
      expect(await valuesOf(saver, "t", checkpoint.id)).toEqual({ a: { n: [1] }, b: { n: [2] }, kept: [1] });
    });

    it("put starts the call for a carried channel too: its parent may turn out not to be stored", async () => {
      const serde = new RecordingSerde();
      const saver = await savers.createWith({ serde });
      const checkpoint = checkpointOf({ kept: { n: [1] } });
      const putting = saver.put(configOf("t", newId()), checkpoint, metadataOf(), {});
      const startedAtOnce = serde.dumps;
      (checkpoint.channel_values["kept"] as { n: number[] }).n.push(99);
      await putting;
      expect(serde.dumps).toBe(startedAtOnce);
      expect(await valuesOf(saver, "t", checkpoint.id)).toEqual({ kept: { n: [1] } });
    });

    it("putWrites starts all calls of the serializer before its first await", async () => {
      const serde = new RecordingSerde();
      const saver = await savers.createWith({ serde });
      const id = await putOne(saver, "t");
      const lists = [[1], [2], [3]];
      serde.dumps = 0;
      const putting = saver.putWrites(
        configOf("t", id),
        lists.map((list) => ["w", list]),
        "k",
      );
      const startedAtOnce = serde.dumps;
      for (const list of lists) list.push(99);
      await putting;
      expect(startedAtOnce).toBe(3);
      expect(serde.dumps).toBe(startedAtOnce);
      expect(await writesOf(saver, "t", id)).toEqual([
        ["k", "w", [1]],
        ["k", "w", [2]],
        ["k", "w", [3]],
      ]);
    });

    it("a serializer that cannot write: a refusal with its error as cause, and nothing is stored", async () => {
      const serde = new RecordingSerde();
      const saver = await savers.createWith({ serde });
      const id = await putOne(saver, "t", { values: { a: 1 } });
      serde.failOn = "dumps";
      const put = await refusal(() => putOne(saver, "t", { parent: id, values: { poisoned: 2 } }));
      const writes = await refusal(() => saver.putWrites(configOf("t", id), [["poisoned", 1]], "k"));
      for (const error of [put, writes]) expect(String(error.cause)).toContain("the serializer failed");
      serde.failOn = undefined;
      expect(await listIds(saver, {})).toEqual([id]);
      expect(await writesOf(saver, "t", id)).toEqual([]);
    });

    it("a stored checkpoint that cannot be read is an error that names it, never undefined", async () => {
      const serde = new RecordingSerde();
      const saver = await savers.createWith({ serde });
      const id = await putOne(saver, "the-thread", { values: { a: "x".repeat(5000) } });
      serde.failOn = "loads";
      for (const read of [
        () => saver.getTuple(configOf("the-thread", id)),
        () => saver.getTuple(configOf("the-thread")),
        () => listAll(saver, {}),
      ]) {
        const error = await refusal(read);
        expect(error.message).toContain("the-thread");
        expect(error.message).toContain(id);
        expect(String(error.cause)).toContain("the serializer failed");
      }
      serde.failOn = undefined;
      expect(await valuesOf(saver, "the-thread", id)).toEqual({ a: "x".repeat(5000) });
    });

    it(
      "list streams: the first tuple of a long history does not wait for the last",
      { timeout: 120_000 },
      async () => {
        const serde = new RecordingSerde();
        const saver = await savers.createWith({ serde });
        for (let step = 0; step < 400; step += 1) await putOne(saver, "t", { values: { step } });
        serde.loads = 0;
        const tuples = saver.list(configOf("t"));
        expect((await tuples.next()).done).toBe(false);
        const first = serde.loads;
        for await (const _ of tuples);
        expect(serde.loads).toBeGreaterThanOrEqual(400);
        expect(first).toBeLessThan(serde.loads / 2);
      },
    );
  });
}
