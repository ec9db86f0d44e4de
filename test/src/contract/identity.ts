import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
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
  refusal,
  settle,
  threeKeys,
  valuesOf,
  writesOf,
  type Savers,
} from "./support.js";

const long = "x".repeat(10_000);

/** Families of ids in which a careless key, path, pattern or collation would take one for another. */
const lookalikes: Record<string, string[]> = {
  separators: [
    "a",
    "a:b",
    "a|b",
    "a/b",
    "a#b",
    "a.b",
    "a\0b",
    "a,b",
    "a\\b",
    "a b",
    "a\nb",
    "a%2Fb",
    "a_b",
    "a-b",
  ],
  prefixes: ["t", "t1", "t10", "t:", "t\0", "t ", "t/"],
  cases: ["thread", "Thread", "THREAD"],
  "unicode normal forms": ["caf\u00e9", "cafe\u0301", "cafe"],
  "emoji and other planes": ["\u{1F600}", "\u{1F601}", "\uFFFD", "\u200B", "\u200B\u200B"],
  "file names": [".", "..", "../x", "/", "/etc", "CON", "nul.txt", "~", "x.json"],
  patterns: ["*", "?", "%", "_", "$", "$gt", "$where", "^.*$", "[a]", "(", "{}"],
  "object keys": ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"],
  "words for nothing": ["null", "undefined", "0", "false", "NaN", "[object Object]"],
  "10,000 characters": [long, `${long}y`, `${long}z`, `y${long}`],
};

const notIds: [string, unknown][] = [
  ["an object", { id: "t" }],
  ["an operator", { $gt: "" }],
  ["a pattern", /t/],
  ["an array", ["t"]],
  ["an empty array", []],
  ["a boolean", true],
  ["a function", () => "t"],
  ["bytes", new Uint8Array([116])],
];

async function expectDistinct(
  saver: BaseCheckpointSaver,
  places: { thread: string; namespace: string; id: string }[],
): Promise<void> {
  for (const [mark, place] of places.entries()) {
    const returned = await saver.put(
      configOf(place.thread, undefined, place.namespace),
      checkpointOf({ mark }, { id: place.id }),
      metadataOf(),
      { mark: 1 },
    );
    expect(returned).toEqual(threeKeys(place.thread, place.id, place.namespace));
    await saver.putWrites(returned, [["mark", mark]], "task");
  }
  for (const [mark, { thread, id, namespace }] of places.entries()) {
    const tuple = await getOne(saver, thread, id, namespace);
    expect(tuple.config).toEqual(threeKeys(thread, id, namespace));
    expect(tuple.checkpoint.channel_values).toEqual({ mark });
    expect(tuple.pendingWrites).toEqual([["task", "mark", mark]]);
    const listed = await listAll(saver, threeKeys(thread, id, namespace));
    expect(listed.map((each) => each.checkpoint.channel_values)).toEqual([{ mark }]);
  }
}

