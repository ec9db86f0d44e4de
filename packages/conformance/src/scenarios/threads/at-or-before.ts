import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import type { HistoryPoint } from "../../thread-operations.js";
import { codedRefusal, getOne, newId, putOne } from "../calls.js";
import { inGroup } from "../define.js";
import { instant, manager, putChain, write } from "./harness.js";

const scenario = inGroup("getAtOrBefore");
const needs = ["getAtOrBefore"] as const;

async function found(
  saver: BaseCheckpointSaver,
  point: HistoryPoint,
  thread = "t",
): Promise<string | undefined> {
  return (await manager(saver).getAtOrBefore(thread, point))?.checkpoint.id;
}

export const getAtOrBeforeScenarios: readonly Scenario[] = [
  scenario("by-id", {
    rule: "By id it is that checkpoint, or the one with the greatest id below it.",
    why: "An id that was pruned meanwhile would lead nowhere, or to a later state.",
    needs,
    run: async ({ saver }) => {
      const before = newId();
      const first = await putOne(saver, "t");
      const between = newId();
      const second = await putOne(saver, "t");
      equal(await found(saver, { checkpointId: first }), first);
      equal(await found(saver, { checkpointId: between }), first);
      equal(await found(saver, { checkpointId: newId() }), second);
      equal(await found(saver, { checkpointId: before }), undefined);
    },
  }),

  scenario("by-step", {
    rule: "By step it is the newest checkpoint of that step, or of an earlier one.",
    why: "Going back to a step would land on another.",
    needs,
    run: async ({ saver }) => {
      const steps = new Map<number, string>();
      for (const step of [-1, 0, 1, 2, 5]) steps.set(step, await putOne(saver, "t", { metadata: { step } }));
      equal(await found(saver, { step: 2 }), steps.get(2));
      equal(await found(saver, { step: 4 }), steps.get(2));
      equal(await found(saver, { step: 0 }), steps.get(0));
      equal(await found(saver, { step: 9 }), steps.get(5));
      equal(await found(saver, { step: -2 }), undefined);
      // Another branch has come to step 1 as well, and later.
      const again = await putOne(saver, "t", { parent: steps.get(0)!, metadata: { step: 1 } });
      equal(await found(saver, { step: 1 }), again);
    },
  }),

  scenario("by-time", {
    rule: "By time it is the newest checkpoint that was put by then.",
    why: "The state at a certain time would be that of another.",
    needs,
    run: async ({ saver }) => {
      const before = (await instant()) - 1;
      const first = await putOne(saver, "t");
      const between = (await instant()) - 1;
      const second = await putOne(saver, "t");
      equal(await found(saver, { time: before }), undefined);
      equal(await found(saver, { time: between }), first);
      equal(await found(saver, { time: new Date(between) }), first);
      equal(await found(saver, { time: await instant() }), second);
    },
  }),

  scenario("in-a-namespace", {
    rule: "It looks in the root, or in exactly the namespace that is named.",
    why: "A subgraph's checkpoint would be taken for the graph's own.",
    needs,
    run: async ({ saver }) => {
      const root = await putOne(saver, "t", { metadata: { step: 1 } });
      const inner = await putOne(saver, "t", { namespace: "n", metadata: { step: 1 } });
      await putOne(saver, "t", { namespace: "n|m", metadata: { step: 1 } });
      await putOne(saver, "t2", { metadata: { step: 1 } });
      const late = newId();
      for (const point of [{ checkpointId: late }, { step: 1 }, { time: await instant() }]) {
        equal(await found(saver, point), root);
        equal(await found(saver, { ...point, checkpointNs: "n" }), inner);
        equal(await found(saver, { ...point, checkpointNs: "x" }), undefined);
        equal(await found(saver, point, "t3"), undefined);
      }
    },
  }),

  scenario("whole-tuple", {
    rule: "What it gives is what getTuple gives for that checkpoint.",
    why: "Pending writes, the parent or values would be missing where a run is taken up from there.",
    needs,
    run: async ({ saver }) => {
      const [, second] = await putChain(saver, "t", 3);
      await write(saver, "t", second!, { rich: [1] });
      equal(await manager(saver).getAtOrBefore("t", { step: 1 }), await getOne(saver, "t", second));
    },
  }),

  scenario("bad-input", {
    rule: "No point, or two, or one that makes no sense is refused with a coded error.",
    why: "A misspelt option would quietly give the newest checkpoint.",
    needs,
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      const bad: unknown[] = [
        undefined,
        {},
        { checkpointNs: "" },
        { step: 1, checkpointId: id },
        { step: 1, time: 1 },
        { step: 1.5 },
        { step: "1" },
        { time: "yesterday" },
        { time: new Date(Number.NaN) },
        { checkpointId: 7 },
        { step: 1, checkpointNs: 7 },
      ];
      for (const point of bad)
        await codedRefusal(() => manager(saver).getAtOrBefore("t", point as HistoryPoint));
      await codedRefusal(() => manager(saver).getAtOrBefore(undefined as unknown as string, { step: 1 }));
    },
  }),
];
