import { Send } from "@langchain/langgraph";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";

import { check, equal, identical } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { checkRoundTrip, roundTrip } from "./round-trip.js";

const scenario = inGroup("richValues");

/** What `JsonPlusSerializer` silently loses. */
export const richValuesScenarios: readonly Scenario[] = [
  scenario("date", {
    rule: "Date round-trips, an invalid one too.",
    why: "It would come back as text, and the first call of a method on it would fail after a resume only.",
    run: async ({ saver }) => {
      await checkRoundTrip(saver, { Date: new Date("2026-01-02T03:04:05.678Z") });
      for (const got of await roundTrip(saver, new Date(NaN))) {
        check(got instanceof Date && Number.isNaN(got.getTime()), "an invalid Date");
      }
    },
  }),

  scenario("bigint", {
    rule: "BigInt round-trips.",
    why: "JSON refuses it: one such value would stop every checkpoint of the thread.",
    run: ({ saver }) => checkRoundTrip(saver, { BigInt: [0n, -1n, 2n ** 200n] }),
  }),

  scenario("special-numbers", {
    rule: "NaN, Infinity, -Infinity and -0 round-trip.",
    why: "JSON turns them into null or 0: scores and limits would change their meaning.",
    run: ({ saver }) => checkRoundTrip(saver, { NaN, Infinity: [Infinity, -Infinity], "-0": -0 }),
  }),

  scenario("typed-arrays", {
    rule: "Typed arrays round-trip as their own type.",
    why: "Embeddings would come back as objects with numbered keys, at ten times their size.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        Int8Array: new Int8Array([-128, 127]),
        Uint8ClampedArray: new Uint8ClampedArray([0, 255]),
        Int16Array: new Int16Array([-32768, 32767]),
        Uint16Array: new Uint16Array([0, 65535]),
        Int32Array: new Int32Array([-(2 ** 31), 7]),
        Uint32Array: new Uint32Array([2 ** 32 - 1]),
        Float32Array: new Float32Array([1.5, NaN, -0, Infinity]),
        Float64Array: new Float64Array([Math.PI, NaN, -0, -Infinity]),
        BigInt64Array: new BigInt64Array([-(2n ** 63n), 1n]),
        BigUint64Array: new BigUint64Array([2n ** 64n - 1n]),
      }),
  }),

  scenario("buffer", {
    rule: "Buffer round-trips as bytes.",
    why: "What Node's own APIs return would come back as an object of type `Buffer`.",
    run: async ({ saver }) => {
      for (const got of await roundTrip(saver, Buffer.from([0, 200, 255]))) {
        check(got instanceof Uint8Array, "a Uint8Array");
        equal([...got], [0, 200, 255]);
      }
    },
  }),

  scenario("odd-map-keys", {
    rule: "A Map with null, undefined, NaN, a Date or an object as key round-trips.",
    why: "Entries would be merged or lost.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        "a Map": new Map<unknown, unknown>([
          [null, 1],
          [undefined, 2],
          [NaN, 3],
          [new Date(1), 4],
          [{ o: 1 }, 5],
        ]),
      }),
  }),

  scenario("nested", {
    rule: "They round-trip inside each other, in a Send and in a DeltaSnapshot.",
    why: "A value would keep its type at the top of the state and lose it one level down.",
    run: async ({ saver }) => {
      await checkRoundTrip(saver, {
        "all of them": {
          list: [
            new Date(1),
            { big: 1n, map: new Map([["k", [new Uint8Array([1]), NaN, -0]]]) },
            new Set([1n]),
          ],
        },
        DeltaSnapshot: new DeltaSnapshot({ list: [1, undefined, new Date(0)] }),
      });
      const args = { when: new Date(1), list: [1n] };
      for (const got of await roundTrip(saver, new Send("worker", args))) identical((got as Send).args, args);
    },
  }),

  scenario("keys-like-object-members", {
    rule: "An own property named __proto__ round-trips as a property.",
    why: "It would vanish into the prototype, and with it what the model or a request put there.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        "keys like members of Object": JSON.parse(
          '{"__proto__":{"x":1},"constructor":1,"toString":2,"hasOwnProperty":3}',
        ),
      }),
  }),
];
