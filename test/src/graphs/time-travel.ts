import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, checkpointId, collect, interruptsOf, thread, withSaver } from "./harness.js";

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

export function timeTravelTests(subject: SaverUnderTest): void {
  describe("time travel", () => {
    it(
      "lists every step, newest first, each with its values and its parent",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await steps(saver).invoke({ trail: ["in"] }, config);
        const history = await collect(steps(await reopen()).getStateHistory(config));
        expect(
          history.map((state) => [state.metadata!.step, state.metadata!.source, state.next, state.values]),
        ).toEqual([
          [3, "loop", [], { trail: ["in", "one", "two", "three"], first: "one", last: "three" }],
          [2, "loop", ["three"], { trail: ["in", "one", "two"], first: "one", last: "two" }],
          [1, "loop", ["two"], { trail: ["in", "one"], first: "one", last: "one" }],
          [0, "loop", ["one"], { trail: ["in"] }],
          [-1, "input", ["__start__"], { trail: [] }],
        ]);
        const ids = history.map((state) => checkpointId(state.config));
        expect(new Set(ids).size).toBe(5);
        expect(history.map((state) => checkpointId(state.parentConfig))).toEqual([
          ...ids.slice(1),
          undefined,
        ]);
      }),
    );

    it(
      "limits, pages and filters the history",
      withSaver(subject, async ({ saver }) => {
        const graph = steps(saver);
        const config = thread();
        await graph.invoke({}, config);
        await graph.invoke({}, config);
        const all = await collect(graph.getStateHistory(config));
        expect(all).toHaveLength(10);
        const ids = all.map((state) => checkpointId(state.config));
        const page = async (options: Parameters<typeof graph.getStateHistory>[1]) =>
          (await collect(graph.getStateHistory(config, options))).map((state) => checkpointId(state.config));
        expect(await page({ limit: 3 })).toEqual(ids.slice(0, 3));
        expect(await page({ limit: 3, before: all[2]!.config })).toEqual(ids.slice(3, 6));
        expect(await page({ before: all[8]!.config })).toEqual(ids.slice(9));
        expect(await page({ filter: { source: "input" } })).toEqual([ids[4], ids[9]]);
        expect(await page({ filter: { source: "loop", step: 1 }, limit: 5 })).toEqual([ids[7]]);
      }),
    );

    it(
      "shows the state as it was at an old checkpoint",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await steps(saver).invoke({ trail: ["in"] }, config);
        const graph = steps(await reopen());
        for (const old of await collect(graph.getStateHistory(config))) {
          const state = await graph.getState(old.config);
          expect([state.values, state.next, state.metadata]).toEqual([old.values, old.next, old.metadata]);
        }
      }),
    );

    it(
      "replays from an old checkpoint, and only what comes after it",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await steps(saver).invoke({ trail: ["in"] }, config);
        const ran: string[] = [];
        const graph = steps(await reopen(), ran, "'");
        const old = await collect(graph.getStateHistory(config));
        const result = await graph.invoke(null, old[2]!.config);
        const expected = { trail: ["in", "one", "two'", "three'"], first: "one", last: "three'" };
        expect(result).toEqual(expected);
        expect(ran).toEqual(["two", "three"]);

        // The old branch is still there, unchanged, behind the new one.
        expect((await graph.getState(config)).values).toEqual(expected);
        const history = await collect(graph.getStateHistory(config));
        expect(history.slice(-5).map((state) => state.values)).toEqual(old.map((state) => state.values));
        expect((await graph.getState(old[0]!.config)).values).toEqual({
          trail: ["in", "one", "two", "three"],
          first: "one",
          last: "three",
        });
      }),
    );

    it(
      "replays the first step of a thread",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await steps(saver).invoke({ trail: ["in"] }, config);
        const graph = steps(await reopen(), [], "'");
        const start = (await collect(graph.getStateHistory(config))).find(
          (state) => state.next[0] === "one",
        )!;
        expect(await graph.invoke(null, start.config)).toEqual({
          trail: ["in", "one'", "two'", "three'"],
          first: "one'",
          last: "three'",
        });
      }),
    );

    it(
      "asks again when an answered interrupt is replayed, and keeps both answers",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect(done).toEqual({ trail: ["yes"], last: "told yes" });
        const graph = build(await reopen());
        const asked = (await collect(graph.getStateHistory(config))).find(
          (state) => state.next[0] === "ask",
        )!;
        const tip = (await graph.getState(config)).config;
        expect(interruptsOf(await graph.invoke(null, asked.config)).map((i) => i.value)).toEqual(["?"]);
        expect(await graph.invoke(new Command({ resume: "no" }), config)).toEqual({
          trail: ["no"],
          last: "told no",
        });
        expect((await graph.getState(tip)).values).toEqual(done);
        expect(ran).toEqual(["ask", "ask", "ask", "ask"]);
      }),
    );

    it(
      "continues a thread from its tip over many runs",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect((await graph.getState(config)).values).toEqual({ trail, first: "one5", last: "three5" });
        const history = await collect(graph.getStateHistory(config));
        expect(history.map((state) => state.metadata!.step)).toEqual(
          Array.from({ length: 30 }, (_, index) => 28 - index),
        );
        expect(
          history.filter((state) => state.next.length === 0).map((state) => state.values.trail.length),
        ).toEqual([24, 20, 16, 12, 8, 4]);
      }),
    );
  });
}
