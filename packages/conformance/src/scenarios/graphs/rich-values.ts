import { Annotation, Command, START, Send, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, identical } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, interruptsOf } from "./harness.js";
const scenario = inGroup("richValues");

const State = Annotation.Root({ value: Annotation<unknown>(), echo: Annotation<unknown>() });

// LangGraph words its GraphInterrupt by JSON.stringify, which refuses a bigint.
const asked = (value: unknown) => (typeof value === "bigint" ? "a bigint" : value);

function build(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(State)
    .addNode("ask", (state) => ({ echo: interrupt<unknown, unknown>(asked(state.value)) }))
    .addEdge(START, "ask")
    .compile({ checkpointer });
}

const values: [name: string, value: unknown][] = [
  ["a Date", new Date("2026-01-02T03:04:05.678Z")],
  ["a Date in a list in an object", { when: [new Date(0), { later: new Date(1) }] }],
  ["a bigint", 2n ** 80n],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-0", { zero: -0 }],
  ["bytes", new Uint8Array([0, 127, 128, 255])],
  ["a typed array", new Float64Array([1.5, -2.25])],
  [
    "a Map",
    new Map<string, unknown>([
      ["a", 1],
      ["b", new Map([["c", [2]]])],
    ]),
  ],
  ["a Set", new Set(["x", "y"])],
  ["a RegExp", /a+b/giu],
  ["null", { nothing: null, list: [null] }],
  ["falsy scalars", { no: false, zero: 0, empty: "" }],
  ["unicode", "ünïcode 🦜 \u0000 \u2028 \ud83d\ude00"],
  ["deep nesting", { a: { b: { c: { d: { e: [[[["deep"]]]] } } } } }],
  ["keys that look special", { "a.b": 1, $gt: 2, "": 3, lc: 4, constructor: 5, toString: 6 }],
];

export const richValuesScenarios: readonly Scenario[] = [
  scenario("through-a-graph", {
    rule: "Dates, bigints, bytes and collections come back from state, interrupt and answer of a graph.",
    why: "A value would change its type when the thread is resumed, and only then.",
    run: async ({ saver, reopen }) => {
      for (const [, value] of values) {
        const config = thread();
        await build(saver).invoke({ value }, config);
        const graph = build(await reopen());
        const state = await graph.getState(config);
        identical(state.values, { value });
        identical(state.tasks[0]!.interrupts[0]!.value, asked(value));
        await graph.invoke(new Command({ resume: { answer: value } }), config);
        identical((await build(await reopen()).getState(config)).values, {
          value,
          echo: { answer: value },
        });
      }
    },
  }),

  scenario("send-argument", {
    rule: "They come back from the argument of a Send.",
    why: "A job that is resumed would be given other input than at first.",
    run: async ({ saver, reopen }) => {
      const argument = {
        when: new Date(5),
        tags: new Map([["k", new Set([1])]]),
        bytes: new Uint8Array([9]),
      };
      const seen: unknown[] = [];
      const fan = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(State)
          .addNode("work", (input: { argument: unknown }) => {
            seen.push(input.argument);
            return { echo: interrupt<unknown, unknown>("?") };
          })
          .addConditionalEdges(START, () => [new Send("work", { argument })], ["work"])
          .compile({ checkpointer });
      const config = thread();
      equal(interruptsOf(await fan(saver).invoke({}, config)).length, 1);
      equal(await fan(await reopen()).invoke(new Command({ resume: "ok" }), config), {
        echo: "ok",
      });
      identical(seen, [argument, argument]);
    },
  }),
];
