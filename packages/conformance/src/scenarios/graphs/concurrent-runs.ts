import { Annotation, Command, START, Send, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, interruptsOf } from "./harness.js";
const scenario = inGroup("concurrency");

const State = Annotation.Root({ name: Annotation<string>(), trail: appended<string>() });

function conversation(checkpointer: BaseCheckpointSaver) {
  const inner = new StateGraph(State)
    .addNode("note", (state) => ({ trail: [`${state.name} noted`] }))
    .addNode("ask", (state) => ({ trail: [`${state.name}=${interrupt<string, string>(`${state.name}?`)}`] }))
    .addEdge(START, "note")
    .addEdge("note", "ask")
    .compile();
  return new StateGraph(State)
    .addNode("hello", (state) => ({ trail: [`hello ${state.name}`] }))
    .addNode("inner", async (state) => ({ trail: (await inner.invoke({ name: state.name })).trail }))
    .addEdge(START, "hello")
    .addEdge("hello", "inner")
    .compile({ checkpointer });
}

const names = Array.from({ length: 24 }, (_, index) => `user ${index}`);

export const concurrentRunsScenarios: readonly Scenario[] = [
  scenario("many-threads", {
    rule: "Runs of 24 threads at once do not mix.",
    why: "Under load users would see each other's conversations.",
    run: async ({ saver, reopen }) => {
      // Each id is a prefix of others: "user 1" of "user 10" to "user 19".
      const configs = names.map((name) => thread(name));
      const stopped = await Promise.all(
        names.map((name, index) => conversation(saver).invoke({ name }, configs[index])),
      );
      equal(
        stopped.map((result) => interruptsOf(result).map((i) => i.value)),
        names.map((name) => [`${name}?`]),
      );

      const graph = conversation(await reopen());
      const done = await Promise.all(
        names.map((name, index) => graph.invoke(new Command({ resume: `re ${name}` }), configs[index])),
      );
      const expected = names.map((name) => ({
        name,
        trail: [`hello ${name}`, `${name} noted`, `${name}=re ${name}`],
      }));
      equal(done, expected);

      const states = await Promise.all(configs.map((config) => graph.getState(config)));
      equal(
        states.map((state) => [state.values, state.next]),
        expected.map((values) => [values, []]),
      );
      const histories = await Promise.all(configs.map((config) => collect(graph.getStateHistory(config))));
      equal(
        histories.map((history) => history.map((state) => state.values.trail.length)),
        names.map(() => [3, 1, 0, 0]),
      );
      equal(
        histories.map((history) =>
          history.every(
            (state) =>
              state.config.configurable!["thread_id"] === history[0]!.config.configurable!["thread_id"],
          ),
        ),
        names.map(() => true),
      );
    },
  }),

  scenario("two-savers", {
    rule: "Runs through two savers over the same data do not mix.",
    why: "A service with two processes would mix up its threads.",
    run: async ({ saver, reopen }) => {
      const savers = [saver, await reopen()];
      const run = async (name: string, index: number) => {
        const config = thread(name);
        await conversation(savers[index % 2]!).invoke({ name }, config);
        return conversation(savers[(index + 1) % 2]!).invoke(new Command({ resume: `no. ${index}` }), config);
      };
      const done = await Promise.all(names.slice(0, 20).map(run));
      equal(
        done.map((result) => result.trail.at(-1)),
        names.slice(0, 20).map((name, index) => `${name}=no. ${index}`),
      );
    },
  }),

  scenario("many-subgraphs", {
    rule: "Many subgraphs in one thread at once do not mix.",
    why: "Parallel agents of one user would overwrite each other.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) => {
        const child = new StateGraph(State)
          .addNode("one", (state) => ({ trail: [`${state.name} one`] }))
          .addNode("two", (state) => ({ trail: [`${state.name} two ${state.trail.length}`] }))
          .addNode("ask", (state) => ({
            trail: [`${state.name} ${interrupt<string, string>(state.name)}`],
          }))
          .addEdge(START, "one")
          .addEdge("one", "two")
          .addEdge("two", "ask")
          .compile();
        return new StateGraph(Annotation.Root({ trail: appended<string>() }))
          .addNode("child", async (input: { name: string }) => ({
            trail: (await child.invoke(input)).trail,
          }))
          .addConditionalEdges(START, () => names.slice(0, 20).map((name) => new Send("child", { name })), [
            "child",
          ])
          .compile({ checkpointer });
      };
      const config = thread();
      const open = interruptsOf(await build(saver).invoke({}, config));
      const resume = Object.fromEntries(open.map((i) => [i.id, `answers ${String(i.value)}`]));
      const done = await build(await reopen()).invoke(new Command({ resume }), config);
      equal(
        done.trail,
        names.slice(0, 20).flatMap((name) => [`${name} one`, `${name} two 1`, `${name} answers ${name}`]),
      );
    },
  }),
];
