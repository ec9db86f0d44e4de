import { equal, includes, matches } from "../check.js";
import type { Scenario } from "../scenario.js";
import { configOf, listIds, putOne, refusal, valuesOf, writesOf } from "./calls.js";
import { inGroup } from "./define.js";

const scenario = inGroup("unstorable");

interface Kind {
  name: string;
  what: string;
  why: string;
  value: () => unknown;
  /** The way to it, as the message must tell. */
  path: RegExp;
}

const kinds: Kind[] = [
  {
    name: "function",
    what: "a function",
    why: "It would be dropped silently, and the state come back without it.",
    value: () => ({ outer: [0, { inner: () => 1 }] }),
    path: /outer.*1.*inner/,
  },
  {
    name: "function-in-a-map",
    what: "a function in a Map",
    why: "A walk that skips collections would store an entry without its value.",
    value: () => ({ outer: new Map([["key", () => 1]]) }),
    path: /outer/,
  },
  {
    name: "symbol",
    what: "a symbol",
    why: "It would be dropped silently.",
    value: () => ({ outer: { inner: Symbol("s") } }),
    path: /outer.*inner/,
  },
  {
    name: "cycle",
    what: "a cycle",
    why: "The process would run out of stack, or the message name nothing that helps to find it.",
    value: () => {
      const cycle = { inner: { list: [1] as unknown[] } };
      cycle.inner.list.push(cycle);
      return { outer: cycle };
    },
    path: /outer.*inner.*list/,
  },
  {
    name: "method",
    what: "an object's method",
    why: "An instance of a class of the application would come back without its methods.",
    value: () => ({ outer: { run() {} } }),
    path: /outer.*run/,
  },
];

/** What cannot be stored is an error that names the channel and the path inside it, and nothing is stored. */
export const unstorableScenarios: readonly Scenario[] = [
  ...kinds.map(({ name, what, why, value, path }) =>
    scenario(name, {
      rule: `A value with ${what} in it is refused with the channel and the path, and nothing is stored.`,
      why,
      run: async ({ saver }) => {
        const parent = await putOne(saver, "t", { values: { fine: 1 } });
        const poisoned = value();
        const put = await refusal(() => putOne(saver, "t", { parent, values: { fine: 2, poisoned } }));
        const batch: [string, unknown][] = [
          ["fine", 1],
          ["poisoned", poisoned],
          ["later", 2],
        ];
        const written = await refusal(() => saver.putWrites(configOf("t", parent), batch, "k"));
        for (const { message } of [put, written]) {
          includes(message, "poisoned");
          matches(message, path);
        }
        equal(await listIds(saver, {}), [parent], "the stored checkpoints");
        equal(await writesOf(saver, "t", parent), [], "the stored writes");
        equal(await valuesOf(saver, "t"), { fine: 1 });
      },
    }),
  ),

  scenario("function-as-value", {
    rule: "A function as the value itself is refused.",
    why: "The channel would be read as absent.",
    run: async ({ saver }) => {
      const error = await refusal(() => putOne(saver, "t", { values: { poisoned: () => 1 } }));
      includes(error.message, "poisoned");
      equal(await listIds(saver, {}), [], "the stored checkpoints");
    },
  }),
];
