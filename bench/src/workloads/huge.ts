import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

import { stepped } from "../suite/steps.js";
import { readings } from "./reading.js";
import { planOf } from "./sizes.js";
import { noise } from "./text.js";

const config = { configurable: { thread_id: "huge" } };

/** One large document in the state that nobody changes. */
export const huge = stepped({
  id: "huge",
  title: "One huge value",
  about: (scale) =>
    `A value of ${scale === "full" ? 8 : 1} MB that hardly compresses, put by the first run; the later runs change a counter.`,
  step: "run",
  main: "time",
  first: "firstTurn",
  seconds: { file: 60, mongodb: 35, dynamodb: 30 },
  plan: planOf({ full: 12, quick: 3, rounds: { full: 5, quick: 2 } }),
  async start(opened, scale) {
    const State = Annotation.Root({ document: Annotation<string>(), count: Annotation<number>() });
    const graph = new StateGraph(State)
      .addNode("increment", ({ count }) => ({ count: count + 1 }))
      .addEdge(START, "increment")
      .addEdge("increment", END)
      .compile({ checkpointer: opened.saver });
    const document = noise(scale === "full" ? 8_000_000 : 1_000_000, 1);
    return {
      step: (at) => graph.invoke(at === 1 ? { document, count: 0 } : { count: at }, config),
      probes: readings(opened, "huge").filter(
        ({ measure }) => measure === "getWarm" || measure === "getCold",
      ),
    };
  },
});
