import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

import { stepped } from "../suite/steps.js";
import { readings } from "./reading.js";
import { planOf } from "./sizes.js";
import { words } from "./text.js";

const CHANNELS = 50;
const VALUE_BYTES = 4000;
const config = { configurable: { thread_id: "wide" } };
const names = Array.from({ length: CHANNELS }, (_, at) => `channel${at}`);

/** A state of many values of which a step changes few. */
export const wide = stepped({
  id: "wide",
  title: "Wide state",
  about: () => "50 channels of 4 KB each; each run changes two of them. The first run fills all.",
  step: "run",
  main: "time",
  first: "firstTurn",
  seconds: { file: 30, mongodb: 18, dynamodb: 30 },
  plan: planOf({ full: 60, quick: 8, dynamodb: { full: 20, quick: 4 }, rounds: { full: 10, quick: 2 } }),
  async start(opened) {
    const channels = Object.fromEntries(names.map((name) => [name, Annotation<string>()]));
    const State = Annotation.Root({ ...channels, at: Annotation<number>() });
    const graph = new StateGraph(State)
      .addNode("work", (state) => {
        const changed = names[state["at"] % CHANNELS]!;
        return { [changed]: words(VALUE_BYTES, state["at"] * 1000) };
      })
      .addEdge(START, "work")
      .addEdge("work", END)
      .compile({ checkpointer: opened.saver });
    return {
      step: (at) => {
        const all = Object.fromEntries(names.map((name, seed) => [name, words(VALUE_BYTES, seed)]));
        return graph.invoke(at === 1 ? { ...all, at } : { at }, config);
      },
      probes: readings(opened, "wide"),
    };
  },
});
