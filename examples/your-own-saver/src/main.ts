// Runs a graph on the saver, then the conformance kit against it.
import { setMaxListeners } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { runConformance } from "@langgraph-savers/conformance";
import { JournalSaver } from "./journal-saver.js";
import target from "./target.js";

const path = join(mkdtempSync(join(tmpdir(), "langgraph-savers-journal-")), "journal");
const State = Annotation.Root({ visits: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }) });
for (let start = 1; start <= 2; start++) {
  await using saver = new JournalSaver(path);
  const graph = new StateGraph(State)
    .addNode("visit", () => ({ visits: 1 }))
    .addEdge(START, "visit")
    .compile({ checkpointer: saver });
  const { visits } = await graph.invoke({}, { configurable: { thread_id: "ada" } });
  console.log(`start ${start}: visit ${visits}`);
}

// LangGraph listens to one signal for each task of a step; Node would warn of the kit's graphs with more than ten.
setMaxListeners(0);
const { level, passed, failed, skipped, results } = await runConformance(target);
console.log(`the kit: ${level}; ${passed} passed, ${failed} failed, ${skipped} skipped`);
for (const { id, error } of results) if (error !== undefined) console.log(`  ${id}: ${error.message}`);
process.exitCode = failed === 0 ? 0 : 1;
