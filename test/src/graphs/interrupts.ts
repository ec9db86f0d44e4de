import { Annotation, Command, END, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, collect, interruptsOf, thread, valuesOf, withSaver } from "./harness.js";

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

export function interruptTests(subject: SaverUnderTest): void {
  describe("interrupts", () => {
    it(
      "stops at the interrupt, and another process resumes it without running earlier nodes again",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const config = thread();
        const stopped = await approval(saver, ran).invoke({ trail: ["in"] }, config);
        expect(valuesOf(stopped)).toEqual({ trail: ["in", "draft"] });
        expect(interruptsOf(stopped).map((i) => i.value)).toEqual([question]);

        const graph = approval(await reopen(), ran);
        const state = await graph.getState(config);
        expect(state.next).toEqual(["review"]);
        expect(state.tasks).toHaveLength(1);
        expect(state.tasks[0]!.interrupts).toEqual(interruptsOf(stopped));

        const answer = { yes: true, by: ["Ada", null] };
        const done = await graph.invoke(new Command({ resume: answer }), config);
        expect(done).toEqual({ trail: ["in", "draft", "review", "ship"], answer });
        expect(ran).toEqual(["draft", "review", "review", "ship"]);
        const end = await graph.getState(config);
        expect([end.values, end.next, end.tasks]).toEqual([done, [], []]);
      }),
    );

    it(
      "answers two interrupts of one node in their order",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const config = thread();
        const first = await interview(saver, ran).invoke({}, config);
        expect(interruptsOf(first).map((i) => i.value)).toEqual(["name?"]);

        const graph = interview(await reopen(), ran);
        const second = await graph.invoke(new Command({ resume: "Ada" }), config);
        expect(interruptsOf(second).map((i) => i.value)).toEqual(["age of Ada?"]);
        expect((await graph.getState(config)).tasks[0]!.interrupts.map((i) => i.value)).toEqual([
          "age of Ada?",
        ]);

        const done = await interview(await reopen(), ran).invoke(new Command({ resume: "36" }), config);
        expect(done).toEqual({ trail: ["Ada", "36"] });
        expect(ran).toEqual(["ask", "ask", "ask"]);
        expect(await collect(graph.getStateHistory(config))).toHaveLength(3);
      }),
    );

    it.each([null, false, 0, ""])("resumes with %j as an answer", (answer) =>
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await approval(saver).invoke({}, config);
        const { id } = (await approval(saver).getState(config)).tasks[0]!.interrupts[0]!;
        const done = await approval(await reopen()).invoke(
          new Command({ resume: { [id!]: answer } }),
          config,
        );
        expect(done).toEqual({ trail: ["draft", "review", "ship"], answer });
      })(),
    );

    it(
      "asks again on each turn of a loop, and keeps the answers of the earlier turns",
      withSaver(subject, async ({ saver, reopen }) => {
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
          expect(interruptsOf(result).map((i) => i.value)).toEqual([`turn ${turn}`]);
          result = await build(await reopen()).invoke(new Command({ resume: answer }), config);
        }
        expect(result).toEqual({ trail: ["a", "b", "c", "d"] });
      }),
    );

    it(
      "resumes with an update and an answer in one command",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await approval(saver).invoke({}, config);
        const done = await approval(await reopen()).invoke(
          new Command({ resume: "ok", update: { trail: ["by the way"] } }),
          config,
        );
        expect(done).toEqual({ trail: ["draft", "by the way", "review", "ship"], answer: "ok" });
      }),
    );

    it(
      "stops before and after the named nodes, and goes on with null",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect(valuesOf(await build(saver).invoke({}, config))).toEqual({ trail: ["one"] });
        expect((await build(saver).getState(config)).next).toEqual(["two"]);
        expect(valuesOf(await build(await reopen()).invoke(null, config))).toEqual({ trail: ["one", "two"] });
        expect((await build(saver).getState(config)).next).toEqual(["three"]);
        expect(await build(await reopen()).invoke(null, config)).toEqual({ trail: ["one", "two", "three"] });
      }),
    );

    it(
      "leaves the interrupt of one thread alone when another thread is resumed",
      withSaver(subject, async ({ saver }) => {
        const graph = approval(saver);
        const [left, right] = [thread("t"), thread("t:1")];
        await graph.invoke({ trail: ["left"] }, left);
        await graph.invoke({ trail: ["right"] }, right);
        await graph.invoke(new Command({ resume: "r" }), right);
        const state = await graph.getState(left);
        expect([state.next, state.values]).toEqual([["review"], { trail: ["left", "draft"] }]);
        expect(await graph.invoke(new Command({ resume: "l" }), left)).toEqual({
          trail: ["left", "draft", "review", "ship"],
          answer: "l",
        });
      }),
    );
  });
}
