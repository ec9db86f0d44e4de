import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { configOf, listIds, putOne, valuesOf } from "./calls.js";
import { inGroup } from "./define.js";

const scenario = inGroup("lifecycle");

export const lifecycleScenarios: readonly Scenario[] = [
  scenario("created-savers-are-isolated", {
    rule: "Each saver that the target creates has storage of its own, empty at first.",
    why: "Scenarios, and the tests of an application, would see each other's data: no result would mean anything.",
    run: async ({ saver, another }) => {
      equal(await listIds(saver, {}), [], "what is stored at first");
      const other = await another();
      try {
        await putOne(saver, "t", { values: { a: "first" } });
        equal(await other.saver.getTuple(configOf("t")), undefined, "what another saver finds");
        await putOne(other.saver, "t", { values: { a: "second" } });
        equal(await valuesOf(saver, "t"), { a: "first" });
      } finally {
        await other.release();
      }
    },
  }),

  scenario("released-savers-leave-others-alone", {
    rule: "Releasing one saver leaves the others usable.",
    why: "An application that closes one of its savers would cut off the rest of it.",
    run: async ({ saver, another }) => {
      const id = await putOne(saver, "t", { values: { a: 1 } });
      const other = await another();
      await putOne(other.saver, "t", { values: { a: 2 } });
      await other.release();
      equal(await valuesOf(saver, "t", id), { a: 1 });
      await putOne(saver, "t", { parent: id, values: { a: 3 } });
      equal(await valuesOf(saver, "t"), { a: 3 });
    },
  }),
];
