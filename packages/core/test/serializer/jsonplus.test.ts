import { describe, it, expect, vi, beforeAll, afterAll } from "vitest";
import fc from "fast-check";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { json, message } from "./arbitraries.js";
import { jsonPlus, loadJson, roundTrip, same, serializer } from "./helpers.js";

beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
afterAll(() => void vi.restoreAllMocks());

async function bothLoad(type: string, data: Uint8Array | string): Promise<[ours: unknown, theirs: unknown]> {
  const copy = typeof data === "string" ? data : data.slice();
  return [await serializer.loadsTyped(type, data), await jsonPlus.loadsTyped(type, copy)];
}

describe("what JsonPlusSerializer wrote", () => {
  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["undefined inside", { a: undefined, b: [undefined] }],
    [
      "Map and Set",
      {
        m: new Map<unknown, unknown>([
          ["a", new Set([1, new Map()])],
          [{ k: 1 }, undefined],
        ]),
      },
    ],
    ["RegExp", [/a.b/gi, /\//]],
    ["Error", { e: new Error("boom") }],
    ["Uint8Array", { b: new Uint8Array([1, 255]) }],
    ["bytes", new Uint8Array([1, 2, 3])],
    ["DeltaSnapshot", new DeltaSnapshot([new AIMessage("x"), undefined])],
    ["Send", { lg_name: "Send", node: "n", args: [new HumanMessage("x")], timeout: 3 }],
    [
      "messages",
      [new HumanMessage({ content: "x", id: undefined as never }), new AIMessage({ content: [], name: "n" })],
    ],
    [
      "undefined in the fields of a message",
      new ToolMessage({
        content: "x",
        tool_call_id: "t",
        artifact: { a: undefined, b: [undefined, 1], c: { lc: 5, u: undefined, l: [undefined] } },
      }),
    ],
    [
      "an escaped object in a message",
      new ToolMessage({ content: "x", tool_call_id: "t", artifact: { lc: 7, a: [{ lc: 8 }] } }),
    ],
  ])("%s", async (_, value) => {
    const [ours, theirs] = await bothLoad(...(await jsonPlus.dumpsTyped(value)));
    expect(ours).toStrictEqual(theirs);
  });

  it("any message", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 3 }), async (messages) => {
        // JsonPlusSerializer brings to life what a user's lookalike claims to be; ours does not.
        fc.pre(
          !/"lc\\*":[12]\b/.test(
            JSON.stringify(messages.map((m) => m.toJSON())).replaceAll(
              '"lc":1,"type":"constructor","id":["langchain_core"',
              "",
            ),
          ),
        );
        const [ours, theirs] = await bothLoad(...(await jsonPlus.dumpsTyped({ messages })));
        same(ours, theirs);
      }),
      { numRuns: 500 },
    );
  });

  it("any text without __proto__", async () => {
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes("__proto__"));
        const [ours, theirs] = await bothLoad("json", text);
        same(ours, theirs);
      }),
      { numRuns: 500 },
    );
  });

  it("goes on round-tripping through ours", async () => {
    const value = {
      m: new Map([["a", new Set([/x/g])]]),
      u: undefined,
      b: new Uint8Array([7]),
      msg: new AIMessage("q"),
    };
    const [type, data] = await jsonPlus.dumpsTyped(value);
    expect(await roundTrip(await serializer.loadsTyped(type, data))).toEqual(value);
  });
});

describe("records that are not valid stay plain objects, as in JsonPlusSerializer", () => {
  const record = (fields: object) => ({ lc: 2, type: "constructor", method: null, kwargs: {}, ...fields });
  it.each<[string, unknown]>([
    ["an unknown constructor", record({ id: ["Function"], args: ["return 1"] })],
    ["a property of Object", record({ id: ["constructor"], args: [[]] })],
    ["two ids", record({ id: ["Map", "constructor"], args: [[]] })],
    ["a method", record({ id: ["Map"], method: "groupBy", args: [[]] })],
    ["Uint8Array with another method", record({ id: ["Uint8Array"], method: "of", args: [[1]] })],
    ["Uint8Array out of range", record({ id: ["Uint8Array"], method: "from", args: [[256]] })],
    ["Uint8Array of one number", record({ id: ["Uint8Array"], args: [5] })],
    ["a Map of odd entries", record({ id: ["Map"], args: [[[1]]] })],
    ["a Map of no list", record({ id: ["Map"], args: [] })],
    ["a Set of a string", record({ id: ["Set"], args: ["abc"] })],
    ["a broken RegExp", record({ id: ["RegExp"], args: ["(", ""] })],
    ["a RegExp of one argument", record({ id: ["RegExp"], args: ["a"] })],
    ["an Error of a number", record({ id: ["Error"], args: [5] })],
    ["a snapshot of nothing", { lc: 2, type: "delta_snapshot" }],
    ["lc as a string", { lc: "2", type: "undefined" }],
    ["an unknown type", { lc: 2, type: "toString", value: 1 }],
    ["lc:1 without id", { lc: 1, type: "constructor", kwargs: {} }],
    ["lc:1 without kwargs", { lc: 1, type: "constructor", id: ["langchain_core", "messages", "AIMessage"] }],
    ["lc:1 not implemented", { lc: 1, type: "not_implemented", id: ["x"] }],
    [
      "a valid one inside an invalid one",
      record({ id: ["Nope"], args: [record({ id: ["Set"], args: [[1]] })] }),
    ],
  ])("%s", async (_, value) => {
    const [ours, theirs] = await bothLoad("json", JSON.stringify({ value }));
    expect(ours).toStrictEqual(theirs);
  });

  it.each<[string, object]>([
    ["a date of text", { lc: 2, type: "date", value: "2020" }],
    ["a date out of range", { lc: 2, type: "date", value: 9e15 }],
    ["a bigint of text", { lc: 2, type: "bigint", value: "0x10" }],
    ["a number of another name", { lc: 2, type: "number", value: "toString" }],
    ["binary without segments", { lc: 2, type: "binary", kind: "Buffer", segment: 0 }],
    ["an escape of a list", { lc: 2, type: "escaped", value: [1] }],
  ])("%s (ours)", (_, value) => {
    expect(loadJson(value)).toStrictEqual(value);
  });
});
