import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, checkpointId, collect, interruptsOf, thread, withSaver } from "./harness.js";

const State = Annotation.Root({
  trail: appended<string>(),
  /** Written by the first node only: every branch reads it through the checkpoints they share. */
  shared: Annotation<{ from: string }>(),
  /** Written once after the fork: the branches give their different values the same version number. */
  picked: Annotation<string>(),
});

function forkable(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(State)
    .addNode("one", () => ({ trail: ["one"], shared: { from: "one" } }))
    .addNode("two", (state) => ({
      trail: [`two(${state.trail.length})`],
      picked: `after ${state.trail.at(-1)}`,
    }))
    .addNode("three", (state) => ({ trail: [`three ${state.picked}`] }))
    .addEdge(START, "one")
    .addEdge("one", "two")
    .addEdge("two", "three")
    .compile({ checkpointer });
}

type Forkable = ReturnType<typeof forkable>;

async function before(graph: Forkable, config: ReturnType<typeof thread>, node: string) {
  return (await collect(graph.getStateHistory(config))).find((state) => state.next[0] === node)!;
}

const main = { trail: ["one", "two(1)", "three after one"], shared: { from: "one" }, picked: "after one" };
const branch = (name: string) => ({
  trail: ["one", name, "two(2)", `three after ${name}`],
  shared: { from: "one" },
  picked: `after ${name}`,
});

