import { describe, expect, it } from "vitest";

import { configOf, listAll, putOne, valuesOf, writesOf, type Savers } from "./support.js";

/** Text that does not compress away and is the same in every run. */
export function noise(length: number, seed = 1): string {
  const letters: string[] = [];
  let state = seed >>> 0 || 1;
  for (let at = 0; at < length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    letters.push(String.fromCharCode(33 + ((state >>> 0) % 90)));
  }
  return letters.join("");
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Large strings are compared whole, but not printed whole when they differ. */
function expectSameText(got: unknown, sent: string): void {
  expect(typeof got).toBe("string");
  expect((got as string).length).toBe(sent.length);
  expect(got === sent, "the same text").toBe(true);
}

export function sizesContract(savers: Savers): void {
  describe("values, sizes", () => {
    for (const edge of [1024, 4096, 16_384, 65_536]) {
      it(`values around ${edge} bytes round-trip`, { timeout: 60_000 }, async () => {
        const saver = savers();
        const lengths = [-64, -3, -2, -1, 0, 1, 2, 3, 64].map((off) => edge + off);
        const values: Record<string, unknown> = {};
        for (const length of lengths) {
          values[`text${length}`] = noise(length, length);
          values[`plain${length}`] = "a".repeat(length);
          values[`wide${length}`] = "\u{1F600}\u00e9".repeat(Math.ceil(length / 6));
          values[`bytes${length}`] = bytes(noise(length, length + 1));
        }
        const id = await putOne(saver, "t", { values });
        await saver.putWrites(configOf("t", id), Object.entries(values), "k");
        const stored = await valuesOf(saver, "t", id);
        const writes = new Map(
          (await writesOf(saver, "t", id)).map(([, channel, value]) => [channel, value]),
        );
        for (const [channel, value] of Object.entries(values)) {
          for (const got of [stored[channel], writes.get(channel)]) {
            if (typeof value === "string") expectSameText(got, value);
            else expect(Buffer.compare(got as Uint8Array, value as Uint8Array), channel).toBe(0);
          }
        }
      });
    }

    it("a string of 5 MB round-trips", { timeout: 120_000 }, async () => {
      const text = noise(5 * 1024 * 1024);
      const id = await putOne(savers(), "t", { values: { text } });
      expectSameText((await valuesOf(savers(), "t", id))["text"], text);
      expectSameText((await listAll(savers(), configOf("t")))[0]!.checkpoint.channel_values["text"], text);
    });

    it("a write of 5 MB round-trips", { timeout: 120_000 }, async () => {
      const data = bytes(noise(5 * 1024 * 1024, 2));
      const id = await putOne(savers(), "t");
      await savers().putWrites(configOf("t", id), [["data", data]], "k");
      expect(Buffer.compare((await writesOf(savers(), "t", id))[0]![2] as Uint8Array, data)).toBe(0);
    });

    it(
      "an array of 2,000 elements round-trips, also after an edit in the middle",
      { timeout: 60_000 },
      async () => {
        const saver = savers();
        const rows = Array.from({ length: 2000 }, (_, at) => ({
          at,
          text: noise(100, at + 1),
          when: new Date(at),
        }));
        const first = await putOne(saver, "t", { values: { rows } });
        const edited = rows.toSpliced(1000, 1, { at: -1, text: "edited", when: new Date(0) });
        const second = await putOne(saver, "t", {
          parent: first,
          values: { rows: edited },
          versions: { rows: 2 },
        });
        const shifted = [{ at: -2, text: "in front", when: new Date(1) }, ...edited];
        const third = await putOne(saver, "t", {
          parent: second,
          values: { rows: shifted },
          versions: { rows: 3 },
        });
        expect((await valuesOf(saver, "t", first))["rows"]).toEqual(rows);
        expect((await valuesOf(saver, "t", second))["rows"]).toEqual(edited);
        expect((await valuesOf(saver, "t", third))["rows"]).toEqual(shifted);
      },
    );

    it("values that share content are kept apart", async () => {
      const saver = savers();
      const base = noise(60_000);
      const values = {
        base,
        same: base,
        longer: `${base}x`,
        shorter: base.slice(0, -1),
        front: `x${base}`,
        half: base.slice(0, 30_000),
        twice: base + base,
        asBytes: bytes(base),
        asList: [base, base],
        reversed: base.split("").toReversed().join(""),
      };
      const id = await putOne(saver, "t", { values });
      const stored = await valuesOf(saver, "t", id);
      for (const [channel, value] of Object.entries(values)) {
        if (typeof value === "string") expectSameText(stored[channel], value);
      }
      expect(Buffer.compare(stored["asBytes"] as Uint8Array, values.asBytes)).toBe(0);
      for (const each of stored["asList"] as string[]) expectSameText(each, base);
    });

    it("a value of one repeated byte round-trips", async () => {
      const zeros = new Uint8Array(300_000);
      const id = await putOne(savers(), "t", { values: { zeros, text: "\0".repeat(100_000) } });
      const stored = await valuesOf(savers(), "t", id);
      expect(Buffer.compare(stored["zeros"] as Uint8Array, zeros)).toBe(0);
      expectSameText(stored["text"], "\0".repeat(100_000));
    });

    it("300 channels in one checkpoint", { timeout: 60_000 }, async () => {
      const values = Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [`channel ${at}`, { at, text: "c".repeat(at * 10) }]),
      );
      const parent = await putOne(savers(), "t", { values });
      const child = await putOne(savers(), "t", { parent, values, changed: [] });
      expect(await valuesOf(savers(), "t", child)).toEqual(values);
    });

    it("a channel name of 10,000 characters", async () => {
      const values = { ["n".repeat(10_000)]: 1, [`${"n".repeat(10_000)}m`]: 2 };
      const id = await putOne(savers(), "t", { values });
      expect(await valuesOf(savers(), "t", id)).toEqual(values);
      await savers().putWrites(configOf("t", id), Object.entries(values), "k");
      expect(await writesOf(savers(), "t", id)).toEqual(
        Object.entries(values).map(([channel, value]) => ["k", channel, value]),
      );
    });

    it("a value nested 200 levels deep", async () => {
      let deep: unknown = "bottom";
      for (let level = 0; level < 200; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
      const id = await putOne(savers(), "t", { values: { deep } });
      expect(JSON.stringify((await valuesOf(savers(), "t", id))["deep"])).toBe(JSON.stringify(deep));
    });
  });
}
