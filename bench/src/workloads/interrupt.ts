import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";

import { stepped } from "../suite/steps.js";
import { planOf } from "./sizes.js";
import { words } from "./text.js";

const DOCUMENT_BYTES = 20_000;

/** A human in the middle: the run stops, is looked at, and goes on with an answer. */
export const approval = stepped({
  id: "interrupt",
  title: "Interrupt and resume",
  about: () =>
    "Each run is a new thread with a document of 20 KB: it stops for an approval, its state is read, it goes on.",
  step: "run",
  main: "time",
  seconds: { file: 15, mongodb: 12, dynamodb: 40 },
  plan: planOf({ full: 60, quick: 6, dynamodb: { full: 20, quick: 3 } }),
  async start(opened) {
    const State = Annotation.Root({
      document: Annotation<string>(),
      approved: Annotation<boolean>(),
      sent: Annotation<boolean>(),
    });
    const graph = new StateGraph(State)
      .addNode("draft", ({ document }) => ({ document: `${document} (draft)` }))
      .addNode("approve", () => ({ approved: interrupt<string, boolean>("Send it?") }))
      .addNode("send", ({ approved }) => ({ sent: approved }))
      .addEdge(START, "draft")
      .addEdge("draft", "approve")
      .addEdge("approve", "send")
      .addEdge("send", END)
      .compile({ checkpointer: opened.saver });
    return {
      async step(at) {
        const config = { configurable: { thread_id: `approval-${at}` } };
        await graph.invoke({ document: words(DOCUMENT_BYTES, at) }, config);
        const { tasks } = await graph.getState(config);
        if (tasks[0]?.interrupts.length !== 1) throw new Error("the run did not stop for the approval");
        const { sent } = await graph.invoke(new Command({ resume: true }), config);
        if (!sent) throw new Error("the run did not go on with the answer");
      },
    };
  },
});
