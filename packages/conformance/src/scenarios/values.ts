import { Send } from "@langchain/langgraph";
import { DeltaSnapshot, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";

import { check, equal, identical } from "../check.js";
import type { Scenario } from "../scenario.js";
import { getOne, putOne, valuesOf } from "./calls.js";
import { inGroup } from "./define.js";
import { checkRoundTrip, roundTrip } from "./round-trip.js";

const scenario = inGroup("values");
const shared = { once: [1, 2] };

/** What `JsonPlusSerializer`, LangGraph's own, brings back as it was. */
export const valuesScenarios: readonly Scenario[] = [
  scenario("json", {
    rule: "Scalars, strings, objects and arrays round-trip.",
    why: "They are what a state is made of.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        null: null,
        booleans: [true, false],
        numbers: [0, 1, -1, 1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE],
        strings: ["", "text", "\0", "\u2028\u2029", "\u{1F600}", "caf\u00e9", "cafe\u0301", '"\\/\b\f\n\r\t'],
        "an empty object": {},
        "an empty array": [],
        "nested objects": { a: { b: { c: [{ d: [[]] }] } } },
        "one object in two places": { a: shared, b: shared, c: [shared] },
      }),
  }),

  scenario("lone-surrogates", {
    rule: "Text that is not well-formed unicode round-trips.",
    why: "Models cut their output in the middle of an emoji: streamed text would change or fail to be stored.",
    run: ({ saver }) => checkRoundTrip(saver, { "a lone surrogate": "\ud800 and \udfff" }),
  }),

  scenario("undefined", {
    rule: "undefined round-trips, alone, in an object and in an array.",
    why: "A field that was cleared would come back as null, or the array be shifted.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        undefined: undefined,
        "undefined in an object": { a: undefined, b: 1 },
        "undefined in an array": [1, undefined, 2],
      }),
  }),

  scenario("bytes", {
    rule: "Uint8Array round-trips, also empty and as a view into a larger buffer.",
    why: "Files and images in the state would come back as lists of numbers, or with their neighbours' bytes.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        Uint8Array: new Uint8Array([0, 1, 127, 128, 255]),
        "an empty Uint8Array": new Uint8Array(),
        "a view": new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 3),
      }),
  }),

  scenario("collections", {
    rule: "Map, Set and RegExp round-trip.",
    why: "They would come back as empty objects.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        Map: new Map<unknown, unknown>([
          ["b", 1],
          ["a", new Map([[1, 2]])],
          [1, "number key"],
          ["1", "string key"],
        ]),
        Set: new Set<unknown>(["b", "a", 1, new Set([null])]),
        RegExp: /a\/b+[^"]/giu,
      }),
  }),

  scenario("order-is-kept", {
    rule: "Map and Set keep their order, and objects the order of their keys.",
    why: "A list kept in a Map would be shuffled by the storage.",
    run: async ({ saver }) => {
      const entries: [string, number][] = [
        ["z", 1],
        ["a", 2],
        ["m", 3],
      ];
      const order = ["z", "a", "m"];
      for (const got of await roundTrip(saver, new Map(entries))) {
        equal([...(got as Map<string, number>).keys()], order);
      }
      for (const got of await roundTrip(saver, new Set(order))) equal([...(got as Set<string>)], order);
      for (const got of await roundTrip(saver, Object.fromEntries(entries))) {
        equal(Object.keys(got as object), order);
      }
    },
  }),

  scenario("error", {
    rule: "Error round-trips with its message.",
    why: "The reason why a node failed would be lost.",
    run: async ({ saver }) => {
      for (const got of await roundTrip(saver, new TypeError('it "failed"'))) {
        check(got instanceof Error, "an Error");
        identical(got.message, 'it "failed"');
      }
    },
  }),

  scenario("send", {
    rule: "Send round-trips with node and args.",
    why: "The jobs of a fan-out would not run after a resume.",
    run: async ({ saver }) => {
      const args = { list: [1, new Map([["k", null]])] };
      for (const got of await roundTrip(saver, new Send("worker", args))) {
        identical((got as Send).node, "worker");
        identical((got as Send).args, args);
      }
    },
  }),

  scenario("delta-snapshot", {
    rule: "DeltaSnapshot round-trips.",
    why: "A delta channel could not be rebuilt from it.",
    run: async ({ saver }) => {
      const snapshot = new DeltaSnapshot({ list: [1, null, { a: "x" }] });
      for (const got of await roundTrip(saver, snapshot)) {
        check(isDeltaSnapshot(got), "a DeltaSnapshot");
        identical(got, snapshot);
      }
    },
  }),

  scenario("odd-keys", {
    rule: "Keys with dots, dollars, NUL, and those a serializer uses itself are ordinary keys.",
    why: "A database would read them as paths or operators, a serializer as its own records.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        "odd keys": { "": 1, "a.b": 2, $set: 3, "a\0b": 4, "10": 6, "9": 7 },
        "a serializer's keys": {
          lc: 1,
          type: "x",
          $date: 1,
          $type: "Date",
          __type: "Map",
          $binary: "",
          value: 1,
          id: ["a"],
        },
      }),
  }),

  scenario("channels-like-object-members", {
    rule: "__proto__, constructor and toString are ordinary channels.",
    why: "A channel of that name would be lost, hold a function, or pollute the process.",
    run: async ({ saver }) => {
      const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
      const own = <T>(value: (name: string) => T) =>
        Object.fromEntries(names.map((name) => [name, value(name)]));
      const parent = await putOne(saver, "t", { values: own((name) => ({ polluted: name })) });
      const child = await putOne(saver, "t", {
        parent,
        values: own((name) => ({ polluted: name })),
        versions: own(() => 1),
        changed: [],
      });
      for (const id of [parent, child]) {
        const { checkpoint } = await getOne(saver, "t", id);
        equal(
          new Map(Object.entries(checkpoint.channel_values)),
          new Map(names.map((name) => [name, { polluted: name }])),
        );
        equal(new Map(Object.entries(checkpoint.channel_versions)), new Map(names.map((name) => [name, 1])));
      }
      equal(({} as { polluted?: unknown }).polluted, undefined, "the members of every object");
    },
  }),

  scenario("absent-object-members", {
    rule: "Channels named like members of Object are absent when they are not there.",
    why: "A plain lookup finds Object's own function and takes it for the channel's value.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t");
      const child = await putOne(saver, "t", {
        parent,
        versions: { constructor: 1, toString: 2 },
        changed: ["toString"],
      });
      equal(Object.keys(await valuesOf(saver, "t", child)), []);
    },
  }),
];
