import { Send } from "@langchain/langgraph";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import {
  configOf,
  getOne,
  listAll,
  listIds,
  putOne,
  refusal,
  valuesOf,
  writesOf,
  type Savers,
} from "./support.js";

const shared = { once: [1, 2] };

/** Values that come back as they went in, whatever else is around them. */
const kinds: Record<string, unknown> = {
  null: null,
  true: true,
  numbers: [0, 1, -1, 1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE],
  NaN: NaN,
  Infinity: [Infinity, -Infinity],
  "-0": -0,
  BigInt: [0n, -1n, 2n ** 200n],
  strings: ["", "text", "\0", "\u2028\u2029", "\u{1F600}", "caf\u00e9", "cafe\u0301", '"\\/\b\f\n\r\t'],
  "a lone surrogate": "\ud800 and \udfff",
  undefined: undefined,
  "undefined in an object": { a: undefined, b: 1 },
  "undefined in an array": [1, undefined, 2],
  "an empty object": {},
  "an empty array": [],
  "nested objects": { a: { b: { c: [{ d: [[]] }] } } },
  Date: new Date("2026-01-02T03:04:05.678Z"),
  "an invalid Date": new Date(NaN),
  Uint8Array: new Uint8Array([0, 1, 127, 128, 255]),
  "an empty Uint8Array": new Uint8Array(),
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
  "a view into a larger buffer": new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 3),
  Map: new Map<unknown, unknown>([
    ["b", 1],
    ["a", new Map([[1, 2]])],
    [1, "number key"],
    ["1", "string key"],
  ]),
  "a Map with odd keys": new Map<unknown, unknown>([
    [null, 1],
    [undefined, 2],
    [NaN, 3],
    [new Date(1), 4],
    [{ o: 1 }, 5],
  ]),
  Set: new Set<unknown>(["b", "a", 1, NaN, new Set([null])]),
  RegExp: /a\/b+[^"]/giu,
  DeltaSnapshot: new DeltaSnapshot({ list: [1, undefined, new Date(0)] }),
  "all of them nested": {
    list: [new Date(1), { big: 1n, map: new Map([["k", [new Uint8Array([1]), NaN, -0]]]) }, new Set([1n])],
  },
  "one object in two places": { a: shared, b: shared, c: [shared] },
  "keys like members of Object": JSON.parse(
    '{"__proto__":{"x":1},"constructor":1,"toString":2,"hasOwnProperty":3}',
  ),
  "keys like a serializer's": {
    lc: 1,
    type: "x",
    $date: 1,
    $type: "Date",
    __type: "Map",
    $binary: "",
    value: 1,
    id: ["a"],
  },
  "odd keys": { "": 1, "a.b": 2, $set: 3, "a\0b": 4, "\ud800": 5, "10": 6, "9": 7 },
};

/** Plain data in the shape of a serializer's instructions: it must come back as data. */
const instructions: Record<string, unknown> = {
  "a constructor record of Function": {
    lc: 2,
    type: "constructor",
    id: ["Function"],
    method: null,
    args: ["return process"],
    kwargs: {},
  },
  "a constructor record with a method": {
    lc: 2,
    type: "constructor",
    id: ["Object"],
    method: "assign",
    args: [{}],
    kwargs: {},
  },
  "a constructor record with a path": {
    lc: 2,
    type: "constructor",
    id: ["constructor", "constructor"],
    method: null,
    args: [],
    kwargs: {},
  },
  "a LangChain record of an unknown class": {
    lc: 1,
    type: "constructor",
    id: ["langchain_core", "nowhere", "Nothing"],
    kwargs: { a: 1 },
  },
  "a LangChain record of __proto__": {
    lc: 1,
    type: "constructor",
    id: ["langchain_core", "messages", "__proto__"],
    kwargs: {},
  },
  "a LangChain record of a runnable": {
    lc: 1,
    type: "constructor",
    id: ["langchain_core", "runnables", "RunnableSequence"],
    kwargs: { first: 1 },
  },
  "a LangChain secret": { lc: 1, type: "secret", id: ["PATH"] },
  "a LangChain secret in a list": [{ nested: { lc: 1, type: "secret", id: ["PATH"] } }],
};

