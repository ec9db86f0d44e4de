import { Annotation, Command, START, Send, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, rejects } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, interruptsOf, checkpointId } from "./harness.js";
const scenario = inGroup("durability");

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

export const durabilityScenarios: readonly Scenario[] = modes.flatMap((durability) => [
  scenario(`${durability}-steps`, {
    rule: "The run ends with the same state, and stores the steps its mode promises.",
    why: "The setting would change the result, or what is promised be missing after a crash.",
    run: async ({ saver, reopen }) => {
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
      equal(
        history.map((state) => state.values.trail),
        durability === "exit" ? [every[0], every[4]] : every,
      );
      const ids = history.map((state) => checkpointId(state.config));
      equal(
        history.slice(0, -1).map((state) => checkpointId(state.parentConfig)),
        ids.slice(1),
      );
    },
  }),

  scenario(`${durability}-two-interrupts`, {
    rule: "Two interrupts of one node are resumed, one process each.",
    why: "With exit durability LangGraph puts the same checkpoint again as its own parent.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const config = { ...thread(), durability };
      equal(
        interruptsOf(await twoQuestions(saver, ran).invoke({}, config)).map((i) => i.value),
        ["a?"],
      );
      const second = await twoQuestions(await reopen(), ran).invoke(new Command({ resume: "A" }), config);
      equal(
        interruptsOf(second).map((i) => i.value),
        ["b?"],
      );
      const waiting = await twoQuestions(await reopen()).getState(config);
      equal(waiting.values, { trail: ["one"] });
      equal(
        waiting.tasks.map((task) => [task.name, task.interrupts.map((i) => i.value)]),
        [["ask", ["b?"]]],
      );
      const done = await twoQuestions(await reopen(), ran).invoke(new Command({ resume: "B" }), config);
      equal(done, { trail: ["one", "AB", "last"] });
      equal(ran, ["one", "ask", "ask", "ask", "last"]);
    },
  }),

  scenario(`${durability}-no-own-ancestor`, {
    rule: "No checkpoint is its own ancestor.",
    why: "Every walk over the history would hang or end early.",
    run: async ({ saver, reopen }) => {
      const config = { ...thread(), durability };
      const graph = twoQuestions(saver);
      await graph.invoke({}, config);
      for (const resume of ["A", "B"]) await graph.invoke(new Command({ resume }), config);
      const history = await collect(twoQuestions(await reopen()).getStateHistory(config));
      equal(history[0]!.values, { trail: ["one", "AB", "last"] });
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
      equal(parents.get(line.at(-1)), undefined);
      equal([...line].toSorted().toReversed(), line);
    },
  }),

  scenario(`${durability}-subgraph`, {
    rule: "An interrupt inside a subgraph is resumed.",
    why: "Parent and subgraph are written at different times in each mode.",
    run: async ({ saver, reopen }) => {
      const config = { ...thread(), durability };
      equal(
        interruptsOf(await nested(saver).invoke({}, config)).map((i) => i.value),
        ["sure?"],
      );
      const done = await nested(await reopen()).invoke(new Command({ resume: "yes" }), config);
      equal(done, { trail: ["prepare", "confirm yes"] });
    },
  }),

  scenario(`${durability}-branches`, {
    rule: "Parallel branches are resumed one by one and keep what the others wrote.",
    why: "Writes arrive before the checkpoint that they belong to.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const config = { ...thread(), durability };
      const open = interruptsOf(await fanOut(saver, ran).invoke({}, config));
      const id = (job: string) => open.find((i) => i.value === job)!.id;
      const half = await fanOut(await reopen(), ran).invoke(
        new Command({ resume: { [id("y")]: 2 } }),
        config,
      );
      equal(
        interruptsOf(half).map((i) => i.value),
        ["x"],
      );
      const done = await fanOut(await reopen(), ran).invoke(
        new Command({ resume: { [id("x")]: 1 } }),
        config,
      );
      equal(done, { trail: ["x=1", "easy", "y=2"] });
      equal(ran.filter((job) => job === "easy").length, 1);
      equal(ran.filter((job) => job === "y").length, 2);
    },
  }),

  scenario(`${durability}-failed-run`, {
    rule: "The state of a run that failed is kept.",
    why: "A failure would cost the work of the whole run.",
    run: async ({ saver, reopen }) => {
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
      await rejects(build(saver).invoke({}, config), "b is broken");
      const state = await build(await reopen()).getState(config);
      equal([state.values, state.next], [{ trail: ["a"] }, ["b"]]);
      broken = false;
      equal(await build(await reopen()).invoke(null, config), { trail: ["a", "b"] });
    },
  }),
]);
