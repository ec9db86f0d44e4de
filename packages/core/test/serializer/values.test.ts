import { describe, it, expect } from "vitest";
import fc from "fast-check";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { AIMessage } from "@langchain/core/messages";
import { json, storable } from "./arbitraries.js";
import { dumpedJson, loadJson, roundTrip, same, serializer } from "./helpers.js";

describe("values", () => {
  it("any JSON comes back as it was, whatever its keys", async () => {
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        same(await roundTrip(value), value);
      }),
      { numRuns: 500 },
    );
  });

  it("everything that is kept comes back as it was, each inside any other", async () => {
    await fc.assert(
      fc.asyncProperty(storable, async (value) => {
        same(await roundTrip(value), value);
      }),
      { numRuns: 500 },
    );
  });

  it("dumping changes nothing in the value", () => {
    fc.assert(
      fc.property(storable, (value) => {
        const before = structuredClone(value);
        serializer.dump(value);
        same(structuredClone(value), before);
      }),
    );
  });

  it("dump is a snapshot: later changes do not show", async () => {
    const bytes = new Uint8Array([1, 2]);
    const value = { bytes, list: [1] };
    const dumped = serializer.dump(value);
    const top = serializer.dump(bytes);
    bytes[0] = 9;
    value.list.push(2);
    expect(await serializer.load(...dumped)).toEqual({ bytes: new Uint8Array([1, 2]), list: [1] });
    expect(await serializer.load(...top)).toEqual(new Uint8Array([1, 2]));
  });

  it("what is loaded shares no memory with the stored bytes", () => {
    const [type, data] = serializer.dump({ a: new Float64Array([1, 2]) });
    const first = serializer.load(type, data) as { a: Float64Array };
    first.a[0] = 99;
    expect(serializer.load(type, data)).toEqual({ a: new Float64Array([1, 2]) });
  });

  it("a top-level Uint8Array is stored as bytes and loads as a plain one, though a driver hands over a Buffer", () => {
    const [type, data] = serializer.dump(new Uint8Array([1, 2, 3]));
    expect([type, data]).toEqual(["bytes", new Uint8Array([1, 2, 3])]);
    const loaded = serializer.load(type, Buffer.from(data)) as Uint8Array;
    expect(Object.getPrototypeOf(loaded)).toBe(Uint8Array.prototype);
  });

  it("a top-level Buffer comes back as a Buffer", async () => {
    const loaded = await roundTrip(Buffer.from("abc"));
    expect(Buffer.isBuffer(loaded)).toBe(true);
    expect(String(loaded)).toBe("abc");
  });

  it("binary data is stored as bytes, not as text", () => {
    const [type, data] = serializer.dump({ a: new Uint8Array(100_000).fill(255), b: new Float32Array(1000) });
    expect(type).toBe("json+bytes");
    expect(data.byteLength).toBeLessThan(104_300);
  });

  it("only the viewed part of a buffer is stored", async () => {
    const view = new Int16Array(new Int16Array([1, 2, 3, 4]).buffer, 2, 2);
    expect(await roundTrip([view])).toEqual([new Int16Array([2, 3])]);
  });

  it("a hole in an array becomes undefined", async () => {
    // eslint-disable-next-line no-sparse-arrays
    expect(await roundTrip([1, , 3])).toStrictEqual([1, undefined, 3]);
  });

  it("boxed primitives become primitives", async () => {
    const boxed = [Object(1), Object("a"), Object(false), Object(5n), Object(NaN)];
    expect(await roundTrip(boxed)).toStrictEqual([1, "a", false, 5n, NaN]);
  });

  it("an instance is stored through toJSON(), called with its key", async () => {
    class Money {
      toJSON(key: string) {
        return { key, at: new Date(5) };
      }
    }
    expect(await roundTrip({ price: new Money(), list: [new Money()] })).toStrictEqual({
      price: { key: "price", at: new Date(5) },
      list: [{ key: "0", at: new Date(5) }],
    });
    expect(await roundTrip(new Money())).toStrictEqual({ key: "", at: new Date(5) });
  });

  it("toJSON() is called once, even when it returns the object itself", async () => {
    let calls = 0;
    class Self {
      a = 1;
      toJSON() {
        calls++;
        return this;
      }
    }
    expect(await roundTrip([new Self()])).toStrictEqual([{ a: 1 }]);
    expect(calls).toBe(1);
  });

  it("an instance without toJSON() becomes a plain object of its own fields", async () => {
    class Point {
      x = 1;
      when = new Date(0);
      get y() {
        return 2;
      }
    }
    const point = new Point();
    expect(await roundTrip({ point })).toStrictEqual({ point: { x: 1, when: new Date(0) } });
    const bare = Object.assign(Object.create(null) as object, { a: 1n });
    expect(await roundTrip(bare)).toStrictEqual({ a: 1n });
  });

  it("a Send becomes a plain object, as JsonPlusSerializer makes it", async () => {
    class Send {
      lg_name = "Send";
      node = "n";
      args = { at: new Date(1) };
      timeout: unknown = undefined;
    }
    expect(await roundTrip([new Send()])).toStrictEqual([{ node: "n", args: { at: new Date(1) } }]);
    const timed = Object.assign(new Send(), { timeout: { runTimeout: 5 } });
    expect(await roundTrip(timed)).toStrictEqual({
      node: "n",
      args: { at: new Date(1) },
      timeout: { runTimeout: 5 },
    });
  });

  it("a DeltaSnapshot comes back as one, with all it holds", async () => {
    const loaded = await roundTrip({ c: new DeltaSnapshot([new Date(1), new AIMessage("hi")]) });
    const { c } = loaded as { c: DeltaSnapshot };
    expect(c).toBeInstanceOf(DeltaSnapshot);
    expect(c.value).toEqual([new Date(1), new AIMessage("hi")]);
  });
});

