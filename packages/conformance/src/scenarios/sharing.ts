import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import {
  newId,
  configOf,
  checkpointOf,
  metadataOf,
  putOne,
  getOne,
  valuesOf,
  writesOf,
  listAll,
} from "./calls.js";
const scenario = inGroup("sharing");
const scenarioDeltaHistory = inGroup("deltaHistory");

const fresh = () => ({
  list: [1, { deep: "x" }],
  bytes: new Uint8Array([1, 2, 3]),
  big: { text: "b".repeat(20_000), rows: [{ a: 1 }] },
  map: new Map([["k", { a: 1 }]]),
});

/** Spoils everything inside a value that can be spoilt. */
function spoil(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(99);
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

const stored = async (saver: BaseCheckpointSaver): Promise<string> => {
  const parent = await putOne(saver, "t", { values: fresh() });
  const id = await putOne(saver, "t", {
    parent,
    values: fresh(),
    changed: [],
    metadata: { nested: { a: [1] } },
  });
  await saver.putWrites(configOf("t", id), [["w", fresh()]], "k");
  return id;
};

export const sharingScenarios: readonly Scenario[] = [
  scenario("put-arguments", {
    rule: "What the caller does to its values after calling put changes nothing.",
    why: "Values are live references: nodes go on mutating them while the put is under way, and history would change.",
    run: async ({ saver }) => {
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
      equal(tuple.checkpoint, untouched);
      equal(tuple.metadata, metadataOf({ nested: { a: [1] } }));
    },
  }),

  scenario("put-carried-argument", {
    rule: "The same holds for a carried channel whose parent turns out not to be stored.",
    why: "The value would be read late, when the graph has changed it.",
    run: async ({ saver }) => {
      const values = fresh();
      const checkpoint = checkpointOf(values);
      const putting = saver.put(configOf("t", newId()), checkpoint, metadataOf(), {});
      spoil(values);
      await putting;
      equal(await valuesOf(saver, "t", checkpoint.id), fresh());
    },
  }),

  scenario("puts-in-a-row", {
    rule: "Puts of one mutating value, not awaited, store each its own moment.",
    why: "Async durability does not wait: every step of the history would show the last state.",
    run: async ({ saver }) => {
      const state = { log: [] as number[] };
      const puts: Promise<string>[] = [];
      const ids = Array.from({ length: 20 }, newId);
      for (const [at, id] of ids.entries()) {
        state.log.push(at);
        puts.push(putOne(saver, "t", { id, values: { state }, versions: { state: at + 1 } }));
      }
      await Promise.all(puts);
      for (const [at, id] of ids.entries()) {
        equal(await valuesOf(saver, "t", id), {
          state: { log: ids.map((_, each) => each).slice(0, at + 1) },
        });
      }
    },
  }),

  scenario("put-writes-arguments", {
    rule: "What the caller does to its writes after calling putWrites changes nothing.",
    why: "A node that goes on with the object it returned would change the stored result.",
    run: async ({ saver }) => {
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
      equal(await writesOf(saver, "t", id), [
        ["k", "a", fresh()],
        ["k", "b", 1],
      ]);
    },
  }),

  scenario("callers-objects-untouched", {
    rule: "put and putWrites leave the caller's objects as they were.",
    why: "The running graph's own state would change under it.",
    run: async ({ saver }) => {
      const checkpoint = checkpointOf(fresh());
      const writes: [string, unknown][] = [["a", fresh()]];
      await saver.put(Object.freeze(configOf("t")), checkpoint, metadataOf(), { list: 1 });
      await saver.putWrites(configOf("t", checkpoint.id), writes, "k");
      equal(checkpoint, checkpointOf(fresh(), { id: checkpoint.id }));
      equal(writes, [["a", fresh()]]);
    },
  }),

  scenario("get-tuple-result", {
    rule: "The caller may mutate what getTuple gave it.",
    why: "LangGraph does: the next read of the same checkpoint would see the changes.",
    run: async ({ saver }) => {
      const id = await stored(saver);
      const before = await getOne(saver, "t", id);
      for (const _ of [1, 2]) {
        const tuple = await getOne(saver, "t", id);
        spoil(tuple);
        equal(await getOne(saver, "t", id), before);
        equal((await listAll(saver, configOf("t")))[0], before);
      }
      equal(before.checkpoint.channel_values, fresh());
    },
  }),

  scenario("between-checkpoints", {
    rule: "Nothing is shared between checkpoints that carry one value.",
    why: "Changing the state of one step would change the history before it.",
    run: async ({ saver }) => {
      const id = await stored(saver);
      const tuple = await getOne(saver, "t", id);
      const parentId = tuple.parentConfig?.configurable?.["checkpoint_id"] as string;
      spoil(tuple.checkpoint.channel_values);
      equal(await valuesOf(saver, "t", parentId), fresh());
    },
  }),

  scenario("list-result", {
    rule: "The caller may mutate what list gave it, while the list goes on.",
    why: "The rest of the history would be spoilt by what the consumer does with its first entries.",
    run: async ({ saver }) => {
      await stored(saver);
      const before = await listAll(saver, configOf("t"));
      const seen: CheckpointTuple[] = [];
      for await (const tuple of saver.list(configOf("t"))) {
        seen.push(structuredClone(tuple));
        spoil(tuple);
      }
      equal(seen, before);
      equal(await listAll(saver, configOf("t")), before);
    },
  }),

  scenarioDeltaHistory("result-is-the-callers", {
    rule: "The caller may mutate what getDeltaChannelHistory gave it.",
    why: "A delta channel appends to what it is given: each read would grow the stored history.",
    needs: ["deltaHistory"],
    run: async ({ saver }) => {
      const parent = await stored(saver);
      const id = await putOne(saver, "t", { parent, versions: { list: 2, w: 2 } });
      const ask = () => saver.getDeltaChannelHistory({ config: configOf("t", id), channels: ["big", "w"] });
      const before = await ask();
      spoil(await ask());
      equal(await ask(), before);
      equal(before["big"]?.seed, fresh().big);
      equal(before["w"]?.writes, [["k", "w", fresh()]]);
    },
  }),
];
