import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { newId, putOne, valuesOf, listIds, sameIds } from "./calls.js";
const scenario = inGroup("concurrency");

export const concurrentPutsScenarios: readonly Scenario[] = [
  scenario("many-puts", {
    rule: "Puts at once on one thread all land, whatever their namespaces.",
    why: "Parallel subgraphs checkpoint at the same time; one of them would lose its state.",
    run: async ({ saver }) => {
      const places = Array.from({ length: 30 }, (_, at) => ({
        id: newId(),
        namespace: ["", "n:1", "n:1|m:2"][at % 3]!,
        at,
      }));
      await Promise.all(
        places.map(({ id, namespace, at }) =>
          putOne(saver, "t", { id, namespace, values: { at, same: "s".repeat(3000) } }),
        ),
      );
      sameIds(
        await listIds(saver, { configurable: { thread_id: "t" } }),
        places.map(({ id }) => id),
      );
      for (const { id, namespace, at } of places) {
        equal(await valuesOf(saver, "t", id, namespace), { at, same: "s".repeat(3000) });
      }
    },
  }),

  scenario("parent-and-child-at-once", {
    rule: "A parent and its child put at once both have their values.",
    why: "Async durability would leave a child without the values that it shares with its parent.",
    run: async ({ saver }) => {
      const kept = "k".repeat(30_000);
      const [parent, child] = [newId(), newId()];
      await Promise.all([
        putOne(saver, "t", { id: parent, values: { a: 1, kept } }),
        putOne(saver, "t", {
          id: child,
          parent,
          values: { a: 2, kept },
          versions: { a: 2, kept: 1 },
          changed: ["a"],
        }),
      ]);
      equal(await valuesOf(saver, "t", parent), { a: 1, kept });
      equal(await valuesOf(saver, "t", child), { a: 2, kept });
    },
  }),
];
