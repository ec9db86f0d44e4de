import { equal, identical, containsPart } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import {
  newId,
  configOf,
  threeKeys,
  checkpointOf,
  metadataOf,
  putOne,
  getOne,
  valuesOf,
  writesOf,
  listAll,
  listIds,
} from "./calls.js";
const scenario = inGroup("put");

export const putScenarios: readonly Scenario[] = [
  scenario("config-names-the-parent", {
    rule: "The checkpoint_id of the config is the parent; the key is checkpoint.id.",
    why: "The history would be a heap without order: no time travel, no delta channels, no replay.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t");
      const child = await putOne(saver, "t", { parent });
      const tuple = await getOne(saver, "t", child);
      identical(tuple.checkpoint.id, child);
      equal(tuple.parentConfig, threeKeys("t", parent));
      equal((await getOne(saver, "t", parent)).parentConfig, undefined);
    },
  }),

  scenario("returns-three-keys", {
    rule: "put returns exactly thread_id, checkpoint_ns and checkpoint_id.",
    why: "LangGraph passes the returned config on to the next step; what else is in it leaks into every later call.",
    run: async ({ saver }) => {
      const checkpoint = checkpointOf({ a: 1 });
      const config = { ...configOf("t", newId(), "n"), tags: ["x"], metadata: { run_id: "r" } };
      const returned = await saver.put(config, checkpoint, metadataOf(), { a: 1 });
      identical(returned, threeKeys("t", checkpoint.id, "n"));
    },
  }),

  scenario("whole-skeleton", {
    rule: "v, id, ts, channel_versions and versions_seen are stored whole.",
    why: "versions_seen decides which nodes run next: lose it, and nodes run twice or never.",
    run: async ({ saver }) => {
      const checkpoint = checkpointOf(
        { a: "x", b: [1] },
        {
          channel_versions: { a: 3, b: "00000000000000000000000000000007.0.42", c: 2.5 },
          versions_seen: { __input__: {}, node: { a: 2, b: "00000000000000000000000000000006.0.1" } },
        },
      );
      await saver.put(configOf("t"), checkpoint, metadataOf(), checkpoint.channel_versions);
      equal((await getOne(saver, "t")).checkpoint, checkpoint);
    },
  }),

  scenario("no-channels", {
    rule: "A checkpoint without channels is a checkpoint.",
    why: "The first checkpoint of a graph without defaults would be missing from its history.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      equal((await getOne(saver, "t", id)).checkpoint, checkpointOf({}, { id }));
    },
  }),

  scenario("same-id-is-one-checkpoint", {
    rule: "The same put twice is one checkpoint.",
    why: "A retried put would show as two steps in the history.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t");
      const id = newId();
      for (const _ of [1, 2]) await putOne(saver, "t", { id, parent, values: { a: 1 } });
      equal(await listIds(saver, configOf("t")), [id, parent]);
      const tuple = await getOne(saver, "t", id);
      equal(tuple.checkpoint.channel_values, { a: 1 });
      equal(tuple.parentConfig, threeKeys("t", parent));
    },
  }),

  scenario("same-id-at-once", {
    rule: "The same put many times at once is one checkpoint.",
    why: "A driver that retries while the first attempt is still under way would leave duplicates, or an error.",
    run: async ({ saver }) => {
      const id = newId();
      await Promise.all(
        Array.from({ length: 10 }, () => putOne(saver, "t", { id, values: { a: "x".repeat(5000) } })),
      );
      equal(await listIds(saver, configOf("t")), [id]);
      equal(await valuesOf(saver, "t", id), { a: "x".repeat(5000) });
    },
  }),

  scenario("same-id-replaces", {
    rule: "A later put of the same id replaces values and metadata.",
    why: "With exit durability LangGraph writes a checkpoint again as it goes on; readers would see the old state.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t", { values: { a: 1, b: 2 }, metadata: { mark: "old" } });
      await putOne(saver, "t", { id, values: { a: "new" }, metadata: { mark: "new" } });
      const tuple = await getOne(saver, "t", id);
      equal(tuple.checkpoint.channel_values, { a: "new" });
      containsPart(tuple.metadata, { mark: "new" });
    },
  }),

  scenario("same-id-keeps-writes", {
    rule: "A repeated put keeps the writes already stored for it.",
    why: "Finished tasks of the step would run again after a resume.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      await saver.putWrites(configOf("t", id), [["a", 1]], "task");
      await putOne(saver, "t", { id });
      equal(await writesOf(saver, "t", id), [["task", "a", 1]]);
    },
  }),

  scenario("own-parent-keeps-parent", {
    rule: "A put whose parent id equals its own id keeps the parent it had.",
    why: "A second interrupt with exit durability would make the checkpoint its own ancestor: history ends there, or never.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t");
      const id = await putOne(saver, "t", { parent, values: { a: 1 } });
      await putOne(saver, "t", { id, parent: id, values: { a: 2 }, versions: { a: 2 } });
      const tuple = await getOne(saver, "t", id);
      equal(tuple.parentConfig, threeKeys("t", parent));
      equal(tuple.checkpoint.channel_values, { a: 2 });
    },
  }),

  scenario("own-parent-keeps-values", {
    rule: "A put whose parent id equals its own id keeps the values that did not change.",
    why: "The state would lose every channel that the last step did not write.",
    run: async ({ saver }) => {
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
      equal(await valuesOf(saver, "t", id), { kept: "value", b: 3 });
    },
  }),

  scenario("own-parent-first-put", {
    rule: "A first put whose parent id equals its own id has no parent, and its values.",
    why: "The checkpoint would point at itself, and every walk over its ancestors would hang.",
    run: async ({ saver }) => {
      const id = newId();
      await putOne(saver, "t", { id, parent: id, values: { a: 1, b: 2 }, changed: ["a"] });
      const tuple = await getOne(saver, "t", id);
      equal(tuple.parentConfig, undefined);
      equal(tuple.checkpoint.channel_values, { a: 1, b: 2 });
      equal((await listAll(saver, configOf("t")))[0]?.parentConfig, undefined);
    },
  }),

  scenario("config-is-not-serialised", {
    rule: "put and putWrites read the three keys of a whole RunnableConfig and serialise nothing else of it.",
    why: "Real configs hold callbacks, signals and functions: serialising them fails, or stores secrets.",
    run: async ({ saver }) => {
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
      identical(returned, threeKeys("t", checkpoint.id, "n"));
      const configurable = { ...config.configurable, checkpoint_id: checkpoint.id };
      await saver.putWrites({ ...config, configurable }, [["a", 2]], "task");
      const tuple = await saver.getTuple({ ...config, configurable });
      identical(tuple?.config, threeKeys("t", checkpoint.id, "n"));
      equal(tuple?.metadata, metadataOf());
      equal(tuple?.pendingWrites, [["task", "a", 2]]);
    },
  }),

  scenario("parent-after-child", {
    rule: "A parent may land after its child.",
    why: "Async durability does not order the puts of parent and child: one of them would be refused or damaged.",
    run: async ({ saver }) => {
      const [parent, child] = [newId(), newId()];
      await putOne(saver, "t", {
        id: child,
        parent,
        values: { a: "child", b: "kept" },
        versions: { a: 2, b: 1 },
        changed: ["a"],
      });
      await putOne(saver, "t", { id: parent, values: { a: "parent", b: "kept" } });
      equal((await getOne(saver, "t", child)).parentConfig, threeKeys("t", parent));
      equal(await valuesOf(saver, "t", child), { a: "child", b: "kept" });
      equal(await valuesOf(saver, "t", parent), { a: "parent", b: "kept" });
    },
  }),
];
