import { equal, check } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { newId, configOf, putOne, getOne, valuesOf, writesOf, listIds } from "./calls.js";
const scenario = inGroup("deleteThread");

export const deleteThreadScenarios: readonly Scenario[] = [
  scenario("everything-goes", {
    rule: "deleteThread removes every namespace, checkpoint and write.",
    why: "Data of a deleted user stays behind, and subgraphs go on from it.",
    run: async ({ saver }) => {
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
      equal(await listIds(saver, {}), []);
      for (const [namespace, own] of ids) {
        equal(await saver.getTuple(configOf("t", undefined, namespace)), undefined);
        for (const id of own) equal(await saver.getTuple(configOf("t", id, namespace)), undefined);
      }
    },
  }),

  scenario("writes-without-checkpoint", {
    rule: "deleteThread removes writes too, also of checkpoints that never landed.",
    why: "A reused thread id would be given the results of tasks of its former life.",
    run: async ({ saver }) => {
      const [landed, never] = [newId(), newId()];
      await putOne(saver, "t", { id: landed });
      for (const id of [landed, never]) await saver.putWrites(configOf("t", id), [["a", 1]], "k");
      await saver.deleteThread("t");
      for (const id of [landed, never]) {
        await putOne(saver, "t", { id });
        equal(await writesOf(saver, "t", id), []);
      }
    },
  }),

  scenario("nothing-of-another-thread", {
    rule: "deleteThread removes nothing of another thread, not even one whose id it prefixes.",
    why: "Deleting `user-1` would delete `user-10`.",
    run: async ({ saver }) => {
      const others = ["t1", "t:", "t:n", "t/n", "t.", "t\0", "T", "t ", "tt"];
      for (const thread of ["t", ...others]) {
        const id = await putOne(saver, thread, {
          namespace: "",
          values: { big: "same content ".repeat(3000) },
        });
        await saver.putWrites(configOf(thread, id), [["a", thread]], "k");
      }
      await saver.deleteThread("t");
      equal(await saver.getTuple(configOf("t")), undefined);
      for (const thread of others) {
        const tuple = await getOne(saver, thread);
        equal(tuple.checkpoint.channel_values, { big: "same content ".repeat(3000) });
        equal(tuple.pendingWrites, [["k", "a", thread]]);
      }
    },
  }),

  scenario("no-patterns", {
    rule: "deleteThread takes no pattern for a thread id.",
    why: "A thread named `%` or `*` would take every thread with it.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      for (const pattern of ["*", "%", "_", ".*", "t*", "?", "[t]"]) await saver.deleteThread(pattern);
      equal(await listIds(saver, {}), [id]);
    },
  }),

  scenario("unknown-is-no-op", {
    rule: "Deleting an unknown thread is a no-op.",
    why: "Clean-up jobs that run twice would fail.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      equal(await saver.deleteThread("u"), undefined);
      equal(await listIds(saver, {}), [id]);
    },
  }),

  scenario("before-setup", {
    rule: "deleteThread is safe before set-up: as the first call of all.",
    why: "A clean-up job on a fresh installation would fail for want of a table.",
    run: async ({ saver }) => {
      await saver.deleteThread("t");
      equal(await listIds(saver, {}), []);
    },
  }),

  scenario("id-is-free-at-once", {
    rule: "The thread id can be used again at once.",
    why: "A tombstone or a stale cache would hide the new thread or lose its values.",
    run: async ({ saver }) => {
      const big = "content that comes back ".repeat(2000);
      for (let round = 0; round < 5; round += 1) {
        const first = await putOne(saver, "t", { values: { big, round } });
        const second = await putOne(saver, "t", {
          parent: first,
          values: { big, round },
          versions: { big: 1, round: 2 },
          changed: ["round"],
        });
        await saver.putWrites(configOf("t", second), [["a", round]], "k");
        equal(await listIds(saver, configOf("t")), [second, first]);
        equal(await valuesOf(saver, "t"), { big, round });
        equal(await writesOf(saver, "t", second), [["k", "a", round]]);
        await saver.deleteThread("t");
        equal(await saver.getTuple(configOf("t")), undefined);
      }
    },
  }),

  scenario("nothing-returns", {
    rule: "The same checkpoint can be put again after a deletion, and nothing of the old one returns.",
    why: "Parents, metadata or values of the deleted thread would come back.",
    run: async ({ saver }) => {
      const oldParent = newId();
      const id = await putOne(saver, "t", {
        parent: oldParent,
        values: { a: 1, b: 2 },
        metadata: { old: true },
      });
      await saver.deleteThread("t");
      await putOne(saver, "t", { id, parent: id, values: { a: 3 } });
      const tuple = await getOne(saver, "t", id);
      equal(tuple.checkpoint.channel_values, { a: 3 });
      check(tuple.parentConfig?.configurable?.["checkpoint_id"] !== oldParent, "nothing of the old parent");
      check(!("old" in (tuple.metadata ?? {})), "nothing of the old metadata");
    },
  }),

  scenario("deleted-parent", {
    rule: "A child of a deleted parent stores the values that were passed.",
    why: "A run that goes on while its thread is deleted would lose its unchanged channels, or be unreadable.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t", { values: { kept: "x".repeat(20_000) } });
      await saver.deleteThread("t");
      const child = await putOne(saver, "t", { parent, values: { kept: "x".repeat(20_000) }, changed: [] });
      equal(await valuesOf(saver, "t", child), { kept: "x".repeat(20_000) });
    },
  }),
];