export function identityContract(savers: Savers): void {
  describe("identity", () => {
    it("a checkpoint is (thread_id, checkpoint_ns, checkpoint_id): one id in several places is several checkpoints", async () => {
      const id = newId();
      const places = ["t", "u"].flatMap((thread) =>
        ["", "n", "n|m"].map((namespace) => ({ thread, namespace, id })),
      );
      await expectDistinct(savers(), places);
    });

    it("checkpoint_ns undefined means the root namespace for put, putWrites and getTuple", async () => {
      const saver = savers();
      const checkpoint = checkpointOf({ a: 1 });
      const returned = await saver.put({ configurable: { thread_id: "t" } }, checkpoint, metadataOf(), {
        a: 1,
      });
      expect(returned).toEqual(threeKeys("t", checkpoint.id));
      await saver.putWrites(
        { configurable: { thread_id: "t", checkpoint_id: checkpoint.id } },
        [["a", 2]],
        "task",
      );
      await putOne(saver, "t", { namespace: "n" });
      const tuple = await saver.getTuple({ configurable: { thread_id: "t" } });
      expect(tuple?.config).toEqual(threeKeys("t", checkpoint.id));
      expect(await writesOf(saver, "t", checkpoint.id)).toEqual([["task", "a", 2]]);
    });

    it("checkpoint_ns undefined means every namespace for list, and the empty one only itself", async () => {
      const saver = savers();
      const root = await putOne(saver, "t");
      const child = await putOne(saver, "t", { namespace: "n" });
      expect(await listIds(saver, { configurable: { thread_id: "t" } })).toEqual([child, root]);
      expect(await listIds(saver, configOf("t", undefined, ""))).toEqual([root]);
    });

    it("thread_id absent means every thread for list and undefined for getTuple", async () => {
      const saver = savers();
      const first = await putOne(saver, "t");
      const second = await putOne(saver, "u", { namespace: "n" });
      expect(await listIds(saver, {})).toEqual([second, first]);
      expect(await listIds(saver, { configurable: {} })).toEqual([second, first]);
      expect(await saver.getTuple({})).toBeUndefined();
      expect(await saver.getTuple({ configurable: {} })).toBeUndefined();
      expect(await saver.getTuple(configOf(undefined, first))).toBeUndefined();
    });

    it("thread_id absent is a clear error for put and putWrites", async () => {
      const saver = savers();
      for (const config of [
        {},
        configOf(undefined),
        { configurable: { thread_id: null } },
      ] as RunnableConfig[]) {
        expect((await refusal(() => saver.put(config, checkpointOf(), metadataOf(), {}))).message).toContain(
          "thread_id",
        );
        const writes = { configurable: { ...config.configurable, checkpoint_id: newId() } };
        expect((await refusal(() => saver.putWrites(writes, [["a", 1]], "task"))).message).toContain(
          "thread_id",
        );
      }
      expect(await listIds(saver, {})).toEqual([]);
    });

    it("checkpoint_id absent is a clear error for putWrites", async () => {
      expect((await refusal(() => savers().putWrites(configOf("t"), [["a", 1]], "task"))).message).toContain(
        "checkpoint_id",
      );
    });

    for (const [family, ids] of Object.entries(lookalikes)) {
      it(`ids are opaque strings: ${family} in thread ids`, { timeout: 60_000 }, async () => {
        const id = newId();
        await expectDistinct(
          savers(),
          ids.map((thread) => ({ thread, namespace: "", id })),
        );
      });
      it(`ids are opaque strings: ${family} in namespaces`, { timeout: 60_000 }, async () => {
        const id = newId();
        await expectDistinct(
          savers(),
          ids.map((namespace) => ({ thread: "t", namespace, id })),
        );
      });
      it(`ids are opaque strings: ${family} in checkpoint ids`, { timeout: 60_000 }, async () => {
        await expectDistinct(
          savers(),
          ids.map((id) => ({ thread: "t", namespace: "", id })),
        );
      });
      it(`ids are opaque strings: ${family} in task ids`, { timeout: 60_000 }, async () => {
        const saver = savers();
        const id = await putOne(saver, "t");
        for (const [mark, task] of ids.entries())
          await saver.putWrites(configOf("t", id), [["a", mark]], task);
        const writes = await writesOf(saver, "t", id);
        expect(Object.fromEntries(writes.map(([task, , mark]) => [`task ${task}`, mark]))).toEqual(
          Object.fromEntries(ids.map((task, mark) => [`task ${task}`, mark])),
        );
        expect(writes).toHaveLength(ids.length);
      });
    }

    it("ids are opaque strings: the parts of a key do not run into each other", async () => {
      const id = newId();
      await expectDistinct(savers(), [
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
    });

    it("ids are opaque strings: lone surrogates are kept apart or refused, never taken for one another", async () => {
      const saver = savers();
      const stored: string[] = [];
      for (const thread of ["s\ud800", "s\ud801", "s\ufffd"]) {
        const outcome = await settle(() => putOne(saver, thread, { values: { thread } }));
        if (outcome.error === undefined) stored.push(thread);
        else await refusal(() => putOne(saver, thread));
      }
      expect(stored).toContain("s\ufffd");
      for (const thread of stored) expect(await valuesOf(saver, thread)).toEqual({ thread });
    });

    it("a numeric thread_id is the thread of its decimal string, or a clear error", async () => {
      const saver = savers();
      const outcome = await settle(() =>
        saver.put(configOf(42), checkpointOf({ a: 1 }), metadataOf(), { a: 1 }),
      );
      if (outcome.error !== undefined) {
        await refusal(() => saver.put(configOf(42), checkpointOf(), metadataOf(), {}));
        expect(await listIds(saver, {})).toEqual([]);
        return;
      }
      const { checkpoint } = await getOne(saver, "42");
      expect((await saver.getTuple(configOf(42)))?.checkpoint.id).toBe(checkpoint.id);
      expect(await listIds(saver, configOf(42))).toEqual([checkpoint.id]);
      await saver.putWrites(configOf(42, checkpoint.id), [["a", 2]], "task");
      expect(await writesOf(saver, "42", checkpoint.id)).toEqual([["task", "a", 2]]);
      await saver.deleteThread(42 as unknown as string);
      expect(await listIds(saver, {})).toEqual([]);
    });

    for (const [what, bad] of notIds) {
      it(`${what} as an id is a clear error and changes nothing`, async () => {
        const saver = savers();
        const id = await putOne(saver, "t", { values: { a: 1 } });
        const put = (config: RunnableConfig) => () => saver.put(config, checkpointOf(), metadataOf(), {});
        const write =
          (config: RunnableConfig, task: unknown = "k") =>
          () =>
            saver.putWrites(config, [["a", 2]], task as string);
        for (const call of [
          put(configOf(bad)),
          put(configOf("t", bad)),
          put(configOf("t", undefined, bad)),
          () => saver.put(configOf("t"), checkpointOf({}, { id: bad as string }), metadataOf(), {}),
          write(configOf(bad, id)),
          write(configOf("t", bad)),
          write(configOf("t", id, bad)),
          write(configOf("t", id), bad),
          () => saver.getTuple(configOf(bad)),
          () => saver.getTuple(configOf("t", bad)),
          () => saver.getTuple(configOf("t", id, bad)),
          () => listAll(saver, configOf(bad)),
          () => listAll(saver, configOf("t", bad)),
          () => listAll(saver, configOf("t", undefined, bad)),
          () => listAll(saver, configOf("t"), { before: configOf("t", bad) }),
          () => saver.deleteThread(bad as string),
        ])
          await refusal(call);
        expect(await listIds(saver, {})).toEqual([id]);
        expect(await writesOf(saver, "t", id)).toEqual([]);
      });
    }

    it("thread_ts is honoured as an old alias of checkpoint_id", async () => {
      const saver = savers();
      const first = await putOne(saver, "t");
      const alias = (id: string) => ({ configurable: { thread_id: "t", checkpoint_ns: "", thread_ts: id } });
      const second = checkpointOf();
      await saver.put(alias(first), second, metadataOf(), {});
      expect((await getOne(saver, "t", second.id)).parentConfig).toEqual(threeKeys("t", first));
      expect((await saver.getTuple(alias(first)))?.checkpoint.id).toBe(first);
      await saver.putWrites(alias(first), [["a", 1]], "task");
      expect(await writesOf(saver, "t", first)).toEqual([["task", "a", 1]]);
      expect(await listIds(saver, alias(first))).toEqual([first]);
      expect(await listIds(saver, configOf("t"), { before: alias(second.id) })).toEqual([first]);
    });

    it("a namespace is never matched as a prefix of another", async () => {
      const saver = savers();
      const namespaces = ["", "node", "node:1", "node:1|node:2", "node:12", "nod"];
      const ids = new Map<string, string>();
      for (const namespace of namespaces) ids.set(namespace, await putOne(saver, "t", { namespace }));
      for (const namespace of namespaces) {
        expect((await saver.getTuple(configOf("t", undefined, namespace)))?.checkpoint.id).toBe(
          ids.get(namespace),
        );
        expect(await listIds(saver, configOf("t", undefined, namespace))).toEqual([ids.get(namespace)]);
      }
      expect(await saver.getTuple(configOf("t", undefined, "no"))).toBeUndefined();
    });
  });
}
