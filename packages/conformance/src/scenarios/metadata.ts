import { equal, identical } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { newId, configOf, metadataOf, putOne, getOne, listAll } from "./calls.js";
const scenario = inGroup("metadata");
const scenarioRichValues = inGroup("richValues");

export const metadataScenarios: readonly Scenario[] = [
  scenario("stored-whole", {
    rule: "source, step, parents and whatever else the caller adds are stored.",
    why: "LangGraph reads the step and the delta counters back: a run would start counting anew.",
    run: async ({ saver }) => {
      const metadata = {
        source: "update",
        step: -1,
        parents: { "": newId(), "n:1": newId() },
        counters_since_delta_snapshot: { d: [1, 2] },
        nested: { list: [1, "two", null, { three: 3 }] },
        "a.b": 1,
        $c: 2,
        "": 3,
        thread_id: "said by the caller",
        nil: null,
      };
      const id = await putOne(saver, "t", { metadata });
      equal((await getOne(saver, "t", id)).metadata, metadata);
      equal((await listAll(saver, configOf("t")))[0]?.metadata, metadata);
    },
  }),

  scenarioRichValues("in-metadata", {
    rule: "Metadata keeps the values that JSON loses.",
    why: "Dates and numbers that the application put there would come back as text or null.",
    run: async ({ saver }) => {
      const metadata = {
        when: new Date(5),
        big: 12n,
        nan: NaN,
        bytes: new Uint8Array([1, 255]),
        map: new Map([["a", new Set([1])]]),
        undef: undefined,
      };
      const id = await putOne(saver, "t", { metadata });
      identical((await getOne(saver, "t", id)).metadata, metadataOf(metadata));
    },
  }),

  scenario("names-of-object-members", {
    rule: "__proto__, constructor and toString are ordinary metadata keys.",
    why: "Metadata that comes from a request could pollute the process.",
    run: async ({ saver }) => {
      const extra = JSON.parse('{"__proto__":{"polluted":1},"constructor":"c","toString":"s"}') as Record<
        string,
        unknown
      >;
      const id = await putOne(saver, "t", { metadata: extra });
      const stored = new Map(Object.entries((await getOne(saver, "t", id)).metadata ?? {}));
      equal(stored, new Map(Object.entries({ ...metadataOf(), ...extra })));
      equal(({} as { polluted?: unknown }).polluted, undefined);
    },
  }),

  scenario("large", {
    rule: "Large metadata is stored whole.",
    why: "A column or an index limit would make puts fail at random.",
    run: async ({ saver }) => {
      const metadata = { text: "m".repeat(100_000), list: Array.from({ length: 2000 }, (_, at) => ({ at })) };
      const id = await putOne(saver, "t", { metadata });
      equal((await getOne(saver, "t", id)).metadata, metadataOf(metadata));
    },
  }),
];
