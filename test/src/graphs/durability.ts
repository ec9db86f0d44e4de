import { Annotation, Command, START, Send, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, checkpointId, collect, interruptsOf, thread, withSaver } from "./harness.js";

const State = Annotation.Root({ trail: appended<string>() });
const modes = ["sync", "async", "exit"] as const;

function twoQuestions(checkpointer: BaseCheckpointSaver, ran: string[] = []) {
  return new StateGraph(State)
    .addNode("one", () => (ran.push("one"), { trail: ["one"] }))
    .addNode("ask", () => {
      ran.push("ask");
      return { trail: [`${interrupt<string, string>("a?")}${interrupt<string, string>("b?")}`] };
    })
    .addNode("last", () => (ran.push("last"), { trail: ["last"] }))
    .addEdge(START, "one")
    .addEdge("one", "ask")
    .addEdge("ask", "last")
    .compile({ checkpointer });
}

function nested(checkpointer: BaseCheckpointSaver) {
  const inner = new StateGraph(State)
    .addNode("prepare", () => ({ trail: ["prepare"] }))
    .addNode("confirm", () => ({ trail: [`confirm ${interrupt<string, string>("sure?")}`] }))
    .addEdge(START, "prepare")
    .addEdge("prepare", "confirm");
  return new StateGraph(State)
    .addNode("inner", inner.compile(), { input: Annotation.Root({}) })
    .addEdge(START, "inner")
    .compile({ checkpointer });
}

function fanOut(checkpointer: BaseCheckpointSaver, ran: string[]) {
  return new StateGraph(State)
    .addNode("work", ({ job }: { job: string }) => {
      ran.push(job);
      return { trail: [job === "easy" ? job : `${job}=${interrupt<string, string>(job)}`] };
    })
    .addConditionalEdges(START, () => ["x", "easy", "y"].map((job) => new Send("work", { job })), ["work"])
    .compile({ checkpointer });
}

export function durabilityTests(subject: SaverUnderTest): void {
  describe.each(modes)("durability %s", (durability) => {
    it(
      "ends with the same state, and stores the steps its mode promises",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const build = (checkpointer: BaseCheckpointSaver) =>
          new StateGraph(State)
            .addNode("a", () => ({ trail: ["a"] }))
            .addNode("b", () => ({ trail: ["b"] }))
            .addEdge(START, "a")
            .addEdge("a", "b")
            .compile({ checkpointer });
        await build(saver).invoke({ trail: ["in"] }, { ...config, durability });
        const graph = build(await reopen());
        await graph.invoke({ trail: ["again"] }, { ...config, durability });
        const history = await collect(build(await reopen()).getStateHistory(config));
        const every = [
          ["in", "a", "b", "again", "a", "b"],
          ["in", "a", "b", "again", "a"],
          ["in", "a", "b", "again"],
          ["in", "a", "b"],
          ["in", "a", "b"],
          ["in", "a"],
          ["in"],
          [],
        ];
        expect(history.map((state) => state.values.trail)).toEqual(
          durability === "exit" ? [every[0], every[4]] : every,
        );
        const ids = history.map((state) => checkpointId(state.config));
        expect(history.slice(0, -1).map((state) => checkpointId(state.parentConfig))).toEqual(ids.slice(1));
      }),
    );

    it(
      "resumes two interrupts of one node, one process each",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const config = { ...thread(), durability };
        expect(interruptsOf(await twoQuestions(saver, ran).invoke({}, config)).map((i) => i.value)).toEqual([
          "a?",
        ]);
        const second = await twoQuestions(await reopen(), ran).invoke(new Command({ resume: "A" }), config);
        expect(interruptsOf(second).map((i) => i.value)).toEqual(["b?"]);
        const waiting = await twoQuestions(await reopen()).getState(config);
        expect(waiting.values).toEqual({ trail: ["one"] });
        expect(waiting.tasks.map((task) => [task.name, task.interrupts.map((i) => i.value)])).toEqual([
          ["ask", ["b?"]],
        ]);
        const done = await twoQuestions(await reopen(), ran).invoke(new Command({ resume: "B" }), config);
        expect(done).toEqual({ trail: ["one", "AB", "last"] });
        expect(ran).toEqual(["one", "ask", "ask", "ask", "last"]);
      }),
    );

    it(
      "never leaves a checkpoint that is its own ancestor",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = { ...thread(), durability };
        const graph = twoQuestions(saver);
        await graph.invoke({}, config);
        for (const resume of ["A", "B"]) await graph.invoke(new Command({ resume }), config);
        const history = await collect(twoQuestions(await reopen()).getStateHistory(config));
        expect(history[0]!.values).toEqual({ trail: ["one", "AB", "last"] });
        const parents = new Map(
          history.map((state) => [checkpointId(state.config), checkpointId(state.parentConfig)]),
        );
        const line: string[] = [];
        for (
          let id = checkpointId(history[0]!.config);
          id !== undefined && !line.includes(id);
          id = parents.get(id)
        )
          line.push(id);
        expect(parents.get(line.at(-1))).toBeUndefined();
        expect([...line].toSorted().toReversed()).toEqual(line);
      }),
    );

    it(
      "resumes an interrupt inside a subgraph",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = { ...thread(), durability };
        expect(interruptsOf(await nested(saver).invoke({}, config)).map((i) => i.value)).toEqual(["sure?"]);
        const done = await nested(await reopen()).invoke(new Command({ resume: "yes" }), config);
        expect(done).toEqual({ trail: ["prepare", "confirm yes"] });
      }),
    );

    it(
      "resumes parallel branches one by one and keeps what the others wrote",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const config = { ...thread(), durability };
        const open = interruptsOf(await fanOut(saver, ran).invoke({}, config));
        const id = (job: string) => open.find((i) => i.value === job)!.id;
        const half = await fanOut(await reopen(), ran).invoke(
          new Command({ resume: { [id("y")]: 2 } }),
          config,
        );
        expect(interruptsOf(half).map((i) => i.value)).toEqual(["x"]);
        const done = await fanOut(await reopen(), ran).invoke(
          new Command({ resume: { [id("x")]: 1 } }),
          config,
        );
        expect(done).toEqual({ trail: ["x=1", "easy", "y=2"] });
        expect(ran.filter((job) => job === "easy")).toHaveLength(1);
        expect(ran.filter((job) => job === "y")).toHaveLength(2);
      }),
    );

    it(
      "keeps the state of a run that failed",
      withSaver(subject, async ({ saver, reopen }) => {
        let broken = true;
        const build = (checkpointer: BaseCheckpointSaver) =>
          new StateGraph(State)
            .addNode("a", () => ({ trail: ["a"] }))
            .addNode("b", () => {
              if (broken) throw new Error("b is broken");
              return { trail: ["b"] };
            })
            .addEdge(START, "a")
            .addEdge("a", "b")
            .compile({ checkpointer });
        const config = { ...thread(), durability };
        await expect(build(saver).invoke({}, config)).rejects.toThrow("b is broken");
        const state = await build(await reopen()).getState(config);
        expect([state.values, state.next]).toEqual([{ trail: ["a"] }, ["b"]]);
        broken = false;
        expect(await build(await reopen()).invoke(null, config)).toEqual({ trail: ["a", "b"] });
      }),
    );
  });
}
