import {
  Annotation,
  Command,
  START,
  Send,
  StateGraph,
  interrupt,
  type StateSnapshot,
} from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, checkpointId, collect, interruptsOf, thread, valuesOf, withSaver } from "./harness.js";

const Outer = Annotation.Root({ trail: appended<string>() });
const Inner = Annotation.Root({ trail: appended<string>(), secret: Annotation<string>() });

function innerBuilder(ran: string[] = []) {
  return new StateGraph(Inner)
    .addNode("prepare", () => (ran.push("prepare"), { trail: ["prepare"], secret: "kept inside" }))
    .addNode("confirm", (state) => {
      ran.push("confirm");
      return { trail: [`confirm ${interrupt<string, string>(`with ${state.secret}?`)}`] };
    })
    .addEdge(START, "prepare")
    .addEdge("prepare", "confirm");
}

function asNode(checkpointer: BaseCheckpointSaver, ran: string[] = []) {
  return new StateGraph(Outer)
    .addNode("before", () => (ran.push("before"), { trail: ["before"] }))
    .addNode("inner", innerBuilder(ran).compile(), { input: Annotation.Root({}) })
    .addNode("after", () => (ran.push("after"), { trail: ["after"] }))
    .addEdge(START, "before")
    .addEdge("before", "inner")
    .addEdge("inner", "after")
    .compile({ checkpointer });
}

function inNode(checkpointer: BaseCheckpointSaver, ran: string[] = []) {
  const inner = innerBuilder(ran).compile();
  return new StateGraph(Outer)
    .addNode("call", async () => {
      ran.push("call");
      const result = await inner.invoke({});
      return { trail: [...result.trail, result.secret] };
    })
    .addEdge(START, "call")
    .compile({ checkpointer });
}

/** The snapshot of the subgraph that waits inside the first task. */
function inside(state: StateSnapshot): StateSnapshot {
  return state.tasks[0]!.state as StateSnapshot;
}

