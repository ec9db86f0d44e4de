// Runs a graph on a thread that others want too, under a lease. Started by `main.ts`, twice.
import { setTimeout } from "node:timers/promises";
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { withThreadLease } from "@langgraph-savers/core";
import { FileSaver } from "@langgraph-savers/file";

const [directory, name] = process.argv.slice(2) as [string, string];
await using saver = new FileSaver(directory);

const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});
const step = (what: string) => async () => {
  await setTimeout(100);
  return { log: [`${name} ${what}`] };
};
const graph = new StateGraph(State)
  .addNode("begin", step("begins"))
  .addNode("work", step("works"))
  .addNode("end", step("ends"))
  .addEdge(START, "begin")
  .addEdge("begin", "work")
  .addEdge("work", "end")
  .compile({ checkpointer: saver });

// Waits while the other one has it. Should this process die, the lease ends by itself after `ttlMs`.
await withThreadLease(
  saver,
  "shared",
  ({ signal, token }) => {
    console.log(`${name} has the lease (token ${token})`);
    return graph.invoke({}, { configurable: { thread_id: "shared" }, signal });
  },
  { waitMs: 30_000, ttlMs: 5_000 },
);
