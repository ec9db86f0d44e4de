import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";

import { equal, identical, check, includes } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import {
  newId,
  configOf,
  checkpointOf,
  metadataOf,
  putOne,
  valuesOf,
  writesOf,
  listAll,
  listIds,
  refusal,
} from "./calls.js";
const scenario = inGroup("serde");

const laterTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The type is checked in one scenario only: a saver that loses it would fail the others for that, and not for their rule. */
type Checks = "type" | "nothing";

/** Serialises as soon as it is called, answers turns later, and counts; it can be told to fail. */
class RecordingSerde implements SerializerProtocol {
  dumps = 0;
  loads = 0;
  failOn: "dumps" | "loads" | undefined;

  constructor(private readonly checks: Checks = "nothing") {}

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
    if (this.checks === "type" && type !== "test-type")
      throw new Error(`not written by this serializer: ${type}`);
    const text = typeof data === "string" ? data : new TextDecoder().decode(data);
    return (JSON.parse(text) as { wrapped: unknown }).wrapped;
  }
}

export const serdeScenarios: readonly Scenario[] = [
  scenario("round-trip", {
    rule: "With a serializer of the user's own, its values, types and bytes come back through it.",
    why: "Users bring one for encryption or their own classes: it would be bypassed.",
    needs: ["serde"],
    run: async ({ createWith }) => {
      const serde = new RecordingSerde("type");
      const saver = await createWith({ serde });
      const values = { small: { a: [1, null] }, big: "b".repeat(50_000) };
      const parent = await putOne(saver, "t", { values });
      const child = await putOne(saver, "t", { parent, values, changed: [], metadata: { extra: { a: 1 } } });
      await saver.putWrites(configOf("t", child), [["w", values]], "k");
      check(serde.dumps > 0, "the serializer is asked to write");
      equal(await valuesOf(saver, "t", child), values);
      equal(await writesOf(saver, "t", child), [["k", "w", values]]);
      equal((await listAll(saver, configOf("t")))[0]?.metadata, metadataOf({ extra: { a: 1 } }));
      check(serde.loads > 0, "the serializer is asked to read");
    },
  }),

  scenario("put-starts-at-once", {
    rule: "put starts all calls of the serializer before its first await.",
    why: "The graph mutates its values meanwhile: a mixture of two moments would be stored.",
    needs: ["serde"],
    run: async ({ createWith }) => {
      const serde = new RecordingSerde();
      const saver = await createWith({ serde });
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
      check(startedAtOnce >= 2, "a call for each changed channel is started before the first await");
      identical(serde.dumps, startedAtOnce);
      equal(await valuesOf(saver, "t", checkpoint.id), { a: { n: [1] }, b: { n: [2] }, kept: [1] });
    },
  }),

  scenario("carried-channel-too", {
    rule: "put starts the call for a carried channel too: its parent may turn out not to be stored.",
    why: "The value would be serialised later, when it has changed.",
    needs: ["serde"],
    run: async ({ createWith }) => {
      const serde = new RecordingSerde();
      const saver = await createWith({ serde });
      const checkpoint = checkpointOf({ kept: { n: [1] } });
      const putting = saver.put(configOf("t", newId()), checkpoint, metadataOf(), {});
      const startedAtOnce = serde.dumps;
      (checkpoint.channel_values["kept"] as { n: number[] }).n.push(99);
      await putting;
      identical(serde.dumps, startedAtOnce);
      equal(await valuesOf(saver, "t", checkpoint.id), { kept: { n: [1] } });
    },
  }),

  scenario("put-writes-starts-at-once", {
    rule: "putWrites starts all calls of the serializer before its first await.",
    why: "Results that the node goes on changing would be stored half-changed.",
    needs: ["serde"],
    run: async ({ createWith }) => {
      const serde = new RecordingSerde();
      const saver = await createWith({ serde });
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
      identical(startedAtOnce, 3);
      identical(serde.dumps, startedAtOnce);
      equal(await writesOf(saver, "t", id), [
        ["k", "w", [1]],
        ["k", "w", [2]],
        ["k", "w", [3]],
      ]);
    },
  }),

  scenario("cannot-write", {
    rule: "A serializer that cannot write: a refusal with its error as cause, and nothing is stored.",
    why: "A checkpoint without its values would be read as the thread's state.",
    needs: ["serde"],
    run: async ({ createWith }) => {
      const serde = new RecordingSerde();
      const saver = await createWith({ serde });
      const id = await putOne(saver, "t", { values: { a: 1 } });
      serde.failOn = "dumps";
      const put = await refusal(() => putOne(saver, "t", { parent: id, values: { poisoned: 2 } }));
      const writes = await refusal(() => saver.putWrites(configOf("t", id), [["poisoned", 1]], "k"));
      for (const error of [put, writes])
        includes(String(error.cause), "the serializer failed", "the cause of the error");
      serde.failOn = undefined;
      equal(await listIds(saver, {}), [id]);
      equal(await writesOf(saver, "t", id), []);
    },
  }),

  scenario("cannot-read", {
    rule: "A stored checkpoint that cannot be read is an error that names it, never undefined.",
    why: "With undefined the graph silently starts over, and overwrites the thread.",
    needs: ["serde"],
    run: async ({ createWith }) => {
      const serde = new RecordingSerde();
      const saver = await createWith({ serde });
      const id = await putOne(saver, "the-thread", { values: { a: "x".repeat(5000) } });
      serde.failOn = "loads";
      for (const read of [
        () => saver.getTuple(configOf("the-thread", id)),
        () => saver.getTuple(configOf("the-thread")),
        () => listAll(saver, {}),
      ]) {
        const error = await refusal(read);
        includes(error.message, "the-thread", "the message of the error");
        includes(error.message, id, "the message of the error");
        includes(String(error.cause), "the serializer failed", "the cause of the error");
      }
      serde.failOn = undefined;
      equal(await valuesOf(saver, "the-thread", id), { a: "x".repeat(5000) });
    },
  }),

  scenario("list-streams", {
    rule: "list streams: the first tuple of a long history does not wait for the last.",
    why: "The newest state of a long thread would cost the whole history in time and memory.",
    needs: ["serde"],
    timeoutMs: 120_000,
    run: async ({ createWith }) => {
      const serde = new RecordingSerde();
      const saver = await createWith({ serde });
      const ids = Array.from({ length: 200 }, newId);
      await Promise.all(ids.map((id, step) => putOne(saver, "t", { id, values: { step } })));
      serde.loads = 0;
      const tuples = saver.list(configOf("t"));
      identical((await tuples.next()).done, false);
      const first = serde.loads;
      for await (const _ of tuples);
      check(serde.loads >= 200, "at least one load for each of the 200");
      check(first < serde.loads / 2, "fewer loads for the first tuple than for half of them");
    },
  }),
];
