import { check, equal, identical } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { configOf, putOne, valuesOf, writesOf, listAll, noise } from "./calls.js";
const scenario = inGroup("sizes");

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Large values are compared whole, but not printed whole when they differ. */
function checkSameText(got: unknown, sent: string): void {
  check(typeof got === "string", "a string");
  identical(got.length, sent.length, "the lengths");
  check(got === sent, "the same text");
}

function checkSameBytes(got: unknown, sent: Uint8Array): void {
  check(got instanceof Uint8Array, "bytes");
  identical(got.length, sent.length, "the lengths");
  check(Buffer.compare(got, sent) === 0, "the same bytes");
}

const edges = [1024, 4096, 16_384, 65_536];

export const sizesScenarios: readonly Scenario[] = [
  ...edges.map((edge) =>
    scenario(`around-${edge}-bytes`, {
      rule: `Values around ${edge} bytes round-trip.`,
      why: "This is where storages change from one way of keeping a value to another, and are off by one.",
      timeoutMs: 60_000,
      run: async ({ saver }) => {
        const values: Record<string, string | { data: Uint8Array }> = {};
        for (const length of [-64, -2, -1, 0, 1, 2, 64].map((off) => edge + off)) {
          values[`text${length}`] = noise(length, length);
          values[`plain${length}`] = "a".repeat(length);
          values[`wide${length}`] = "\u{1F600}\u00e9".repeat(Math.ceil(length / 6));
          values[`bytes${length}`] = { data: bytes(noise(length, length + 1)) };
        }
        const id = await putOne(saver, "t", { values });
        await saver.putWrites(configOf("t", id), Object.entries(values), "k");
        const stored = await valuesOf(saver, "t", id);
        const writes = new Map(
          (await writesOf(saver, "t", id)).map(([, channel, value]) => [channel, value]),
        );
        for (const [channel, value] of Object.entries(values)) {
          for (const got of [stored[channel], writes.get(channel)]) {
            if (typeof value === "string") checkSameText(got, value);
            else checkSameBytes((got as typeof value | undefined)?.data, value.data);
          }
        }
      },
    }),
  ),

  scenario("string-of-5-mb", {
    rule: "A string of 5 MB round-trips.",
    why: "A document in the state would hit the storage's record limit, in production and not in the demo.",
    timeoutMs: 120_000,
    run: async ({ saver }) => {
      const text = noise(5 * 1024 * 1024);
      const id = await putOne(saver, "t", { values: { text } });
      checkSameText((await valuesOf(saver, "t", id))["text"], text);
      checkSameText((await listAll(saver, configOf("t")))[0]!.checkpoint.channel_values["text"], text);
    },
  }),

  scenario("write-of-5-mb", {
    rule: "A write of 5 MB round-trips.",
    why: "A node that returns a file would fail after its work is done.",
    timeoutMs: 120_000,
    run: async ({ saver }) => {
      const data = noise(5 * 1024 * 1024, 2);
      const id = await putOne(saver, "t");
      await saver.putWrites(configOf("t", id), [["data", data]], "k");
      check((await writesOf(saver, "t", id))[0]![2] === data, "the same text");
    },
  }),

  scenario("long-array-edited", {
    rule: "An array of 1,000 elements round-trips, also after edits in the middle and at the front.",
    why: "Savers that store differences would rebuild another list than the one that was put.",
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const rows = Array.from({ length: 1000 }, (_, at) => ({
        at,
        text: noise(100, at + 1),
      }));
      const first = await putOne(saver, "t", { values: { rows } });
      const edited = rows.toSpliced(500, 1, { at: -1, text: "edited" });
      const second = await putOne(saver, "t", {
        parent: first,
        values: { rows: edited },
        versions: { rows: 2 },
      });
      const shifted = [{ at: -2, text: "in front" }, ...edited];
      const third = await putOne(saver, "t", {
        parent: second,
        values: { rows: shifted },
        versions: { rows: 3 },
      });
      equal((await valuesOf(saver, "t", first))["rows"], rows);
      equal((await valuesOf(saver, "t", second))["rows"], edited);
      equal((await valuesOf(saver, "t", third))["rows"], shifted);
    },
  }),

  scenario("shared-content", {
    rule: "Values that share content are kept apart.",
    why: "Savers that store equal parts once would mix values that begin or end alike.",
    run: async ({ saver }) => {
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
        if (typeof value === "string") checkSameText(stored[channel], value);
      }
      checkSameBytes(stored["asBytes"], values.asBytes);
      for (const each of stored["asList"] as string[]) checkSameText(each, base);
    },
  }),

  scenario("one-repeated-byte", {
    rule: "A value of one repeated byte round-trips.",
    why: "Chunkers and compressors treat it specially, and get lengths wrong.",
    run: async ({ saver }) => {
      const zeros = new Uint8Array(300_000);
      const id = await putOne(saver, "t", { values: { zeros, text: "\0".repeat(100_000) } });
      const stored = await valuesOf(saver, "t", id);
      checkSameBytes(stored["zeros"], zeros);
      checkSameText(stored["text"], "\0".repeat(100_000));
    },
  }),

  scenario("many-channels", {
    rule: "300 channels in one checkpoint.",
    why: "Wide states would hit a limit on columns, parameters or expressions.",
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const values = Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [`channel ${at}`, { at, text: "c".repeat(at * 10) }]),
      );
      const parent = await putOne(saver, "t", { values });
      const child = await putOne(saver, "t", { parent, values, changed: [] });
      equal(await valuesOf(saver, "t", child), values);
    },
  }),

  scenario("long-channel-name", {
    rule: "A channel name of 10,000 characters.",
    why: "Names that reach a key or a path would be cut off, and two channels become one.",
    run: async ({ saver }) => {
      const values = { ["n".repeat(10_000)]: 1, [`${"n".repeat(10_000)}m`]: 2 };
      const id = await putOne(saver, "t", { values });
      equal(await valuesOf(saver, "t", id), values);
      await saver.putWrites(configOf("t", id), Object.entries(values), "k");
      equal(
        await writesOf(saver, "t", id),
        Object.entries(values).map(([channel, value]) => ["k", channel, value]),
      );
    },
  }),

  scenario("deep-nesting", {
    rule: "A value nested 200 levels deep.",
    why: "A recursive serializer or a database's nesting limit would fail on a plain JSON document.",
    run: async ({ saver }) => {
      let deep: unknown = "bottom";
      for (let level = 0; level < 200; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
      const id = await putOne(saver, "t", { values: { deep } });
      identical(JSON.stringify((await valuesOf(saver, "t", id))["deep"]), JSON.stringify(deep));
    },
  }),
];
