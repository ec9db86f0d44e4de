import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { configOf, putOne, listAll, sameIds, settle } from "./calls.js";
const scenario = inGroup("filter");

/** An object from JSON, where `__proto__` is a key like any other. */
const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

/** Stores one checkpoint per entry and tells which of them a filter finds, by name, oldest first. */
async function finder(saver: BaseCheckpointSaver, entries: Record<string, Record<string, unknown>>) {
  const names = new Map<string, string>();
  for (const [name, metadata] of Object.entries(entries))
    names.set(await putOne(saver, "t", { metadata }), name);
  return async (filter: Record<string, unknown>): Promise<string[]> =>
    (await listAll(saver, configOf("t"), { filter }))
      .map((tuple) => names.get(tuple.checkpoint.id)!)
      .toReversed();
}

export const filterScenarios: readonly Scenario[] = [
  scenario("every-key", {
    rule: "Every key of the filter must match.",
    why: "A filter of two conditions would return what meets only one.",
    run: async ({ saver }) => {
      const find = await finder(saver, { both: { a: 1, b: 2 }, one: { a: 1 }, other: { a: 1, b: 3 } });
      equal(await find({ a: 1, b: 2 }), ["both"]);
      equal(await find({ a: 1 }), ["both", "one", "other"]);
      equal(await find({ a: 1, missing: 1 }), []);
      equal(await find({}), ["both", "one", "other"]);
    },
  }),

  scenario("langgraph-keys", {
    rule: "The keys that LangGraph itself stores can be filtered by: source and step.",
    why: "Looking for the inputs of a thread, as replay tools do, would find nothing.",
    run: async ({ saver }) => {
      const find = await finder(saver, {
        input: { source: "input", step: -1 },
        zero: { step: 0 },
        one: { step: 1 },
      });
      equal(await find({ source: "input" }), ["input"]);
      equal(await find({ source: "loop" }), ["zero", "one"]);
      equal(await find({ source: "loop", step: 1 }), ["one"]);
      equal(await find({ step: -1 }), ["input"]);
      equal(await find({ step: "1" }), []);
      equal(await find({ source: "fork" }), []);
    },
  }),

  scenario("strict-scalars", {
    rule: 'Scalars are strictly equal: 1 is not "1" and not true.',
    why: 'A step would be found by the wrong type, and tenants `1` and `"1"` be shown to each other.',
    run: async ({ saver }) => {
      const find = await finder(saver, {
        number: { k: 1 },
        string: { k: "1" },
        yes: { k: true },
        zero: { k: 0 },
        no: { k: false },
        empty: { k: "" },
        nil: { k: null },
      });
      for (const [name, k] of Object.entries({
        number: 1,
        string: "1",
        yes: true,
        zero: 0,
        no: false,
        empty: "",
      })) {
        equal(await find({ k }), [name]);
      }
    },
  }),

  scenario("exact-strings", {
    rule: "Strings are compared exactly: case, normal form, spaces.",
    why: "A tenant filter would match another tenant whose name differs in case only.",
    run: async ({ saver }) => {
      const find = await finder(saver, {
        lower: { k: "caf\u00e9" },
        upper: { k: "CAF\u00c9" },
        split: { k: "cafe\u0301" },
        space: { k: "caf\u00e9 " },
      });
      equal(await find({ k: "caf\u00e9" }), ["lower"]);
      equal(await find({ k: "cafe\u0301" }), ["split"]);
      equal(await find({ k: "^caf" }), []);
    },
  }),

  scenario("null-is-stored-null", {
    rule: "null matches only a stored null, not a key that is not there.",
    why: "Looking for what was set to null would return everything that never had the key.",
    run: async ({ saver }) => {
      const find = await finder(saver, {
        nil: { k: null },
        absent: {},
        word: { k: "null" },
        undef: { k: undefined },
      });
      equal(await find({ k: null }), ["nil"]);
    },
  }),

  scenario("deep-objects", {
    rule: "Objects are deeply equal, whatever the key order; arrays in order and length.",
    why: "A filter on an object, such as parents, would find nothing, or only until a driver sorts keys.",
    run: async ({ saver }) => {
      const find = await finder(saver, {
        ab: { k: { a: 1, b: { c: [1, { d: 2, e: 3 }] } } },
        ba: { k: { b: { c: [1, { e: 3, d: 2 }] }, a: 1 } },
        more: { k: { a: 1, b: { c: [1, { d: 2, e: 3 }] }, f: 1 } },
        less: { k: { a: 1 } },
        turned: { k: { a: 1, b: { c: [{ d: 2, e: 3 }, 1] } } },
        list: { k: ["a", "b"] },
        none: { k: [] },
        child: { parents: { "": "p" } },
      });
      equal(await find({ k: { b: { c: [1, { e: 3, d: 2 }] }, a: 1 } }), ["ab", "ba"]);
      equal(await find({ k: { a: 1 } }), ["less"]);
      equal(await find({ k: {} }), []);
      equal(await find({ k: ["a", "b"] }), ["list"]);
      equal(await find({ k: ["b", "a"] }), []);
      equal(await find({ k: ["a"] }), []);
      equal(await find({ k: [] }), ["none"]);
      equal(await find({ parents: { "": "p" } }), ["child"]);
    },
  }),

  scenario("arrays-are-not-searched", {
    rule: "Arrays are not searched: a scalar is not equal to a list that holds it.",
    why: "A database that searches inside arrays would return checkpoints that were not asked for.",
    run: async ({ saver }) => {
      const find = await finder(saver, {
        ab: { k: ["a", "b"] },
        a: { k: ["a"] },
        plain: { k: "a" },
        one: { k: [1] },
        number: { k: 1 },
      });
      equal(await find({ k: "a" }), ["plain"]);
      equal(await find({ k: 1 }), ["number"]);
      equal(await find({ k: "b" }), []);
    },
  }),

  scenario("dotted-keys", {
    rule: "Keys with dots are plain keys, not paths.",
    why: "A filter on `a.b` would read another field than the one that was stored.",
    run: async ({ saver }) => {
      const find = await finder(saver, {
        dotted: { "a.b": 1 },
        nested: { a: { b: 1 } },
        both: { "a.b": 1, a: { b: 1 } },
      });
      equal(await find({ "a.b": 1 }), ["dotted", "both"]);
      equal(await find({ "metadata.a.b": 1 }), []);
    },
  }),

  scenario("dollar-keys", {
    rule: "Keys with $ are plain keys, not operators.",
    why: "A filter that comes from a request could read every thread of the database.",
    run: async ({ saver }) => {
      const find = await finder(saver, {
        gt: { k: { $gt: "" } },
        text: { k: "some text" },
        top: { $where: "1", $or: [{ k: 1 }] },
        plain: { k: 1 },
      });
      // That an equal object is found has a scenario of its own; here it may be refused, but never be carried out.
      for (const [filter, most] of [
        [{ k: { $gt: "" } }, ["gt"]],
        [{ k: { $ne: null } }, []],
        [{ k: { $exists: true } }, []],
        [{ $or: [{ k: 1 }] }, ["top"]],
      ] as [Record<string, unknown>, string[]][]) {
        const { value: found = [] } = await settle(() => find(filter));
        equal(
          (found as string[]).filter((name) => !most.includes(name)),
          [],
          "what an operator would find",
        );
      }
      equal(await find({ $where: "1" }), ["top"]);
    },
  }),

  scenario("names-of-object-members", {
    rule: "__proto__, constructor and toString are ordinary keys.",
    why: "Such a filter would match every checkpoint or none, or pollute the process.",
    run: async ({ saver }) => {
      const find = await finder(saver, {
        plain: {},
        proto: json('{"__proto__":"x"}'),
        other: { constructor: "x", toString: "x" },
      });
      equal(await find(json('{"__proto__":"x"}')), ["proto"]);
      equal(await find({ constructor: "x" }), ["other"]);
      equal(await find({ toString: "x" }), ["other"]);
      equal(await find(json('{"__proto__":null}')), []);
      equal(await find(json('{"__proto__":{}}')), []);
    },
  }),

  scenario("large-metadata", {
    rule: "Metadata too large to be indexed is still found.",
    why: "An index's key limit would make puts fail or matches disappear.",
    run: async ({ saver }) => {
      const text = "m".repeat(20_000);
      const find = await finder(saver, { a: { k: text }, b: { k: `${text}b` }, c: { k: { text } } });
      equal(await find({ k: text }), ["a"]);
      equal(await find({ k: `${text}b` }), ["b"]);
    },
  }),

  scenario("across-threads", {
    rule: "A filter works across threads and namespaces.",
    why: "An operator who looks for a run would not find it.",
    run: async ({ saver }) => {
      const wanted = [
        await putOne(saver, "t", { metadata: { k: 1 } }),
        await putOne(saver, "u", { namespace: "n", metadata: { k: 1 } }),
      ];
      await putOne(saver, "u", { metadata: { k: 2 } });
      const ids = (await listAll(saver, {}, { filter: { k: 1 } })).map((tuple) => tuple.checkpoint.id);
      sameIds(ids, wanted);
    },
  }),
];
