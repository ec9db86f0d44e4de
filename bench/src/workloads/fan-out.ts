import { Annotation, END, Send, START, StateGraph } from "@langchain/langgraph";

import { stepped } from "../suite/steps.js";
import { planOf } from "./sizes.js";
import { words } from "./text.js";

const BRANCHES = 32;
const RESULT_BYTES = 1000;

/** Many tasks of one step, each with writes of its own. */
export const fanOut = stepped({
  id: "fan-out",
  title: "Parallel fan-out",
  about: () =>
    "32 branches at once, each with a result of 1 KB as its write, then a join. Each run is a new thread.",
  step: "run",
  main: "time",
  seconds: { file: 25, mongodb: 20, dynamodb: 60 },
  plan: planOf({ full: 40, quick: 5, dynamodb: { full: 15, quick: 3 } }),
  async start(opened) {
    const State = Annotation.Root({
      results: Annotation<string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
      summary: Annotation<number>(),
      seed: Annotation<number>(),
    });
    const graph = new StateGraph(State)
      .addNode("branch", ({ seed }) => ({ results: [words(RESULT_BYTES, seed)] }))
      .addNode("join", ({ results }) => ({ summary: results.length }))
      .addConditionalEdges(START, ({ seed }) =>
        Array.from({ length: BRANCHES }, (_, at) => new Send("branch", { seed: seed * BRANCHES + at })),
      )
      .addEdge("branch", "join")
      .addEdge("join", END)
      .compile({ checkpointer: opened.saver });
    return {
      async step(at) {
        const { summary } = await graph.invoke({ seed: at }, { configurable: { thread_id: `run-${at}` } });
        // More of them where an attempt before this one failed half-way.
        if (summary < BRANCHES) throw new Error(`${summary} of ${BRANCHES} branches came back`);
      },
    };
  },
});
