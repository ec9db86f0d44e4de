import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { FileSaver } from "@langgraph-savers/file";

const State = Annotation.Root({
  topic: Annotation<string>(),
  visits: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }),
});
const saver = new FileSaver("./checkpoints");
const graph = new StateGraph(State)
  .addNode("visit", () => ({ visits: 1 }))
  .addEdge(START, "visit")
  .compile({ checkpointer: saver });
const input = { topic: "lamps" };
const config = { configurable: { thread_id: "user-7/a" } };
for (const thread_id of ["ada", "user-7/a", "user-7/a"])
  await graph.invoke(input, { configurable: { thread_id } });
