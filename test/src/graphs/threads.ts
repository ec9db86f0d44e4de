import { Annotation, Command, START, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, collect, interruptsOf, thread, withSaver } from "./harness.js";

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

export function threadTests(subject: SaverUnderTest): void {
  describe("deleted threads", () => {
    it(
      "leave nothing behind, in any namespace",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await build(saver).invoke({ trail: ["in"] }, config);
        expect(
          (await collect(saver.list(config))).map((tuple) => tuple.config.configurable!["checkpoint_ns"]),
        ).toContain("recall");
        await saver.deleteThread(config.configurable.thread_id);
        for (const each of [saver, await reopen()]) {
          const state = await build(each).getState(config);
          expect([state.values, state.next, state.tasks]).toEqual([{}, [], []]);
          expect(await collect(build(each).getStateHistory(config))).toEqual([]);
          expect(await collect(each.list(config))).toEqual([]);
        }
      }),
    );

    it(
      "can be used again at once, and start from nothing",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        for (let round = 0; round < 3; round++) {
          const stopped = await build(saver).invoke({ trail: ["in"] }, config);
          expect(interruptsOf(stopped)).toHaveLength(1);
          const graph = build(await reopen());
          expect((await graph.getState(config)).values).toEqual(waiting);
          expect(await graph.invoke(new Command({ resume: `answer ${round}` }), config)).toEqual({
            trail: ["in", "recall", `ask answer ${round}`],
            memory: ["learned"],
          });
          expect(await collect(graph.getStateHistory(config))).toHaveLength(4);
          await saver.deleteThread(config.configurable.thread_id);
        }
      }),
    );

    it(
      "take no other thread with them, whatever its name",
      withSaver(subject, async ({ saver, reopen }) => {
        const ids = ["t", "t1", "t:1", "t|1", "t/1", "T", "t ", "%", "_", "t%"];
        for (const id of ids) await build(saver).invoke({ trail: ["in"] }, thread(id));
        await saver.deleteThread("t");
        await saver.deleteThread("%");
        await saver.deleteThread("nobody");
        const graph = build(await reopen());
        const left = ids.filter((id) => id !== "t" && id !== "%");
        for (const id of left) {
          expect((await graph.getState(thread(id))).values).toEqual(waiting);
          expect(await graph.invoke(new Command({ resume: id }), thread(id))).toEqual({
            trail: ["in", "recall", `ask ${id}`],
            memory: ["learned"],
          });
        }
        for (const id of ["t", "%"]) expect(await collect(graph.getStateHistory(thread(id)))).toEqual([]);
      }),
    );

    it(
      "forget the interrupt that waited in them",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await build(saver).invoke({ trail: ["in"] }, config);
        await saver.deleteThread(config.configurable.thread_id);
        // Nothing waits for it any more: no node runs.
        expect(await build(await reopen()).invoke(new Command({ resume: "too late" }), config)).toEqual({
          trail: [],
        });
      }),
    );
  });
}