export function valuesContract(savers: Savers): void {
  describe("values", () => {
    const roundTrip = async (value: unknown): Promise<unknown[]> => {
      const saver = savers();
      const id = await putOne(saver, "t", { values: { c: value, nested: { in: [value] } } });
      await saver.putWrites(configOf("t", id), [["c", value]], "k");
      const { channel_values: got } = (await getOne(saver, "t", id)).checkpoint;
      const listed = (await listAll(saver, configOf("t")))[0]!.checkpoint.channel_values;
      return [
        got["c"],
        (got["nested"] as { in: unknown[] }).in[0],
        (await writesOf(saver, "t", id))[0]![2],
        listed["c"],
      ];
    };

    for (const [kind, value] of Object.entries({ ...kinds })) {
      it(`${kind} round-trips`, async () => {
        for (const got of await roundTrip(value)) expect(got).toStrictEqual(value);
      });
    }

    for (const [what, value] of Object.entries(instructions)) {
      it(`stored data is data: ${what} is not followed`, async () => {
        for (const got of await roundTrip(value)) expect(got).toStrictEqual(value);
      });
    }

    it("Error round-trips with its message", async () => {
      for (const got of await roundTrip(new TypeError('it "failed"'))) {
        expect(got).toBeInstanceOf(Error);
        expect((got as Error).message).toBe('it "failed"');
      }
    });

    it("Send round-trips with node and args", async () => {
      const args = { when: new Date(1), list: [1n] };
      for (const got of await roundTrip(new Send("worker", args))) {
        expect((got as Send).node).toBe("worker");
        expect((got as Send).args).toStrictEqual(args);
      }
    });

    it("Buffer round-trips as bytes", async () => {
      for (const got of await roundTrip(Buffer.from([0, 200, 255]))) {
        expect(got).toBeInstanceOf(Uint8Array);
        expect([...(got as Uint8Array)]).toEqual([0, 200, 255]);
      }
    });

    it("Map and Set keep their order, and objects the order of their keys", async () => {
      for (const got of await roundTrip(
        new Map([
          ["z", 1],
          ["a", 2],
          ["m", 3],
        ]),
      ))
        expect([...(got as Map<string, number>).keys()]).toEqual(["z", "a", "m"]);
      for (const got of await roundTrip(new Set(["z", "a", "m"])))
        expect([...(got as Set<string>)]).toEqual(["z", "a", "m"]);
      for (const got of await roundTrip({ z: 1, a: 2, m: 3 }))
        expect(Object.keys(got as object)).toEqual(["z", "a", "m"]);
    });

    it("__proto__, constructor and toString are ordinary channels", async () => {
      const saver = savers();
      const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
      const own = <T>(value: (name: string) => T) =>
        Object.fromEntries(names.map((name) => [name, value(name)]));
      const parent = await putOne(saver, "t", { values: own((name) => ({ polluted: name })) });
      const child = await putOne(saver, "t", {
        parent,
        values: own(() => "ignored"),
        versions: own(() => 1),
        changed: [],
      });
      for (const id of [parent, child]) {
        const { checkpoint } = await getOne(saver, "t", id);
        expect(Object.entries(checkpoint.channel_values)).toEqual(
          names.map((name) => [name, { polluted: name }]),
        );
        expect(Object.entries(checkpoint.channel_versions)).toEqual(names.map((name) => [name, 1]));
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    it("channels named like members of Object are absent when they are not there", async () => {
      const parent = await putOne(savers(), "t");
      const child = await putOne(savers(), "t", {
        parent,
        versions: { constructor: 1, toString: 2 },
        changed: ["toString"],
      });
      expect(Object.keys(await valuesOf(savers(), "t", child))).toEqual([]);
    });

    const cycle: Record<string, unknown> = { inner: { list: [1] } };
    (cycle["inner"] as { list: unknown[] }).list.push(cycle);
    const loop: unknown[] = [];
    loop.push(loop);
    const refused: [string, unknown, RegExp][] = [
      ["a function", { outer: [0, { inner: () => 1 }] }, /outer.*1.*inner/],
      ["a function in a Map", { outer: new Map([["key", () => 1]]) }, /outer/],
      ["a symbol", { outer: { inner: Symbol("s") } }, /outer.*inner/],
      ["a cycle", { outer: cycle }, /outer.*inner.*list/],
      ["a cycle of arrays", { outer: loop }, /outer/],
      ["a method", { outer: { run() {} } }, /outer.*run/],
    ];
    for (const [what, value, path] of refused) {
      it(`${what} is refused with the channel and the path, and nothing is stored`, async () => {
        const saver = savers();
        const parent = await putOne(saver, "t", { values: { fine: 1 } });
        const error = await refusal(() =>
          putOne(saver, "t", { parent, values: { fine: 2, poisoned: value } }),
        );
        expect(error.message).toContain("poisoned");
        expect(error.message).toMatch(path);
        expect(await listIds(saver, {})).toEqual([parent]);
        const inWrites = await refusal(() =>
          saver.putWrites(
            configOf("t", parent),
            [
              ["fine", 1],
              ["poisoned", value],
              ["later", 2],
            ],
            "k",
          ),
        );
        expect(inWrites.message).toContain("poisoned");
        expect(inWrites.message).toMatch(path);
        expect(await writesOf(saver, "t", parent)).toEqual([]);
        expect(await valuesOf(saver, "t")).toEqual({ fine: 1 });
      });
    }

    it("a function as the value itself is refused", async () => {
      expect(
        (await refusal(() => putOne(savers(), "t", { values: { poisoned: () => 1 } }))).message,
      ).toContain("poisoned");
      expect(await listIds(savers(), {})).toEqual([]);
    });
  });
}
