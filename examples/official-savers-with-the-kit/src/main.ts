// Judges LangGraph's own MemorySaver, and tells what it fails and what comes of that.
import { setMaxListeners } from "node:events";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { runConformance, scenarios } from "@langgraph-savers/conformance";

// LangGraph listens to one signal for each task of a step; Node would warn of the kit's graphs with more than ten.
setMaxListeners(0);

const { level, passed, failed, skipped, results } = await runConformance({
  name: "MemorySaver",
  create: () => ({ saver: new MemorySaver() }),
});
console.log(`MemorySaver: ${level}; ${passed} passed, ${failed} failed, ${skipped} skipped`);

const broken = results.filter(({ status }) => status === "failed");
for (const group of new Set(broken.map((result) => result.group))) {
  const all = results.filter((result) => result.group === group && result.status !== "skipped");
  const failures = broken.filter((result) => result.group === group);
  console.log(`\n${group}: ${failures.length} of ${all.length} failed`);
  for (const { id } of failures) {
    console.log(`  ✗ ${id}`);
    console.log(`    ${scenarios.find((scenario) => scenario.id === id)?.why}`);
  }
}
