import { describe, expect, it } from "vitest";

import { KeyRing } from "../../src/codec/encryption.js";
import { Sealer } from "../../src/codec/envelope.js";
import { hashToString } from "../../src/codec/hash.js";
import { pseudoRandomBytes } from "../support.js";

const key = (id: string, fill: number) => ({ id, key: new Uint8Array(32).fill(fill) });
const plainSealer = new Sealer({ compression: "deflate", keys: undefined });
const encryptedSealer = new Sealer({ compression: "deflate", keys: new KeyRing({ keys: [key("a", 1)] }) });
const text = Buffer.from("a sentence that repeats. ".repeat(40));

function sealed(sealer: Sealer, threadId: string, plain: Uint8Array) {
  const hash = sealer.address(threadId, plain, false);
  return { name: hashToString(hash), chunk: sealer.sealChunk(threadId, plain, hash, false) };
}

describe.each([
  ["plain", plainSealer],
  ["encrypted", encryptedSealer],
])("envelope, %s", (_, sealer) => {
  it("gives back bodies and chunks byte for byte", () => {
    for (const plain of [new Uint8Array(), text, pseudoRandomBytes(5000, 3)]) {
      const body = sealer.sealBody("t", ["place"], plain);
      expect(Buffer.from(sealer.openBody("t", ["place"], body))).toEqual(Buffer.from(plain));
      const { name, chunk } = sealed(sealer, "t", plain);
      expect(Buffer.from(sealer.openChunk("t", chunk, name))).toEqual(Buffer.from(plain));
    }
  });

  it("keeps compression only where it helps", () => {
    expect(sealer.sealBody("t", [], text).byteLength).toBeLessThan(text.byteLength / 3);
    const noise = pseudoRandomBytes(5000, 4);
    expect(sealer.sealBody("t", [], noise).byteLength).toBeLessThan(noise.byteLength + 64);
  });

  it("does not open a body in another place, nor places that only look alike when joined", () => {
    const body = sealer.sealBody("t", ["ab", "c"], text);
    expect(() => sealer.openBody("t", ["a", "bc"], body)).toThrow();
    expect(() => sealer.openBody("t", ["ab"], body)).toThrow();
  });

  it("does not open with any one bit changed", () => {
    const body = Buffer.from(sealer.sealBody("t", ["p"], text));
    const { name, chunk } = sealed(sealer, "t", text);
    const data = Buffer.from(chunk.data);
    for (const [bytes, open] of [
      [body, () => sealer.openBody("t", ["p"], body)],
      [data, () => sealer.openChunk("t", { ...chunk, data }, name)],
    ] as const) {
      for (let bit = 0; bit < bytes.byteLength * 8; bit++) {
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        expect(open, `bit ${bit}`).toThrow();
        bytes[bit >> 3]! ^= 1 << (bit & 7);
      }
    }
  });

  it("refuses a newer format with a code of its own", () => {
    const body = Buffer.from(sealer.sealBody("t", [], text));
    body[0] = 2;
    expect(() => sealer.openBody("t", [], body)).toThrow(expect.objectContaining({ code: "FORMAT_TOO_NEW" }));
  });
});

describe("encryption", () => {
  it("stores no plain text, and hashes that mean nothing without the key", () => {
    const secret = Buffer.from("a secret that must not show, and more of it".repeat(5));
    const { chunk, name } = sealed(encryptedSealer, "t", secret);
    expect(Buffer.from(chunk.data).includes("secret")).toBe(false);
    expect(Buffer.from(encryptedSealer.sealBody("t", [], secret)).includes("secret")).toBe(false);
    expect(name).not.toBe(sealed(plainSealer, "t", secret).name);
    expect(name).not.toBe(sealed(encryptedSealer, "u", secret).name);
  });

  it("binds every ciphertext to its thread and its place", () => {
    const body = encryptedSealer.sealBody("t", ["p"], text);
    expect(() => encryptedSealer.openBody("u", ["p"], body)).toThrow();
    const { name, chunk } = sealed(encryptedSealer, "t", text);
    expect(() => encryptedSealer.openChunk("u", chunk, name)).toThrow();
  });

  it("rotates: the first key writes, all keys read, index chunks included", () => {
    const rotated = new Sealer({
      compression: "none",
      keys: new KeyRing({ keys: [key("b", 2), key("a", 1)] }),
    });
    const old = encryptedSealer.sealBody("t", [], text);
    expect(Buffer.from(rotated.openBody("t", [], old))).toEqual(text);
    const index = Buffer.concat([encryptedSealer.address("t", text, false)]);
    const hash = encryptedSealer.address("t", index, true);
    const chunk = encryptedSealer.sealChunk("t", index, hash, true);
    expect(rotated.openChunk("t", chunk, hashToString(hash))).toEqual(index);
    const newBody = rotated.sealBody("t", [], text);
    expect(() => encryptedSealer.openBody("t", [], newBody)).toThrow(
      expect.objectContaining({ code: "ENCRYPTION_KEY_MISSING" }),
    );
  });

  it("says so when there is no key at all, or when data is not encrypted", () => {
    const body = encryptedSealer.sealBody("t", [], text);
    expect(() => plainSealer.openBody("t", [], body)).toThrow(
      expect.objectContaining({ code: "ENCRYPTION_KEY_MISSING" }),
    );
    const plain = plainSealer.sealBody("t", [], text);
    expect(() => encryptedSealer.openBody("t", [], plain)).toThrow(
      expect.objectContaining({ code: "ENCRYPTION_REQUIRED" }),
    );
    const lenient = new KeyRing({ keys: [key("a", 1)], allowPlaintext: true });
    expect(Buffer.from(new Sealer({ compression: "none", keys: lenient }).openBody("t", [], plain))).toEqual(
      text,
    );
  });

  it.each([
    ["no keys", { keys: [] }],
    ["a short key", { keys: [{ id: "a", key: new Uint8Array(16) }] }],
    ["a text that is not a key", { keys: [{ id: "a", key: "password" }] }],
    ["an id twice", { keys: [key("a", 1), key("a", 2)] }],
    ["an empty id", { keys: [key("", 1)] }],
  ])("refuses %s", (_, options) => {
    expect(() => new KeyRing(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });

  it("takes keys as bytes, hex and base64 alike", () => {
    const bytes = Buffer.from(pseudoRandomBytes(32, 9));
    const body = new Sealer({
      compression: "none",
      keys: new KeyRing({ keys: [{ id: "k", key: bytes }] }),
    }).sealBody("t", [], text);
    for (const form of [bytes.toString("hex"), bytes.toString("base64")]) {
      const sealer = new Sealer({
        compression: "none",
        keys: new KeyRing({ keys: [{ id: "k", key: form }] }),
      });
      expect(Buffer.from(sealer.openBody("t", [], body))).toEqual(text);
    }
  });
});
