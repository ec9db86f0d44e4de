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

import { equal, matches } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, interruptsOf, valuesOf, checkpointId } from "./harness.js";
const scenario = inGroup("subgraphs");

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

export const subgraphsScenarios: readonly Scenario[] = [
  scenario("as-a-node", {
    rule: "An interrupt inside a compiled graph used as a node is resumed.",
    why: "Nested agents would start over, or never end.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const config = thread();
      const stopped = await asNode(saver, ran).invoke({}, config);
      equal(valuesOf(stopped), { trail: ["before"] });
      equal(
        interruptsOf(stopped).map((i) => i.value),
        ["with kept inside?"],
      );

      const graph = asNode(await reopen(), ran);
      const inner = inside(await graph.getState(config, { subgraphs: true }));
      equal([inner.values, inner.next], [{ trail: ["prepare"], secret: "kept inside" }, ["confirm"]]);
      matches(inner.config.configurable!["checkpoint_ns"], /^inner:/);

      equal(await graph.invoke(new Command({ resume: "yes" }), config), {
        trail: ["before", "prepare", "confirm yes", "after"],
      });
      equal(ran, ["before", "prepare", "confirm", "confirm", "after"]);
    },
  }),

  scenario("inside-a-node", {
    rule: "An interrupt inside a graph invoked in a node is resumed.",
    why: "Agents called as tools would start over with every answer.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const config = thread();
      const stopped = await inNode(saver, ran).invoke({}, config);
      equal(
        interruptsOf(stopped).map((i) => i.value),
        ["with kept inside?"],
      );
      const done = await inNode(await reopen(), ran).invoke(new Command({ resume: "yes" }), config);
      equal(done, { trail: ["prepare", "confirm yes", "kept inside"] });
      equal(ran, ["call", "prepare", "confirm", "call", "confirm"]);
    },
  }),

  scenario("own-history", {
    rule: "The subgraph's history is kept in a namespace of its own.",
    why: "The parent's history would show steps that are not its own.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await asNode(saver).invoke({}, config);
      const graph = asNode(await reopen());
      const inner = inside(await graph.getState(config, { subgraphs: true }));
      await graph.invoke(new Command({ resume: "yes" }), config);

      const outer = await collect(graph.getStateHistory(config));
      equal(
        outer.map((state) => state.next),
        [[], ["after"], ["inner"], ["before"], ["__start__"]],
      );
      const ns = inner.config.configurable!["checkpoint_ns"] as string;
      const nested = await collect(
        graph.getStateHistory({ configurable: { ...config.configurable, checkpoint_ns: ns } }),
      );
      equal(
        nested.map((state) => [state.next, state.values]),
        [
          [[], { trail: ["prepare", "confirm yes"], secret: "kept inside" }],
          [["confirm"], { trail: ["prepare"], secret: "kept inside" }],
          [["prepare"], { trail: [] }],
          [["__start__"], { trail: [] }],
        ],
      );
      const caller = outer.find((state) => state.next[0] === "inner")!;
      equal(
        nested.map((state) => state.metadata!.parents),
        nested.map(() => ({ "": checkpointId(caller.config) })),
      );
    },
  }),

  scenario("update-waiting-state", {
    rule: "An update of the waiting subgraph's state is taken.",
    why: "Corrections of a nested agent would go to its parent, or nowhere.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await asNode(saver).invoke({}, config);
      const graph = asNode(await reopen());
      const inner = inside(await graph.getState(config, { subgraphs: true }));
      await graph.updateState(inner.config, { secret: "changed", trail: ["edited"] });
      equal(inside(await graph.getState(config, { subgraphs: true })).values, {
        trail: ["prepare", "edited"],
        secret: "changed",
      });
      const stopped = await graph.invoke(null, config);
      equal(
        interruptsOf(stopped).map((i) => i.value),
        ["with changed?"],
      );
      equal(await graph.invoke(new Command({ resume: "ok" }), config), {
        trail: ["before", "prepare", "edited", "confirm ok", "after"],
      });
    },
  }),

  scenario("two-deep", {
    rule: "An interrupt two graphs deep is resumed.",
    why: "Namespaces of namespaces would be mistaken for one another.",
    run: async ({ saver, reopen }) => {
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
      matches(leaf.config.configurable!["checkpoint_ns"], /^middle:[^|]+\|leaf:[^|]+$/);
      equal(leaf.values, { trail: ["prepare"], secret: "kept inside" });
      equal(await graph.invoke(new Command({ resume: "deep" }), config), {
        trail: ["prepare", "confirm deep", "tail"],
      });
      equal(ran, ["prepare", "confirm", "confirm", "tail"]);
    },
  }),

  scenario("several-copies", {
    rule: "Interrupts of several copies of one subgraph are resumed, each by its id.",
    why: "Parallel agents would be given each other's answers.",
    run: async ({ saver, reopen }) => {
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
      equal(open.map((i) => String(i.value)).toSorted(), ["a", "b", "c"]);
      const resume = Object.fromEntries(open.map((i) => [i.id, `${String(i.value)}!`]));
      const done = await build(await reopen()).invoke(new Command({ resume }), config);
      equal(done, { trail: ["a noted", "a=a!", "b noted", "b=b!", "c noted", "c=c!"] });
    },
  }),

  scenario("afresh-on-next-run", {
    rule: "A subgraph starts afresh on the next run of the thread.",
    why: "It would go on from the last run's state although it is not meant to remember.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await asNode(saver).invoke({}, config);
      await asNode(saver).invoke(new Command({ resume: "one" }), config);
      const graph = asNode(await reopen());
      await graph.invoke({}, config);
      equal(inside(await graph.getState(config, { subgraphs: true })).values, {
        trail: ["prepare"],
        secret: "kept inside",
      });
    },
  }),
];
