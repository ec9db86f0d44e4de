import { describe, it, expect } from "vitest";
import fc from "fast-check";
import { pack, unpack } from "../../src/codec/serializer/format.js";
import { serializer } from "./helpers.js";

const bytes = fc.uint8Array({ maxLength: 40 });

describe("the json+bytes container", () => {
  it("gives back its parts", () => {
    fc.assert(
      fc.property(bytes, fc.array(bytes, { maxLength: 5 }), (json, segments) => {
        expect(unpack(pack(json, segments))).toEqual({ json, segments });
      }),
    );
  });

  it("reads at an offset of a larger buffer", () => {
    const packed = pack(new Uint8Array([1, 2]), [new Uint8Array([3])]);
    const larger = new Uint8Array(packed.length + 7);
    larger.set(packed, 3);
    expect(unpack(larger.subarray(3, 3 + packed.length)).segments).toEqual([new Uint8Array([3])]);
  });

  it("rejects every truncation", () => {
    const packed = pack(new TextEncoder().encode("{}"), [new Uint8Array(5), new Uint8Array(0)]);
    for (let end = 0; end < packed.length; end++) {
      expect(() => unpack(packed.subarray(0, end))).toThrow('Malformed "json+bytes"');
    }
  });

  it("rejects any other length in the trailer", () => {
    const packed = pack(new TextEncoder().encode("{}"), [new Uint8Array(5)]);
    fc.assert(
      fc.property(fc.constantFrom(7, 11, 15), fc.nat(0xffffffff), (at, length) => {
        const damaged = packed.slice();
        const view = new DataView(damaged.buffer);
        fc.pre(view.getUint32(at, true) !== length);
        view.setUint32(at, length, true);
        expect(() => unpack(damaged)).toThrow('Malformed "json+bytes"');
      }),
    );
  });

  it("arbitrary bytes never read out of range: an error, or a value", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (data) => {
        const error = await serializer.loadsTyped("json+bytes", data).then(
          () => new Error("no error"),
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(Error);
        expect(error).not.toBeInstanceOf(RangeError);
      }),
    );
  });

  it.each([
    ["a segment that is not there", { lc: 2, type: "binary", kind: "Uint8Array", segment: 1 }],
    ["a negative segment", { lc: 2, type: "binary", kind: "Uint8Array", segment: -1 }],
    ["a segment that is no number", { lc: 2, type: "binary", kind: "Uint8Array", segment: "length" }],
    ["an unknown kind", { lc: 2, type: "binary", kind: "constructor", segment: 0 }],
    ["a length that does not fit the kind", { lc: 2, type: "binary", kind: "Float64Array", segment: 0 }],
  ])("rejects %s", (_, record) => {
    const data = pack(new TextEncoder().encode(JSON.stringify([record])), [new Uint8Array(5)]);
    expect(() => serializer.load("json+bytes", data)).toThrow("Malformed serialized value");
  });

  it("rejects text that is not UTF-8", () => {
    expect(() => serializer.load("json", new Uint8Array([0x22, 0xff, 0x22]))).toThrow("not valid UTF-8");
  });

  it("rejects a type it does not know", async () => {
    expect(() => serializer.load("pickle", new Uint8Array())).toThrow("Unknown serialization type: pickle");
    await expect(serializer.loadsTyped("pickle", "")).rejects.toThrow("Unknown serialization type: pickle");
  });

  it("takes strings where the data is text", async () => {
    expect(await serializer.loadsTyped("json", '{"lc":2,"type":"undefined"}')).toBeUndefined();
    expect(await serializer.loadsTyped("bytes", "é")).toEqual(new TextEncoder().encode("é"));
    await expect(serializer.loadsTyped("json+bytes", "x")).rejects.toThrow("binary");
  });
});