describe("keys that mean something to JavaScript or to the format", () => {
  it("a user's object that looks like a record comes back as the plain object it was", async () => {
    const lookalikes = [
      {
        lc: 1,
        type: "constructor",
        id: ["langchain_core", "messages", "AIMessage"],
        kwargs: { content: "x" },
      },
      { lc: 2, type: "undefined" },
      { lc: 2, type: "constructor", id: ["Set"], args: [[1]] },
      { lc: 2, type: "escaped", value: { lc: 2, type: "date", value: 0 } },
      { lc: 2, type: "binary", kind: "Buffer", segment: 0 },
      { lc: undefined },
      { lc: new Date(3) },
      { __lc_escaped__: { lc: 1 } },
    ];
    expect(await roundTrip({ lookalikes, real: Buffer.from("x") })).toStrictEqual({
      lookalikes,
      real: Buffer.from("x"),
    });
  });

  it("__proto__ is an ordinary key, and pollutes nothing", async () => {
    const value = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":2}',
    ) as object;
    Object.defineProperty(value, "when", { value: new Date(1), enumerable: true });
    const loaded = (await roundTrip({ value, list: [value] })) as { value: object };
    expect(Object.keys(loaded.value)).toEqual(["__proto__", "constructor", "toString", "when"]);
    expect(Object.getPrototypeOf(loaded.value)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(loaded.value, "__proto__")?.value).toEqual({ polluted: true });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("a replaced value under __proto__ stays there", async () => {
    const value = JSON.parse('{"__proto__":1}') as object;
    Object.defineProperty(value, "__proto__", {
      value: new Date(1),
      enumerable: true,
      writable: true,
      configurable: true,
    });
    const loaded = (await roundTrip(value)) as object;
    expect(Object.getOwnPropertyDescriptor(loaded, "__proto__")?.value).toEqual(new Date(1));
  });
});

describe("errors", () => {
  it.each([Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError])(
    "%o keeps its class",
    async (Cls) => {
      const loaded = (await roundTrip(new Cls("boom", { cause: new Date(1) }))) as Error;
      expect(Object.getPrototypeOf(loaded)).toBe(Cls.prototype);
      expect([loaded.name, loaded.message, loaded.cause]).toEqual([Cls.name, "boom", new Date(1)]);
      expect(Object.keys(loaded)).toEqual([]);
    },
  );

  it("an AggregateError keeps its errors", async () => {
    const loaded = (await roundTrip(new AggregateError([new TypeError("a"), 5n], "all"))) as AggregateError;
    expect(loaded).toBeInstanceOf(AggregateError);
    expect(loaded.errors[0]).toBeInstanceOf(TypeError);
    expect(loaded.errors[1]).toBe(5n);
  });

  it("a user's class becomes its nearest built-in one, with name and properties", async () => {
    class QuotaError extends RangeError {
      override name = "QuotaError";
      lc = 1;
      retryAt = new Date(7);
    }
    const loaded = (await roundTrip(new QuotaError("slow down"))) as QuotaError;
    expect(Object.getPrototypeOf(loaded)).toBe(RangeError.prototype);
    expect({ ...(loaded as object) }).toStrictEqual({ name: "QuotaError", lc: 1, retryAt: new Date(7) });
    expect(String(loaded)).toBe("QuotaError: slow down");
  });

  it("no stack is stored, and the one it loads with points nowhere", async () => {
    const error = new Error("x");
    expect(JSON.stringify(dumpedJson(error))).not.toContain("values.test");
    expect(((await roundTrip(error)) as Error).stack).toBe("Error: x");
  });

  it("an unknown class name stays an inert record", () => {
    const record = { lc: 2, type: "error", class: "Function", message: "x" };
    expect(loadJson(record)).toStrictEqual(record);
  });
});
