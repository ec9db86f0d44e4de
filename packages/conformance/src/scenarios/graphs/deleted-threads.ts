import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, includes } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, interruptsOf } from "./harness.js";
const scenario = inGroup("deletedThreads");

const State = Annotation.Root({ trail: appended<string>(), memory: Annotation<string[]>() });

/** One interrupt in the graph and a stateful subgraph: a thread with writes, namespaces and values to delete. */
function build(checkpointer: BaseCheckpointSaver) {
  const inner = new StateGraph(Annotation.Root({ memory: appended<string>() }))
    .addNode("learn", () => ({ memory: ["learned"] }))
    .addEdge(START, "learn")
    .compile({ checkpointer: true });
  return new StateGraph(State)
    .addNode("recall", async () => ({ trail: ["recall"], memory: (await inner.invoke({})).memory }))
    .addNode("ask", () => ({ trail: [`ask ${interrupt<string, string>("?")}`] }))
    .addEdge(START, "recall")
    .addEdge("recall", "ask")
    .compile({ checkpointer });
}

const waiting = { trail: ["in", "recall"], memory: ["learned"] };

export const deletedThreadsScenarios: readonly Scenario[] = [
  scenario("nothing-behind", {
    rule: "A deleted thread leaves nothing behind, in any namespace.",
    why: "A deletion request of a user would not be met.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await build(saver).invoke({ trail: ["in"] }, config);
      includes(
        (await collect(saver.list(config))).map((tuple) => tuple.config.configurable!["checkpoint_ns"]),
        "recall",
      );
      await saver.deleteThread(config.configurable.thread_id);
      for (const each of [saver, await reopen()]) {
        const state = await build(each).getState(config);
        equal([state.values, state.next, state.tasks], [{}, [], []]);
        equal(await collect(build(each).getStateHistory(config)), []);
        equal(await collect(each.list(config)), []);
      }
    },
  }),

  scenario("used-again", {
    rule: "A deleted thread can be used again at once, and starts from nothing.",
    why: "The new conversation would begin with the old one's memory.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      for (let round = 0; round < 3; round++) {
        const stopped = await build(saver).invoke({ trail: ["in"] }, config);
        equal(interruptsOf(stopped).length, 1);
        const graph = build(await reopen());
        equal((await graph.getState(config)).values, waiting);
        equal(await graph.invoke(new Command({ resume: `answer ${round}` }), config), {
          trail: ["in", "recall", `ask answer ${round}`],
          memory: ["learned"],
        });
        equal((await collect(graph.getStateHistory(config))).length, 4);
        await saver.deleteThread(config.configurable.thread_id);
      }
    },
  }),

  scenario("no-other-thread", {
    rule: "A deleted thread takes no other with it, whatever its name.",
    why: "Deleting one user would delete others.",
    run: async ({ saver, reopen }) => {
      const ids = ["t", "t1", "t:1", "t|1", "t/1", "T", "t ", "%", "_", "t%"];
      for (const id of ids) await build(saver).invoke({ trail: ["in"] }, thread(id));
      await saver.deleteThread("t");
      await saver.deleteThread("%");
      await saver.deleteThread("nobody");
      const graph = build(await reopen());
      const left = ids.filter((id) => id !== "t" && id !== "%");
      for (const id of left) {
        equal((await graph.getState(thread(id))).values, waiting);
        equal(await graph.invoke(new Command({ resume: id }), thread(id)), {
          trail: ["in", "recall", `ask ${id}`],
          memory: ["learned"],
        });
      }
      for (const id of ["t", "%"]) equal(await collect(graph.getStateHistory(thread(id))), []);
    },
  }),

  scenario("forgets-its-interrupt", {
    rule: "A deleted thread forgets the interrupt that waited in it.",
    why: "A late approval would still release the action.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await build(saver).invoke({ trail: ["in"] }, config);
      await saver.deleteThread(config.configurable.thread_id);
      // Nothing waits for it any more: no node runs.
      equal(await build(await reopen()).invoke(new Command({ resume: "too late" }), config), {
        trail: [],
      });
    },
  }),
];
