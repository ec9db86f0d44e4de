import type { RunnableConfig } from "@langchain/core/runnables";

import { equal, identical, includes } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { checkDistinct } from "./distinct.js";
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
  listIds,
  refusal,
  sameIds,
  settle,
} from "./calls.js";
const scenario = inGroup("identity");

export const identityScenarios: readonly Scenario[] = [
  scenario("three-parts", {
    rule: "A checkpoint is (thread_id, checkpoint_ns, checkpoint_id): one id in several places is several checkpoints.",
    why: "A subgraph and its parent, or two threads, would overwrite each other's state.",
    run: async ({ saver }) => {
      const id = newId();
      const places = ["t", "u"].flatMap((thread) =>
        ["", "n", "n|m"].map((namespace) => ({ thread, namespace, id })),
      );
      await checkDistinct(saver, places);
    },
  }),

  scenario("no-namespace-is-the-root", {
    rule: "checkpoint_ns undefined means the root namespace for put, putWrites and getTuple.",
    why: "Callers of getState and invoke name only the thread; their state would not be found.",
    run: async ({ saver }) => {
      const checkpoint = checkpointOf({ a: 1 });
      const returned = await saver.put({ configurable: { thread_id: "t" } }, checkpoint, metadataOf(), {
        a: 1,
      });
      equal(returned, threeKeys("t", checkpoint.id));
      await saver.putWrites(
        { configurable: { thread_id: "t", checkpoint_id: checkpoint.id } },
        [["a", 2]],
        "task",
      );
      await putOne(saver, "t", { namespace: "n" });
      const tuple = await saver.getTuple({ configurable: { thread_id: "t" } });
      equal(tuple?.config, threeKeys("t", checkpoint.id));
      equal(await writesOf(saver, "t", checkpoint.id), [["task", "a", 2]]);
    },
  }),

  scenario("list-without-namespace-is-all", {
    rule: "checkpoint_ns undefined means every namespace for list, and the empty one only itself.",
    why: "Histories would miss the checkpoints of subgraphs, or show them as the parent's own.",
    run: async ({ saver }) => {
      const root = await putOne(saver, "t");
      const child = await putOne(saver, "t", { namespace: "n" });
      sameIds(await listIds(saver, { configurable: { thread_id: "t" } }), [child, root]);
      equal(await listIds(saver, configOf("t", undefined, "")), [root]);
    },
  }),

  scenario("no-thread-reads", {
    rule: "thread_id absent means every thread for list and undefined for getTuple.",
    why: "Tools that look over all threads would see none, or a run without a thread would be given another one's state.",
    run: async ({ saver }) => {
      const first = await putOne(saver, "t");
      const second = await putOne(saver, "u", { namespace: "n" });
      sameIds(await listIds(saver, {}), [second, first]);
      sameIds(await listIds(saver, { configurable: {} }), [second, first]);
      equal(await saver.getTuple({}), undefined);
      equal(await saver.getTuple({ configurable: {} }), undefined);
      equal(await saver.getTuple(configOf(undefined, first)), undefined);
    },
  }),

  scenario("no-thread-is-refused", {
    rule: "thread_id absent is a clear error for put and putWrites, and nothing is stored.",
    why: "State of a misconfigured run would land in a nameless thread that every such run shares.",
    run: async ({ saver }) => {
      for (const config of [
        {},
        configOf(undefined),
        { configurable: { thread_id: null } },
      ] as RunnableConfig[]) {
        includes(
          (await refusal(() => saver.put(config, checkpointOf(), metadataOf(), {}))).message,
          "thread_id",
        );
        const writes = { configurable: { ...config.configurable, checkpoint_id: newId() } };
        includes((await refusal(() => saver.putWrites(writes, [["a", 1]], "task"))).message, "thread_id");
      }
      equal(await listIds(saver, {}), []);
    },
  }),

  scenario("writes-need-a-checkpoint", {
    rule: "checkpoint_id absent is a clear error for putWrites.",
    why: "Writes that belong to no checkpoint are lost, and the tasks that made them run again.",
    run: async ({ saver }) => {
      includes(
        (await refusal(() => saver.putWrites(configOf("t"), [["a", 1]], "task"))).message,
        "checkpoint_id",
      );
    },
  }),

  scenario("parts-do-not-run-together", {
    rule: "The parts of a checkpoint's identity do not run into each other, whatever characters they hold.",
    why: "Two checkpoints whose joined names look alike would be taken for one.",
    run: async ({ saver }) => {
      const id = newId();
      await checkDistinct(saver, [
        { thread: "a", namespace: "b:c", id },
        { thread: "a:b", namespace: "c", id },
        { thread: "a", namespace: "b/c", id },
        { thread: "a/b", namespace: "c", id },
        { thread: "a", namespace: "b#c", id },
        { thread: "a#b", namespace: "c", id },
        { thread: "a", namespace: "b\0c", id },
        { thread: "a\0b", namespace: "c", id },
        { thread: "a", namespace: "b", id: `c|${id}` },
        { thread: "a", namespace: "b|c", id },
      ]);
    },
  }),

  scenario("lone-surrogates", {
    rule: "Ids that are not well-formed unicode are kept apart or refused, never taken for one another.",
    why: "Storage that encodes as UTF-8 maps them all to one replacement character: threads would be merged.",
    run: async ({ saver }) => {
      const stored: string[] = [];
      for (const thread of ["s\ud800", "s\ud801", "s\ufffd"]) {
        const outcome = await settle(() => putOne(saver, thread, { values: { thread } }));
        if (outcome.error === undefined) stored.push(thread);
        else await refusal(() => putOne(saver, thread));
      }
      includes(stored, "s\ufffd");
      for (const thread of stored) equal(await valuesOf(saver, thread), { thread });
    },
  }),

  scenario("numeric-thread", {
    rule: "A numeric thread_id is the thread of its decimal string, or a clear error.",
    why: "A user id passed as a number by one service and as text by another would have two histories.",
    run: async ({ saver }) => {
      const outcome = await settle(() =>
        saver.put(configOf(42), checkpointOf({ a: 1 }), metadataOf(), { a: 1 }),
      );
      if (outcome.error !== undefined) {
        await refusal(() => saver.put(configOf(42), checkpointOf(), metadataOf(), {}));
        equal(await listIds(saver, {}), []);
        return;
      }
      const { checkpoint } = await getOne(saver, "42");
      identical((await saver.getTuple(configOf(42)))?.checkpoint.id, checkpoint.id);
      equal(await listIds(saver, configOf(42)), [checkpoint.id]);
      await saver.putWrites(configOf(42, checkpoint.id), [["a", 2]], "task");
      equal(await writesOf(saver, "42", checkpoint.id), [["task", "a", 2]]);
      await saver.deleteThread(42 as unknown as string);
      equal(await listIds(saver, {}), []);
    },
  }),

  scenario("thread-ts-alias", {
    rule: "thread_ts is honoured as an old alias of checkpoint_id.",
    why: "Configs stored by older versions would silently read the latest checkpoint instead of the one they name.",
    run: async ({ saver }) => {
      const first = await putOne(saver, "t");
      const alias = (id: string) => ({ configurable: { thread_id: "t", checkpoint_ns: "", thread_ts: id } });
      const second = checkpointOf();
      await saver.put(alias(first), second, metadataOf(), {});
      equal((await getOne(saver, "t", second.id)).parentConfig, threeKeys("t", first));
      identical((await saver.getTuple(alias(first)))?.checkpoint.id, first);
      await saver.putWrites(alias(first), [["a", 1]], "task");
      equal(await writesOf(saver, "t", first), [["task", "a", 1]]);
      equal(await listIds(saver, alias(first)), [first]);
      equal(await listIds(saver, configOf("t"), { before: alias(second.id) }), [first]);
    },
  }),

  scenario("namespace-is-no-prefix", {
    rule: "A namespace is never matched as a prefix of another.",
    why: "The state of `node:1` would be mixed with that of `node:12` and of the graphs inside it.",
    run: async ({ saver }) => {
      const namespaces = ["", "node", "node:1", "node:1|node:2", "node:12", "nod"];
      const ids = new Map<string, string>();
      for (const namespace of namespaces) ids.set(namespace, await putOne(saver, "t", { namespace }));
      for (const namespace of namespaces) {
        identical(
          (await saver.getTuple(configOf("t", undefined, namespace)))?.checkpoint.id,
          ids.get(namespace),
        );
        equal(await listIds(saver, configOf("t", undefined, namespace)), [ids.get(namespace)]);
      }
      equal(await saver.getTuple(configOf("t", undefined, "no")), undefined);
    },
  }),
];
