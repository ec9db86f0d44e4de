import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, identical } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, interruptsOf, checkpointId } from "./harness.js";
const scenario = inGroup("timeTravel");

const State = Annotation.Root({
  trail: appended<string>(),
  first: Annotation<string>(),
  last: Annotation<string>(),
});

function steps(checkpointer: BaseCheckpointSaver, ran: string[] = [], mark = "") {
  const node = (name: string) => () => (ran.push(name), { trail: [name + mark], last: name + mark });
  return new StateGraph(State)
    .addNode(
      "one",
      () => (ran.push("one"), { trail: [`one${mark}`], first: `one${mark}`, last: `one${mark}` }),
    )
    .addNode("two", node("two"))
    .addNode("three", node("three"))
    .addEdge(START, "one")
    .addEdge("one", "two")
    .addEdge("two", "three")
    .compile({ checkpointer });
}

export const timeTravelScenarios: readonly Scenario[] = [
  scenario("every-step", {
    rule: "The history has every step, newest first, each with its values and its parent.",
    why: "Debuggers and audit logs would show another run than the one that happened.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await steps(saver).invoke({ trail: ["in"] }, config);
      const history = await collect(steps(await reopen()).getStateHistory(config));
      equal(
        history.map((state) => [state.metadata!.step, state.metadata!.source, state.next, state.values]),
        [
          [3, "loop", [], { trail: ["in", "one", "two", "three"], first: "one", last: "three" }],
          [2, "loop", ["three"], { trail: ["in", "one", "two"], first: "one", last: "two" }],
          [1, "loop", ["two"], { trail: ["in", "one"], first: "one", last: "one" }],
          [0, "loop", ["one"], { trail: ["in"] }],
          [-1, "input", ["__start__"], { trail: [] }],
        ],
      );
      const ids = history.map((state) => checkpointId(state.config));
      identical(new Set(ids).size, 5);
      equal(
        history.map((state) => checkpointId(state.parentConfig)),
        [...ids.slice(1), undefined],
      );
    },
  }),

  scenario("pages-and-filters", {
    rule: "The history is limited, paged and filtered.",
    why: "User interfaces could not show long threads.",
    run: async ({ saver }) => {
      const graph = steps(saver);
      const config = thread();
      await graph.invoke({}, config);
      await graph.invoke({}, config);
      const all = await collect(graph.getStateHistory(config));
      equal(all.length, 10);
      const ids = all.map((state) => checkpointId(state.config));
      const page = async (options: Parameters<typeof graph.getStateHistory>[1]) =>
        (await collect(graph.getStateHistory(config, options))).map((state) => checkpointId(state.config));
      equal(await page({ limit: 3 }), ids.slice(0, 3));
      equal(await page({ limit: 3, before: all[2]!.config }), ids.slice(3, 6));
      equal(await page({ before: all[8]!.config }), ids.slice(9));
      equal(await page({ filter: { source: "input" } }), [ids[4], ids[9]]);
      equal(await page({ filter: { source: "loop", step: 1 }, limit: 5 }), [ids[7]]);
    },
  }),

  scenario("state-as-it-was", {
    rule: "The state is shown as it was at an old checkpoint.",
    why: "Later steps would rewrite the past.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await steps(saver).invoke({ trail: ["in"] }, config);
      const graph = steps(await reopen());
      for (const old of await collect(graph.getStateHistory(config))) {
        const state = await graph.getState(old.config);
        equal([state.values, state.next, state.metadata], [old.values, old.next, old.metadata]);
      }
    },
  }),

  scenario("replay", {
    rule: "A run is replayed from an old checkpoint, and only what comes after it.",
    why: "Nodes with side effects would run again, or the replay go on from the wrong state.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await steps(saver).invoke({ trail: ["in"] }, config);
      const ran: string[] = [];
      const graph = steps(await reopen(), ran, "'");
      const old = await collect(graph.getStateHistory(config));
      const result = await graph.invoke(null, old[2]!.config);
      const expected = { trail: ["in", "one", "two'", "three'"], first: "one", last: "three'" };
      equal(result, expected);
      equal(ran, ["two", "three"]);

      // The old branch is still there, unchanged, behind the new one.
      equal((await graph.getState(config)).values, expected);
      const history = await collect(graph.getStateHistory(config));
      equal(
        history.slice(-5).map((state) => state.values),
        old.map((state) => state.values),
      );
      equal((await graph.getState(old[0]!.config)).values, {
        trail: ["in", "one", "two", "three"],
        first: "one",
        last: "three",
      });
    },
  }),

  scenario("replay-first-step", {
    rule: "The first step of a thread is replayed.",
    why: "The checkpoint without values would be taken for missing.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await steps(saver).invoke({ trail: ["in"] }, config);
      const graph = steps(await reopen(), [], "'");
      const start = (await collect(graph.getStateHistory(config))).find((state) => state.next[0] === "one")!;
      equal(await graph.invoke(null, start.config), {
        trail: ["in", "one'", "two'", "three'"],
        first: "one'",
        last: "three'",
      });
    },
  }),

  scenario("replay-interrupt", {
    rule: "An answered interrupt that is replayed asks again, and both answers are kept.",
    why: "The old answer would be used silently for the new run.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(State)
          .addNode("ask", () => (ran.push("ask"), { trail: [interrupt<string, string>("?")] }))
          .addNode("tell", (state) => ({ last: `told ${state.trail.join()}` }))
          .addEdge(START, "ask")
          .addEdge("ask", "tell")
          .compile({ checkpointer });
      const config = thread();
      await build(saver).invoke({}, config);
      const done = await build(saver).invoke(new Command({ resume: "yes" }), config);
      equal(done, { trail: ["yes"], last: "told yes" });
      const graph = build(await reopen());
      const asked = (await collect(graph.getStateHistory(config))).find((state) => state.next[0] === "ask")!;
      const tip = (await graph.getState(config)).config;
      equal(
        interruptsOf(await graph.invoke(null, asked.config)).map((i) => i.value),
        ["?"],
      );
      equal(await graph.invoke(new Command({ resume: "no" }), config), {
        trail: ["no"],
        last: "told no",
      });
      equal((await graph.getState(tip)).values, done);
      equal(ran, ["ask", "ask", "ask", "ask"]);
    },
  }),

  scenario("many-runs", {
    rule: "A thread goes on from its tip over many runs.",
    why: "A turn of the chat would start from an older one.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      for (let run = 0; run < 6; run++)
        await steps(run % 2 ? await reopen() : saver, [], String(run)).invoke(
          { trail: [`in${run}`] },
          config,
        );
      const graph = steps(await reopen());
      const trail = Array.from({ length: 6 }, (_, run) => [
        `in${run}`,
        `one${run}`,
        `two${run}`,
        `three${run}`,
      ]).flat();
      equal((await graph.getState(config)).values, { trail, first: "one5", last: "three5" });
      const history = await collect(graph.getStateHistory(config));
      equal(
        history.map((state) => state.metadata!.step),
        Array.from({ length: 30 }, (_, index) => 28 - index),
      );
      equal(
        history.filter((state) => state.next.length === 0).map((state) => state.values.trail.length),
        [24, 20, 16, 12, 8, 4],
      );
    },
  }),
];
