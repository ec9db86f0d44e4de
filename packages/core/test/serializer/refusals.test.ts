import { describe, it, expect } from "vitest";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Serializable } from "@langchain/core/load/serializable";
import { UnserializableError } from "../../src/codec/serializer/index.js";
import { loadJson, nest, roundTrip, serializer, thrownBy } from "./helpers.js";

class Opaque extends Serializable {
  lc_namespace = ["test"];
}

function refusal(value: unknown): { path: string; reason: string } {
  const error = thrownBy(() => serializer.dump(value));
  expect(error).toBeInstanceOf(UnserializableError);
  const { path, reason, message } = error as UnserializableError;
  expect(message).toBe(`Cannot serialize ${path}: ${reason}`);
  return { path, reason };
}

describe("refusals name the place and the reason", () => {
  it.each<[string, unknown, string, RegExp]>([
    ["a function", { a: [0, 1, 2, { fn: () => 1 }] }, "$.a[3].fn", /function/],
    ["a symbol", { "odd key": Symbol("s") }, '$["odd key"]', /symbol/],
    ["a boxed symbol", [Object(Symbol("s"))], "$[0]", /symbol/],
    ["a Promise", { p: Promise.resolve() }, "$.p", /Promise/],
    ["a WeakMap", { p: new WeakMap() }, "$.p", /WeakMap/],
    ["a WeakSet", { p: new WeakSet() }, "$.p", /WeakSet/],
    ["a WeakRef", { p: new WeakRef({}) }, "$.p", /WeakRef/],
    ["at the top", () => 1, "$", /function/],
    [
      "in a Map",
      new Map([
        ["a", 1],
        ["b", () => 1],
      ] as [string, unknown][]),
      "$[1].value",
      /function/,
    ],
    ["in a Set", { s: new Set([() => 1]) }, "$.s[0]", /function/],
    ["in an error", { e: Object.assign(new Error("x"), { fn: () => 1 }) }, "$.e.fn", /function/],
    ["in a cause", new Error("x", { cause: Symbol("s") }), "$.cause", /symbol/],
    [
      "in a message",
      [new HumanMessage({ content: "", additional_kwargs: { fn: () => 1 } })],
      "$[0].additional_kwargs.fn",
      /function/,
    ],
    ["in an escaped object", { a: { lc: 1, fn: () => 1 } }, "$.a.fn", /function/],
    [
      "in one inside a message",
      new ToolMessage({ content: "", tool_call_id: "1", artifact: { lc: 1, fn: () => 1 } }),
      "$.artifact.fn",
      /function/,
    ],
    ["a LangChain object that is not serializable", { m: new Opaque({}) }, "$.m", /not serializable/],
    [
      "one inside a message",
      new ToolMessage({ content: "", tool_call_id: "1", artifact: [new Opaque({})] }),
      "$.artifact[0]",
      /not serializable/,
    ],
  ])("%s", (_, value, path, reason) => {
    const refused = refusal(value);
    expect(refused.path).toBe(path);
    expect(refused.reason).toMatch(reason);
  });

  it("no value shows in the message", () => {
    const error = thrownBy(() => serializer.dump({ a: [Symbol("hunter2")] })) as Error;
    expect(error.message).not.toContain("hunter2");
  });

  it("a toJSON() that throws is named, with its error as the cause", () => {
    const cause = new Error("no");
    const error = thrownBy(() =>
      serializer.dump({
        a: {
          toJSON() {
            throw cause;
          },
        },
      }),
    ) as UnserializableError;
    expect([error.path, error.cause]).toEqual(["$.a", cause]);
  });

  it("dumpsTyped rejects rather than throws", async () => {
    await expect(serializer.dumpsTyped(() => 1)).rejects.toBeInstanceOf(UnserializableError);
  });
});

describe("cycles", () => {
  const list: unknown[] = [];
  list.push({ again: list });
  const map = new Map<string, unknown>();
  map.set("self", map);
  const message = new HumanMessage("hi");
  message.additional_kwargs["me"] = [message];
  const error = new Error("x");
  error.cause = error;
  const wide: Record<string, unknown> = { big: Array.from({ length: 1000 }, (_, i) => ({ i })) };
  wide["self"] = { wide };

  it.each<[string, unknown, string]>([
    ["an array", list, "$[0].again"],
    ["further down", { state: { list } }, "$.state.list[0].again"],
    ["a Map", map, "$[0].value"],
    ["a message", message, "$.additional_kwargs.me[0]"],
    ["an error", error, "$.cause"],
    ["a wide object", wide, "$.self.wide"],
  ])("%s", (_, value, path) => {
    expect(refusal(value)).toEqual({ path, reason: "it is part of a cycle" });
  });

  it("the same object twice is no cycle", async () => {
    const shared = { at: new Date(1) };
    expect(await roundTrip({ a: shared, b: [shared] })).toStrictEqual({ a: shared, b: [shared] });
  });
});

describe("depth", () => {
  it.each<[string, number, (inner: unknown) => unknown]>([
    ["arrays", 1900, (v) => [v]],
    ["objects", 1900, (v) => ({ v })],
    ["objects with a record in each", 1900, (v) => ({ v, at: undefined })],
    ["Sets", 600, (v) => new Set([v])],
    ["Maps", 450, (v) => new Map([["k", v]])],
    ["escaped objects", 950, (v) => ({ lc: v })],
    ["errors", 900, (v) => new Error("x", { cause: v })],
    ["messages", 600, (v) => new ToolMessage({ content: "", tool_call_id: "", artifact: v })],
    ["instances with toJSON()", 1200, (v) => ({ toJSON: () => ({ v }) })],
  ])("%s nested %i deep go both ways", async (_, levels, wrap) => {
    const value = nest(levels, wrap);
    const [type, data] = serializer.dump(value);
    const again = serializer.dump(await serializer.load(type, data));
    expect(Buffer.compare(data, again[1])).toBe(0);
  });

  it.each<[string, (inner: unknown) => unknown]>([
    ["arrays", (v) => [v]],
    ["Maps", (v) => new Map([["k", v]])],
    ["objects in a message", (v) => new ToolMessage({ content: "", tool_call_id: "", artifact: { lc: v } })],
    ["instances with toJSON()", (v) => ({ toJSON: () => ({ v }) })],
  ])("%s nested 3000 deep are refused", (_, wrap) => {
    // Which limit comes first depends on how much stack the runner has left.
    expect(refusal(nest(3000, wrap)).reason).toMatch(/^it is nested (deeper than 2000 levels|too deeply)/);
  });

  it("whatever the limit lets through can be loaded", async () => {
    for (const wrap of [
      (v: unknown) => [v],
      (v: unknown) => new Map([[0, v]]),
      (v: unknown) => ({ lc: v }),
    ]) {
      for (let levels = 400; levels <= 2001; levels++) {
        const value = nest(levels, wrap);
        if (levels % 97 && Math.abs(levels - 500) > 2 && Math.abs(levels - 1000) > 2 && levels < 1998)
          continue;
        if (thrownBy(() => serializer.dump([value, undefined]))) continue;
        await expect(roundTrip([value, undefined])).resolves.toBeDefined();
      }
    }
  });

  it("a text that is nested deeper gives a clear error", () => {
    for (const levels of [2001, 100_000]) {
      const text = new TextEncoder().encode("[".repeat(levels) + "]".repeat(levels));
      expect(() => serializer.load("json", text)).toThrow("nested deeper than 2000 levels");
    }
    const escaped = nest(1100, (v) => ({ lc: 2, type: "escaped", value: { lc: 1, v } }));
    expect(() => loadJson(escaped)).toThrow("nested deeper");
  });
});
