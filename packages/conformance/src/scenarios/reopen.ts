import { INTERRUPT } from "@langchain/langgraph-checkpoint";

import { equal, identical } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import {
  clearError,
  configOf,
  listAll,
  newId,
  putOne,
  getOne,
  valuesOf,
  writesOf,
  listIds,
  refusal,
  sameWrites,
  settle,
} from "./calls.js";
const scenario = inGroup("reopen");

export const reopenScenarios: readonly Scenario[] = [
  scenario("put-is-seen", {
    rule: "What is put is there for another saver over the same data, and the other way round.",
    why: "A thread could not move between the processes of a service.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      const first = await putOne(saver, "t", { values: { a: "x".repeat(20_000) } });
      const other = await reopen();
      equal(await getOne(other, "t"), await getOne(saver, "t"));
      const versions = { a: 1, b: 1 };
      const second = await putOne(other, "t", {
        parent: first,
        values: { a: "x".repeat(20_000), b: 2 },
        versions,
        changed: ["b"],
      });
      await other.putWrites(configOf("t", first), [["b", 2]], "task");
      identical((await getOne(saver, "t")).checkpoint.id, second);
      equal(await valuesOf(saver, "t", second), { a: "x".repeat(20_000), b: 2 });
      equal(await writesOf(saver, "t", first), [["task", "b", 2]]);
    },
  }),

  scenario("latest-is-followed", {
    rule: "Latest follows what another saver over the same data has put.",
    why: "A cache of the latest checkpoint would turn a thread back when it moves between processes.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      const first = await putOne(saver, "t");
      identical((await getOne(saver, "t")).checkpoint.id, first);
      const second = await putOne(await reopen(), "t", { parent: first });
      identical((await getOne(saver, "t")).checkpoint.id, second);
    },
  }),

  scenario("deletion-is-seen", {
    rule: "Another saver over the same data goes on with a deleted thread.",
    why: "A cache would believe that values are stored which the other process has deleted.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      const kept = "shared content ".repeat(2000);
      const parent = await putOne(saver, "t", { values: { kept } });
      await (await reopen()).deleteThread("t");
      equal(await saver.getTuple(configOf("t")), undefined);
      const outcome = await settle(() => putOne(saver, "t", { parent, values: { kept }, changed: [] }));
      if (outcome.error !== undefined) clearError(outcome.error);
      else equal(await valuesOf(saver, "t"), { kept });
    },
  }),

  scenario("refusal-is-seen", {
    rule: "A refusal is refused for other savers too: nothing of it can be read elsewhere.",
    why: "Another process would go on from a checkpoint that its writer was told is not there.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      const id = await putOne(saver, "t", { values: { a: 1 } });
      const values = { a: "x".repeat(20_000), f: () => 1 };
      await refusal(() => putOne(saver, "t", { parent: id, values }), "unstorable.function");
      const other = await reopen();
      equal(await listIds(other, {}), [id]);
      equal((await getOne(other, "t")).checkpoint.channel_values, { a: 1 });
    },
  }),

  scenario("everything-is-there", {
    rule: "After a restart values, writes, metadata, parents and order are as they were.",
    why: "It is what a durable saver is for.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      let parent: string | undefined;
      for (let step = 0; step < 5; step += 1) {
        parent = await putOne(saver, "t", {
          values: { kept: "k".repeat(9000), step },
          versions: { kept: 1, step: step + 1 },
          changed: step === 0 ? ["kept", "step"] : ["step"],
          metadata: { step, extra: { deep: [step] } },
          ...(parent === undefined ? {} : { parent }),
        });
        await saver.putWrites(
          configOf("t", parent),
          [
            ["step", step],
            [INTERRUPT, "?"],
          ],
          "k",
        );
        await putOne(saver, "t", { namespace: "n:1", values: { step } });
      }
      const before = await listAll(saver, { configurable: { thread_id: "t" } });
      equal(before.length, 10, "the checkpoints before the restart");
      const after = await reopen();
      equal(await listAll(after, { configurable: { thread_id: "t" } }), before);
      equal(await after.getTuple(configOf("t")), await saver.getTuple(configOf("t")));
    },
  }),

  scenario("goes-on-from-it", {
    rule: "After a restart too, a channel that did not change keeps the value of a parent that was put before it.",
    why: "What a node changed without returning it would be stored by a process that does not remember the parent.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      const parent = await putOne(saver, "t", { values: { kept: ["of the parent"], a: 1 } });
      const after = await reopen();
      const child = await putOne(after, "t", {
        parent,
        values: { kept: ["of the parent", "never returned"], a: 2 },
        versions: { kept: 1, a: 2 },
        changed: ["a"],
      });
      for (const each of [after, await reopen()]) {
        equal(await valuesOf(each, "t", child), { kept: ["of the parent"], a: 2 });
      }
    },
  }),

  scenario("writes-before-their-put", {
    rule: "Writes that arrived before their checkpoint survive a restart in between.",
    why: "A crash between the two would cost the results of tasks that had finished.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      const id = newId();
      await saver.putWrites(configOf("t", id), [["a", 1]], "k");
      const after = await reopen();
      await putOne(after, "t", { id });
      equal(await writesOf(after, "t", id), [["k", "a", 1]]);
    },
  }),

  scenario("first-write-still-wins", {
    rule: "After a restart a regular write that is there still wins, and a special one is still replaced.",
    why: "A rule that is kept in memory only is broken by the very restart that makes tasks run twice.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      const id = await putOne(saver, "t");
      await saver.putWrites(
        configOf("t", id),
        [
          ["a", "first"],
          [INTERRUPT, "first"],
        ],
        "k",
      );
      const after = await reopen();
      await after.putWrites(
        configOf("t", id),
        [
          ["a", "second"],
          [INTERRUPT, "second"],
        ],
        "k",
      );
      equal(await writesOf(await reopen(), "t", id), [
        ["k", INTERRUPT, "second"],
        ["k", "a", "first"],
      ]);
    },
  }),

  scenario("deleted-stays-deleted", {
    rule: "A thread that was deleted is not there after a restart, and can be used again.",
    why: "A user's deleted data would come back with the next deployment.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      const id = await putOne(saver, "t", { values: { a: 1 } });
      await saver.putWrites(configOf("t", id), [["a", 1]], "k");
      await putOne(saver, "u", { values: { a: 2 } });
      await saver.deleteThread("t");
      const after = await reopen();
      equal(await after.getTuple(configOf("t")), undefined);
      equal(await valuesOf(after, "u"), { a: 2 });
      await putOne(after, "t", { id });
      equal(await writesOf(after, "t", id), []);
    },
  }),

  scenario("two-writers", {
    rule: "Two savers that write to one thread at once lose nothing of each other.",
    why: "Two processes serve one user for a moment at every deployment.",
    needs: ["reopen"],
    run: async ({ saver, reopen }) => {
      const both = [saver, await reopen()];
      const shared = await putOne(saver, "t");
      const ids = Array.from({ length: 20 }, newId);
      await Promise.all(
        ids.flatMap((id, at) => [
          putOne(both[at % 2]!, "t", { id, parent: shared, values: { at, same: "s".repeat(3000) } }),
          both[(at + 1) % 2]!.putWrites(configOf("t", shared), [["a", at]], `task ${10 + at}`),
        ]),
      );
      for (const each of [...both, await reopen()]) {
        equal(await listIds(each, configOf("t")), [...ids.toReversed(), shared]);
        sameWrites(
          await writesOf(each, "t", shared),
          ids.map((_, at) => [`task ${10 + at}`, "a", at]),
        );
      }
    },
  }),
];
