import { Annotation, Command, END, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, interruptsOf, valuesOf } from "./harness.js";
const scenario = inGroup("interrupts");

const State = Annotation.Root({ trail: appended<string>(), answer: Annotation<unknown>() });

const question = { ask: "ship it?", sizes: [1, 2.5], note: null };

function approval(checkpointer: BaseCheckpointSaver, ran: string[] = []) {
  return new StateGraph(State)
    .addNode("draft", () => (ran.push("draft"), { trail: ["draft"] }))
    .addNode("review", () => {
      ran.push("review");
      return { answer: interrupt(question), trail: ["review"] };
    })
    .addNode("ship", () => (ran.push("ship"), { trail: ["ship"] }))
    .addEdge(START, "draft")
    .addEdge("draft", "review")
    .addEdge("review", "ship")
    .addEdge("ship", END)
    .compile({ checkpointer });
}

function interview(checkpointer: BaseCheckpointSaver, ran: string[] = []) {
  return new StateGraph(State)
    .addNode("ask", () => {
      ran.push("ask");
      const first = interrupt<string, string>("name?");
      const second = interrupt<string, string>(`age of ${first}?`);
      return { trail: [first, second] };
    })
    .addEdge(START, "ask")
    .compile({ checkpointer });
}

export const interruptsScenarios: readonly Scenario[] = [
  scenario("resume", {
    rule: "A run stops at its interrupt, and another process resumes it without running earlier nodes again.",
    why: "Human-in-the-loop is what most graphs have a checkpointer for.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const config = thread();
      const stopped = await approval(saver, ran).invoke({ trail: ["in"] }, config);
      equal(valuesOf(stopped), { trail: ["in", "draft"] });
      equal(
        interruptsOf(stopped).map((i) => i.value),
        [question],
      );

      const graph = approval(await reopen(), ran);
      const state = await graph.getState(config);
      equal(state.next, ["review"]);
      equal(state.tasks.length, 1);
      equal(state.tasks[0]!.interrupts, interruptsOf(stopped));

      const answer = { yes: true, by: ["Ada", null] };
      const done = await graph.invoke(new Command({ resume: answer }), config);
      equal(done, { trail: ["in", "draft", "review", "ship"], answer });
      equal(ran, ["draft", "review", "review", "ship"]);
      const end = await graph.getState(config);
      equal([end.values, end.next, end.tasks], [done, [], []]);
    },
  }),

  scenario("two-in-a-node", {
    rule: "Two interrupts of one node are answered in their order.",
    why: "The second question would be answered with the first answer, or asked for ever.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const config = thread();
      const first = await interview(saver, ran).invoke({}, config);
      equal(
        interruptsOf(first).map((i) => i.value),
        ["name?"],
      );

      const graph = interview(await reopen(), ran);
      const second = await graph.invoke(new Command({ resume: "Ada" }), config);
      equal(
        interruptsOf(second).map((i) => i.value),
        ["age of Ada?"],
      );
      equal(
        (await graph.getState(config)).tasks[0]!.interrupts.map((i) => i.value),
        ["age of Ada?"],
      );

      const done = await interview(await reopen(), ran).invoke(new Command({ resume: "36" }), config);
      equal(done, { trail: ["Ada", "36"] });
      equal(ran, ["ask", "ask", "ask"]);
      equal((await collect(graph.getStateHistory(config))).length, 3);
    },
  }),

  scenario("falsy-answers", {
    rule: "null, false, 0 and the empty string are answers.",
    why: "A `no` would be taken for no answer at all.",
    run: async ({ saver, reopen }) => {
      for (const answer of [null, false, 0, ""]) {
        const config = thread();
        await approval(saver).invoke({}, config);
        const { id } = (await approval(saver).getState(config)).tasks[0]!.interrupts[0]!;
        const done = await approval(await reopen()).invoke(
          new Command({ resume: { [id!]: answer } }),
          config,
        );
        equal(done, { trail: ["draft", "review", "ship"], answer });
        equal((await approval(await reopen()).getState(config)).values, done);
      }
    },
  }),

  scenario("in-a-loop", {
    rule: "A loop asks again on each turn, and keeps the answers of the earlier turns.",
    why: "The answer of the first turn would answer all of them.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(State)
          .addNode("turn", (state) => ({
            trail: [interrupt<string, string>(`turn ${state.trail.length}`)],
          }))
          .addEdge(START, "turn")
          .addConditionalEdges("turn", (state) => (state.trail.length < 4 ? "turn" : END), ["turn", END])
          .compile({ checkpointer });
      const config = thread();
      let result: unknown = await build(saver).invoke({}, config);
      for (const [turn, answer] of ["a", "b", "c", "d"].entries()) {
        equal(
          interruptsOf(result).map((i) => i.value),
          [`turn ${turn}`],
        );
        result = await build(await reopen()).invoke(new Command({ resume: answer }), config);
      }
      equal(result, { trail: ["a", "b", "c", "d"] });
    },
  }),

  scenario("with-an-update", {
    rule: "A run is resumed with an update and an answer in one command.",
    why: "The update, or the answer, would be lost.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await approval(saver).invoke({}, config);
      const done = await approval(await reopen()).invoke(
        new Command({ resume: "ok", update: { trail: ["by the way"] } }),
        config,
      );
      equal(done, { trail: ["draft", "by the way", "review", "ship"], answer: "ok" });
    },
  }),

  scenario("before-and-after", {
    rule: "A run stops before and after the named nodes, and goes on with null.",
    why: "Breakpoints would be skipped, or never left.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(State)
          .addNode("one", () => ({ trail: ["one"] }))
          .addNode("two", () => ({ trail: ["two"] }))
          .addNode("three", () => ({ trail: ["three"] }))
          .addEdge(START, "one")
          .addEdge("one", "two")
          .addEdge("two", "three")
          .compile({ checkpointer, interruptBefore: ["two"], interruptAfter: ["two"] });
      equal(valuesOf(await build(saver).invoke({}, config)), { trail: ["one"] });
      equal((await build(saver).getState(config)).next, ["two"]);
      equal(valuesOf(await build(await reopen()).invoke(null, config)), { trail: ["one", "two"] });
      equal((await build(saver).getState(config)).next, ["three"]);
      equal(await build(await reopen()).invoke(null, config), { trail: ["one", "two", "three"] });
    },
  }),

  scenario("threads-apart", {
    rule: "The interrupt of one thread is left alone when another thread is resumed.",
    why: "One user's approval would release another user's action.",
    run: async ({ saver }) => {
      const graph = approval(saver);
      const [left, right] = [thread("t"), thread("t:1")];
      await graph.invoke({ trail: ["left"] }, left);
      await graph.invoke({ trail: ["right"] }, right);
      await graph.invoke(new Command({ resume: "r" }), right);
      const state = await graph.getState(left);
      equal([state.next, state.values], [["review"], { trail: ["left", "draft"] }]);
      equal(await graph.invoke(new Command({ resume: "l" }), left), {
        trail: ["left", "draft", "review", "ship"],
        answer: "l",
      });
    },
  }),
];
