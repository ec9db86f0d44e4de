import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

import { stepped } from "../suite/steps.js";
import { planOf } from "./sizes.js";
import { words } from "./text.js";

const AT_ONCE = 10;

/** Many users who each say a little. */
export const threads = stepped({
  id: "threads",
  title: "Many small threads",
  about: () => "Ten new threads at once, each with one run over a state of 500 bytes.",
  step: "round",
  main: "time",
  seconds: { file: 20, mongodb: 15, dynamodb: 40 },
  plan: planOf({ full: 40, quick: 5, dynamodb: { full: 12, quick: 2 } }),
  async start(opened) {
    const State = Annotation.Root({ question: Annotation<string>(), answer: Annotation<string>() });
    const graph = new StateGraph(State)
      .addNode("reply", ({ question }) => ({ answer: question.slice(0, 200) }))
      .addEdge(START, "reply")
      .addEdge("reply", END)
      .compile({ checkpointer: opened.saver });
    const run = (thread: number) =>
      graph.invoke({ question: words(300, thread) }, { configurable: { thread_id: `thread-${thread}` } });
    return {
      step: (at) => Promise.all(Array.from({ length: AT_ONCE }, (_, thread) => run(at * AT_ONCE + thread))),
    };
  },
});