export function subgraphTests(subject: SaverUnderTest): void {
  describe("subgraphs", () => {
    it(
      "resumes an interrupt inside a compiled graph used as a node",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const config = thread();
        const stopped = await asNode(saver, ran).invoke({}, config);
        expect(valuesOf(stopped)).toEqual({ trail: ["before"] });
        expect(interruptsOf(stopped).map((i) => i.value)).toEqual(["with kept inside?"]);

        const graph = asNode(await reopen(), ran);
        const inner = inside(await graph.getState(config, { subgraphs: true }));
        expect([inner.values, inner.next]).toEqual([
          { trail: ["prepare"], secret: "kept inside" },
          ["confirm"],
        ]);
        expect(inner.config.configurable!["checkpoint_ns"]).toMatch(/^inner:/);

        expect(await graph.invoke(new Command({ resume: "yes" }), config)).toEqual({
          trail: ["before", "prepare", "confirm yes", "after"],
        });
        expect(ran).toEqual(["before", "prepare", "confirm", "confirm", "after"]);
      }),
    );

    it(
      "resumes an interrupt inside a graph invoked in a node",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const config = thread();
        const stopped = await inNode(saver, ran).invoke({}, config);
        expect(interruptsOf(stopped).map((i) => i.value)).toEqual(["with kept inside?"]);
        const done = await inNode(await reopen(), ran).invoke(new Command({ resume: "yes" }), config);
        expect(done).toEqual({ trail: ["prepare", "confirm yes", "kept inside"] });
        expect(ran).toEqual(["call", "prepare", "confirm", "call", "confirm"]);
      }),
    );

    it(
      "keeps the subgraph's history in a namespace of its own",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await asNode(saver).invoke({}, config);
        const graph = asNode(await reopen());
        const inner = inside(await graph.getState(config, { subgraphs: true }));
        await graph.invoke(new Command({ resume: "yes" }), config);

        const outer = await collect(graph.getStateHistory(config));
        expect(outer.map((state) => state.next)).toEqual([
          [],
          ["after"],
          ["inner"],
          ["before"],
          ["__start__"],
        ]);
        const ns = inner.config.configurable!["checkpoint_ns"] as string;
        const nested = await collect(
          graph.getStateHistory({ configurable: { ...config.configurable, checkpoint_ns: ns } }),
        );
        expect(nested.map((state) => [state.next, state.values])).toEqual([
          [[], { trail: ["prepare", "confirm yes"], secret: "kept inside" }],
          [["confirm"], { trail: ["prepare"], secret: "kept inside" }],
          [["prepare"], { trail: [] }],
          [["__start__"], { trail: [] }],
        ]);
        const caller = outer.find((state) => state.next[0] === "inner")!;
        expect(nested.map((state) => state.metadata!.parents)).toEqual(
          nested.map(() => ({ "": checkpointId(caller.config) })),
        );
      }),
    );

    it(
      "takes an update of the waiting subgraph's state",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await asNode(saver).invoke({}, config);
        const graph = asNode(await reopen());
        const inner = inside(await graph.getState(config, { subgraphs: true }));
        await graph.updateState(inner.config, { secret: "changed", trail: ["edited"] });
        expect(inside(await graph.getState(config, { subgraphs: true })).values).toEqual({
          trail: ["prepare", "edited"],
          secret: "changed",
        });
        const stopped = await graph.invoke(null, config);
        expect(interruptsOf(stopped).map((i) => i.value)).toEqual(["with changed?"]);
        expect(await graph.invoke(new Command({ resume: "ok" }), config)).toEqual({
          trail: ["before", "prepare", "edited", "confirm ok", "after"],
        });
      }),
    );

    it(
      "resumes an interrupt two graphs deep",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const build = (checkpointer: BaseCheckpointSaver) => {
          const middle = new StateGraph(Outer)
            .addNode("leaf", innerBuilder(ran).compile(), { input: Annotation.Root({}) })
            .addNode("tail", () => (ran.push("tail"), { trail: ["tail"] }))
            .addEdge(START, "leaf")
            .addEdge("leaf", "tail");
          return new StateGraph(Outer)
            .addNode("middle", middle.compile(), { input: Annotation.Root({}) })
            .addEdge(START, "middle")
            .compile({ checkpointer });
        };
        const config = thread();
        await build(saver).invoke({}, config);
        const graph = build(await reopen());
        const leaf = inside(inside(await graph.getState(config, { subgraphs: true })));
        expect(leaf.config.configurable!["checkpoint_ns"]).toMatch(/^middle:[^|]+\|leaf:[^|]+$/);
        expect(leaf.values).toEqual({ trail: ["prepare"], secret: "kept inside" });
        expect(await graph.invoke(new Command({ resume: "deep" }), config)).toEqual({
          trail: ["prepare", "confirm deep", "tail"],
        });
        expect(ran).toEqual(["prepare", "confirm", "confirm", "tail"]);
      }),
    );

    it(
      "resumes interrupts of several copies of one subgraph, each by its id",
      withSaver(subject, async ({ saver, reopen }) => {
        const build = (checkpointer: BaseCheckpointSaver) => {
          const child = new StateGraph(
            Annotation.Root({ name: Annotation<string>(), trail: appended<string>() }),
          )
            .addNode("note", (state) => ({ trail: [`${state.name} noted`] }))
            .addNode("ask", (state) => ({
              trail: [`${state.name}=${interrupt<string, string>(state.name)}`],
            }))
            .addEdge(START, "note")
            .addEdge("note", "ask")
            .compile();
          return new StateGraph(Annotation.Root({ trail: appended<string>() }))
            .addNode("child", async (input: { name: string }) => ({
              trail: (await child.invoke(input)).trail,
            }))
            .addConditionalEdges(START, () => ["a", "b", "c"].map((name) => new Send("child", { name })), [
              "child",
            ])
            .compile({ checkpointer });
        };
        const config = thread();
        const open = interruptsOf(await build(saver).invoke({}, config));
        expect(open.map((i) => i.value).toSorted()).toEqual(["a", "b", "c"]);
        const resume = Object.fromEntries(open.map((i) => [i.id, `${String(i.value)}!`]));
        const done = await build(await reopen()).invoke(new Command({ resume }), config);
        expect(done).toEqual({ trail: ["a noted", "a=a!", "b noted", "b=b!", "c noted", "c=c!"] });
      }),
    );

    it(
      "starts a subgraph afresh on the next run of the thread",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await asNode(saver).invoke({}, config);
        await asNode(saver).invoke(new Command({ resume: "one" }), config);
        const graph = asNode(await reopen());
        await graph.invoke({}, config);
        expect(inside(await graph.getState(config, { subgraphs: true })).values).toEqual({
          trail: ["prepare"],
          secret: "kept inside",
        });
      }),
    );
  });
}