export function forkTests(subject: SaverUnderTest): void {
  describe("forks", () => {
    it(
      "keep each branch's values, though both count the same versions",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        let graph = forkable(saver);
        await graph.invoke({}, config);
        const tips = [(await graph.getState(config)).config];
        const point = await before(graph, config, "two");
        for (const name of ["B", "C"]) {
          const forked = await graph.updateState(point.config, { trail: [name] });
          expect((await graph.getState(forked)).parentConfig).toEqual(point.config);
          graph = forkable(await reopen());
          expect(await graph.invoke(null, forked)).toEqual(branch(name));
          tips.push((await graph.getState(config)).config);
        }
        const states = await Promise.all(tips.map(async (tip) => (await graph.getState(tip)).values));
        expect(states).toEqual([main, branch("B"), branch("C")]);
        const versions = await Promise.all(
          tips.map(async (tip) => (await saver.getTuple(tip))!.checkpoint.channel_versions["picked"]),
        );
        expect(versions[1]).toBe(versions[2]);
      }),
    );

    it(
      "stay apart when their steps are written in turns",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const graph = forkable(saver);
        await graph.invoke({}, config);
        const point = await before(graph, config, "two");
        const step = { interruptAfter: ["two" as const] };
        const forked = await Promise.all(
          ["B", "C"].map((name) => graph.updateState(point.config, { trail: [name] })),
        );
        const half: (typeof forked)[number][] = [];
        for (const fork of forked) {
          await graph.invoke(null, { ...fork, ...step });
          half.push((await graph.getState(config)).config);
        }
        const again = forkable(await reopen());
        expect(await again.invoke(null, half[1])).toEqual(branch("C"));
        expect(await again.invoke(null, half[0])).toEqual(branch("B"));
      }),
    );

    it(
      "list every branch's checkpoints with the values of that branch",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const graph = forkable(saver);
        await graph.invoke({}, config);
        const point = await before(graph, config, "two");
        await graph.invoke(null, await graph.updateState(point.config, { trail: ["B"] }));
        const history = await collect(forkable(await reopen()).getStateHistory(config));
        expect(
          history.map((state) => [state.metadata!.source, state.values.trail, state.values.picked]),
        ).toEqual([
          ["loop", branch("B").trail, "after B"],
          ["loop", branch("B").trail.slice(0, 3), "after B"],
          ["update", ["one", "B"], undefined],
          ["loop", main.trail, "after one"],
          ["loop", main.trail.slice(0, 2), "after one"],
          ["loop", ["one"], undefined],
          ["loop", [], undefined],
          ["input", [], undefined],
        ]);
        expect(checkpointId(history[2]!.parentConfig)).toBe(checkpointId(point.config));
      }),
    );

    it(
      "update as a named node goes on after that node",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const graph = forkable(saver);
        await graph.invoke({}, config);
        const point = await before(graph, config, "two");
        const forked = await graph.updateState(point.config, { trail: ["by hand"], picked: "mine" }, "two");
        const again = forkable(await reopen());
        expect((await again.getState(config)).next).toEqual(["three"]);
        expect(await again.invoke(null, forked)).toEqual({
          trail: ["one", "by hand", "three mine"],
          shared: { from: "one" },
          picked: "mine",
        });
      }),
    );

    it(
      "update of a thread that has no checkpoint yet starts it",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await forkable(saver).updateState(config, { trail: ["seed"], shared: { from: "seed" } }, "one");
        const graph = forkable(await reopen());
        expect((await graph.getState(config)).next).toEqual(["two"]);
        expect(await graph.invoke(null, config)).toEqual({
          trail: ["seed", "two(1)", "three after seed"],
          shared: { from: "seed" },
          picked: "after seed",
        });
      }),
    );

    it(
      "bulk update rebuilds a thread step by step",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await forkable(saver).bulkUpdateState(config, [
          { updates: [{ values: { trail: ["in"] }, asNode: "__input__" }] },
          { updates: [{ values: { trail: ["in"] }, asNode: "__start__" }] },
          { updates: [{ values: { trail: ["1"], shared: { from: "bulk" } }, asNode: "one" }] },
          {
            updates: [
              { values: { trail: ["2"], picked: "p" }, asNode: "two" },
              { values: { trail: ["2b"] }, asNode: "two" },
            ],
          },
        ]);
        const graph = forkable(await reopen());
        const history = await collect(graph.getStateHistory(config));
        expect(history.map((state) => [state.metadata!.source, state.next, state.values.trail])).toEqual([
          ["update", ["three"], ["in", "1", "2", "2b"]],
          ["update", ["two"], ["in", "1"]],
          ["update", ["one"], ["in"]],
          ["input", ["__start__"], []],
        ]);
        expect(await graph.invoke(null, config)).toEqual({
          trail: ["in", "1", "2", "2b", "three p"],
          shared: { from: "bulk" },
          picked: "p",
        });
      }),
    );

    it(
      "copy of a checkpoint is its sibling, with the same values",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const graph = forkable(saver);
        await graph.invoke({}, config);
        const point = await before(graph, config, "three");
        const copied = await graph.updateState(point.config, null, "__copy__");
        const again = forkable(await reopen());
        const copy = await again.getState(copied);
        expect([copy.values, copy.next, copy.metadata!.source]).toEqual([point.values, ["three"], "fork"]);
        expect(checkpointId(copy.config)).not.toBe(checkpointId(point.config));
        expect(copy.parentConfig).toEqual(point.parentConfig);
        expect(await again.invoke(null, copied)).toEqual(main);
      }),
    );

    it(
      "copy of an answered interrupt asks again, and leaves the first answer's branch alone",
      withSaver(subject, async ({ saver, reopen }) => {
        const build = (checkpointer: BaseCheckpointSaver) =>
          new StateGraph(Annotation.Root({ trail: appended<string>() }))
            .addNode("ask", () => ({ trail: [interrupt<string, string>("?")] }))
            .addEdge(START, "ask")
            .compile({ checkpointer });
        const config = thread();
        await build(saver).invoke({ trail: ["in"] }, config);
        await build(saver).invoke(new Command({ resume: "first" }), config);
        const graph = build(await reopen());
        const tip = (await graph.getState(config)).config;
        const asked = (await collect(graph.getStateHistory(config))).find(
          (state) => state.next[0] === "ask",
        )!;
        const copied = await graph.updateState(asked.config, null, "__copy__");
        expect(interruptsOf(await graph.invoke(null, copied)).map((i) => i.value)).toEqual(["?"]);
        expect(await graph.invoke(new Command({ resume: "second" }), config)).toEqual({
          trail: ["in", "second"],
        });
        expect((await graph.getState(tip)).values).toEqual({ trail: ["in", "first"] });
      }),
    );
  });
}
