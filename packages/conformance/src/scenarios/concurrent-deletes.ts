import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { clearError, newId, configOf, putOne, listAll, listIds, settle } from "./calls.js";
const scenario = inGroup("concurrency");

export const concurrentDeletesScenarios: readonly Scenario[] = [
  scenario("deletions-at-once", {
    rule: "deleteThread is safe twice and at once.",
    why: "Two clean-up jobs would fail each other half-way.",
    run: async ({ saver }) => {
      for (const namespace of ["", "n"])
        await putOne(saver, "t", { namespace, values: { a: "x".repeat(9000) } });
      await Promise.all([1, 2, 3, 4].map(() => saver.deleteThread("t")));
      await saver.deleteThread("t");
      equal(await listIds(saver, {}), []);
    },
  }),

  scenario("no-half-deleted-read", {
    rule: "No reader sees a half-deleted checkpoint as a whole one.",
    why: "A graph that reads during the deletion would go on from a partial state.",
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const values = { a: "a".repeat(30_000), b: { c: [1, 2] } };
      const ids: string[] = [];
      for (let at = 0; at < 10; at += 1) {
        ids.push(await putOne(saver, "t", { values }));
        await saver.putWrites(configOf("t", ids[at]!), [["w", "w".repeat(3000)]], "k");
      }
      const whole = new Map(
        (await listAll(saver, configOf("t"))).map((tuple) => [tuple.checkpoint.id, tuple]),
      );
      const progress = { done: false };
      const deleting = saver.deleteThread("t").finally(() => (progress.done = true));
      const seen: unknown[] = [];
      do {
        const reads = await Promise.all(ids.map((id) => settle(() => saver.getTuple(configOf("t", id)))));
        const listed = await settle(() => listAll(saver, configOf("t")));
        for (const { value, error } of [
          ...reads,
          ...((listed.value ?? []) as unknown[]).map((tuple) => ({ value: tuple, error: undefined })),
          { value: undefined, error: listed.error },
        ]) {
          if (error !== undefined) clearError(error);
          else if (value !== undefined) seen.push(value);
        }
      } while (!progress.done);
      await deleting;
      for (const tuple of seen as { checkpoint: { id: string } }[])
        equal(tuple, whole.get(tuple.checkpoint.id));
      equal(await listIds(saver, configOf("t")), []);
    },
  }),

  scenario("delete-beside-put", {
    rule: "A put beside a deletion leaves a readable checkpoint or none.",
    why: "Shared values would be deleted under the new checkpoint: it could never be read again.",
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const kept = "shared content ".repeat(2000);
      for (let round = 0; round < 10; round += 1) {
        const parent = await putOne(saver, "t", { values: { kept, round } });
        const child = newId();
        const [put] = await Promise.all([
          settle(() =>
            putOne(saver, "t", {
              id: child,
              parent,
              values: { kept, round: round + 100 },
              versions: { kept: 1, round: 2 },
              changed: ["round"],
            }),
          ),
          saver.deleteThread("t"),
        ]);
        if (put.error !== undefined) clearError(put.error);
        const tuple = await saver.getTuple(configOf("t", child));
        if (tuple !== undefined) equal(tuple.checkpoint.channel_values, { kept, round: round + 100 });
        equal(await saver.getTuple(configOf("t", parent)), undefined);
        await saver.deleteThread("t");
      }
    },
  }),
];
