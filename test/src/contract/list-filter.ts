import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import { configOf, listAll, putOne, type Savers } from "./support.js";

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

export function listFilterContract(savers: Savers): void {
  describe("list, filter", () => {
    it("every key must match", async () => {
      const find = await finder(savers(), { both: { a: 1, b: 2 }, one: { a: 1 }, other: { a: 1, b: 3 } });
      expect(await find({ a: 1, b: 2 })).toEqual(["both"]);
      expect(await find({ a: 1 })).toEqual(["both", "one", "other"]);
      expect(await find({ a: 1, missing: 1 })).toEqual([]);
      expect(await find({})).toEqual(["both", "one", "other"]);
    });

    it("the keys that LangGraph itself stores: source, step, parents", async () => {
      const find = await finder(savers(), {
        input: { source: "input", step: -1 },
        zero: { step: 0 },
        one: { step: 1, parents: { "": "p" } },
      });
      expect(await find({ source: "input" })).toEqual(["input"]);
      expect(await find({ source: "loop" })).toEqual(["zero", "one"]);
      expect(await find({ source: "loop", step: 1 })).toEqual(["one"]);
      expect(await find({ step: -1 })).toEqual(["input"]);
      expect(await find({ step: "1" })).toEqual([]);
      expect(await find({ source: "fork" })).toEqual([]);
      expect(await find({ parents: { "": "p" } })).toEqual(["one"]);
    });

    it('scalars are strictly equal: 1 is not "1" and not true', async () => {
      const find = await finder(savers(), {
        number: { k: 1 },
        string: { k: "1" },
        yes: { k: true },
        zero: { k: 0 },
        no: { k: false },
        empty: { k: "" },
        nil: { k: null },
        list: { k: [1] },
      });
      for (const [name, k] of Object.entries({
        number: 1,
        string: "1",
        yes: true,
        zero: 0,
        no: false,
        empty: "",
        list: [1],
      })) {
        expect(await find({ k })).toEqual([name]);
      }
    });

    it("strings are compared exactly: case, normal form, spaces", async () => {
      const find = await finder(savers(), {
        lower: { k: "caf\u00e9" },
        upper: { k: "CAF\u00c9" },
        split: { k: "cafe\u0301" },
        space: { k: "caf\u00e9 " },
      });
      expect(await find({ k: "caf\u00e9" })).toEqual(["lower"]);
      expect(await find({ k: "cafe\u0301" })).toEqual(["split"]);
      expect(await find({ k: "^caf" })).toEqual([]);
    });

    it("null matches only a stored null, not a key that is not there", async () => {
      const find = await finder(savers(), {
        nil: { k: null },
        absent: {},
        word: { k: "null" },
        undef: { k: undefined },
      });
      expect(await find({ k: null })).toEqual(["nil"]);
    });

    it("objects are deeply equal, whatever the key order", async () => {
      const find = await finder(savers(), {
        ab: { k: { a: 1, b: { c: [1, { d: 2, e: 3 }] } } },
        ba: { k: { b: { c: [1, { e: 3, d: 2 }] }, a: 1 } },
        more: { k: { a: 1, b: { c: [1, { d: 2, e: 3 }] }, f: 1 } },
        less: { k: { a: 1 } },
        turned: { k: { a: 1, b: { c: [{ d: 2, e: 3 }, 1] } } },
      });
      expect(await find({ k: { b: { c: [1, { e: 3, d: 2 }] }, a: 1 } })).toEqual(["ab", "ba"]);
      expect(await find({ k: { a: 1 } })).toEqual(["less"]);
      expect(await find({ k: {} })).toEqual([]);
    });

    it("arrays are equal in order and length, and are not searched", async () => {
      const find = await finder(savers(), {
        ab: { k: ["a", "b"] },
        ba: { k: ["b", "a"] },
        a: { k: ["a"] },
        plain: { k: "a" },
        none: { k: [] },
      });
      expect(await find({ k: ["a", "b"] })).toEqual(["ab"]);
      expect(await find({ k: ["a"] })).toEqual(["a"]);
      expect(await find({ k: "a" })).toEqual(["plain"]);
      expect(await find({ k: [] })).toEqual(["none"]);
    });

    it("keys with dots are plain keys, not paths", async () => {
      const find = await finder(savers(), {
        dotted: { "a.b": 1 },
        nested: { a: { b: 1 } },
        both: { "a.b": 1, a: { b: 1 } },
      });
      expect(await find({ "a.b": 1 })).toEqual(["dotted", "both"]);
      expect(await find({ a: { b: 1 } })).toEqual(["nested", "both"]);
      expect(await find({ "metadata.a": 1 })).toEqual([]);
    });

    it("keys with $ are plain keys, not operators", async () => {
      const find = await finder(savers(), {
        gt: { k: { $gt: "" } },
        text: { k: "some text" },
        top: { $where: "1", $or: [{ k: 1 }] },
        plain: { k: 1 },
      });
      expect(await find({ k: { $gt: "" } })).toEqual(["gt"]);
      expect(await find({ k: { $ne: null } })).toEqual([]);
      expect(await find({ k: { $exists: true } })).toEqual([]);
      expect(await find({ $where: "1" })).toEqual(["top"]);
      expect(await find({ $or: [{ k: 1 }] })).toEqual(["top"]);
    });

    it("__proto__, constructor and toString are ordinary keys", async () => {
      const find = await finder(savers(), {
        plain: {},
        proto: json('{"__proto__":"x"}'),
        other: { constructor: "x", toString: "x" },
      });
      expect(await find(json('{"__proto__":"x"}'))).toEqual(["proto"]);
      expect(await find({ constructor: "x" })).toEqual(["other"]);
      expect(await find({ toString: "x" })).toEqual(["other"]);
      expect(await find(json('{"__proto__":null}'))).toEqual([]);
      expect(await find(json('{"__proto__":{}}'))).toEqual([]);
    });

    it("metadata too large to be indexed is still found", async () => {
      const text = "m".repeat(20_000);
      const find = await finder(savers(), { a: { k: text }, b: { k: `${text}b` }, c: { k: { text } } });
      expect(await find({ k: text })).toEqual(["a"]);
      expect(await find({ k: { text } })).toEqual(["c"]);
    });

    it("filters across threads and namespaces", async () => {
      const saver = savers();
      const wanted = [
        await putOne(saver, "t", { metadata: { k: 1 } }),
        await putOne(saver, "u", { namespace: "n", metadata: { k: 1 } }),
      ];
      await putOne(saver, "u", { metadata: { k: 2 } });
      const ids = (await listAll(saver, {}, { filter: { k: 1 } })).map((tuple) => tuple.checkpoint.id);
      expect(ids).toEqual(wanted.toReversed());
    });
  });
}
