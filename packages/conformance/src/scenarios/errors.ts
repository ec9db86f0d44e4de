import type { PendingWrite } from "@langchain/langgraph-checkpoint";

import { equal, identical, check, includes } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import {
  newId,
  configOf,
  checkpointOf,
  metadataOf,
  putOne,
  valuesOf,
  writesOf,
  listIds,
  codedRefusal,
  refusal,
  settle,
} from "./calls.js";
const scenario = inGroup("errors");

/** Asks for the refusal that these scenarios look at. */
const storable = "unstorable.function";

export const errorsScenarios: readonly Scenario[] = [
  scenario("code-is-stable", {
    rule: "Every error has a code, and the same mistake has the same code.",
    why: "Callers could only tell errors apart by their wording.",
    run: async ({ saver }) => {
      const mistakes = [
        () => saver.put({}, checkpointOf(), metadataOf(), {}),
        () => saver.getTuple(configOf({ $gt: "" })),
        () => saver.deleteThread([] as unknown as string),
        () => saver.putWrites(configOf("t"), [["a", 1]], "k"),
        () => putOne(saver, "t", { values: { f: () => 1 } }),
        () => saver.putWrites(configOf("t", newId()), [["a", () => 1]], "k"),
      ];
      for (const mistake of mistakes)
        identical((await codedRefusal(mistake)).code, (await codedRefusal(mistake)).code);
    },
  }),

  scenario("says-where", {
    rule: "The message names what was wrong in the call, not what a driver made of it.",
    why: "The author of a graph would have to read the saver's source to find the mistake.",
    run: async ({ saver }) => {
      for (const [word, mistake, askedForBy] of [
        ["thread_id", () => saver.put(configOf(["t"]), checkpointOf(), metadataOf(), {}), "refusals.put"],
        ["checkpoint_id", () => saver.getTuple(configOf("t", {})), "refusals.get-tuple"],
        ["checkpoint_ns", () => saver.getTuple(configOf("t", "x", {})), "refusals.get-tuple"],
      ] as const)
        includes((await refusal(mistake, askedForBy)).message, word);
    },
  }),

  scenario("rejects-not-throws", {
    rule: "A refusal is a rejected promise, never thrown at once.",
    why: "LangGraph does not expect a throw from a call that returns a promise: clean-up would be skipped.",
    run: async ({ saver }) => {
      const calls = [
        () => saver.put({}, checkpointOf(), metadataOf(), {}),
        () => saver.put(configOf("t"), checkpointOf({ f: () => 1 }), metadataOf(), { f: 1 }),
        () => saver.putWrites(configOf("t"), [["a", 1]], "k"),
        () => saver.putWrites(configOf("t", newId()), [["a", () => 1]], "k"),
        () => saver.getTuple(configOf([])),
        () => saver.deleteThread({} as unknown as string),
      ];
      for (const call of calls) {
        const promise = call();
        check(promise instanceof Promise, "an instance of Promise");
        // Whether it is one at all is asked elsewhere.
        await settle(() => promise);
      }
    },
  }),

  scenario("no-values-in-errors", {
    rule: "An error carries no stored values.",
    why: "Errors are logged: user data would be in the logs.",
    run: async ({ saver }) => {
      const secret = "s3cr3t-value";
      const values = { poisoned: { secret, f: () => secret } };
      const error = await refusal(() => putOne(saver, "t", { values, metadata: { secret } }), storable);
      check(!error.message.includes(secret), "a message without the stored value");
      check(!JSON.stringify(error).includes(secret), "an error without the stored value");
    },
  }),

  scenario("refused-put-changes-nothing", {
    rule: "A refused put leaves what was there, and the saver works on.",
    why: "One bad value would destroy the thread's last good checkpoint.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t", { values: { a: 1 } });
      await refusal(() => putOne(saver, "t", { id, values: { a: 2, f: () => 1 } }), storable);
      equal(await valuesOf(saver, "t", id), { a: 1 });
      await putOne(saver, "t", { id, values: { a: 3 } });
      equal(await valuesOf(saver, "t", id), { a: 3 });
    },
  }),

  scenario("refused-batch-changes-nothing", {
    rule: "A refused batch leaves the task's earlier writes.",
    why: "One bad value would destroy results of tasks that had finished.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      await saver.putWrites(configOf("t", id), [["a", 1]], "k");
      const batch: PendingWrite[] = [
        ["a", 2],
        ["b", () => 1],
      ];
      await refusal(() => saver.putWrites(configOf("t", id), batch, "k"), "unstorable.function-as-value");
      equal(await writesOf(saver, "t", id), [["k", "a", 1]]);
    },
  }),

  scenario("refused-beside-good", {
    rule: "A refused put does not touch the ones beside it.",
    why: "A batch of puts that share a connection or transaction would all be lost with one.",
    run: async ({ saver }) => {
      const ids = Array.from({ length: 9 }, newId);
      const outcomes = await Promise.all(
        ids.map((id, at) =>
          settle(() => putOne(saver, "t", { id, values: { at, f: at === 4 ? () => 1 : "fine" } })),
        ),
      );
      const { error: refused } = outcomes[4]!;
      await refusal(() => (refused === undefined ? undefined : Promise.reject(refused)), storable);
      equal(
        outcomes.filter(({ error }, at) => at !== 4 && error !== undefined),
        [],
        "refusals of good puts",
      );
      equal(await listIds(saver, configOf("t")), ids.filter((_, at) => at !== 4).toReversed());
    },
  }),
];
