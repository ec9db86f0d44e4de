// Judges LangGraph's own MemorySaver, and tells what it fails and what comes of that.
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { runConformance } from "@langgraph-savers/conformance";

const { level, passed, failed, skipped, results } = await runConformance({
  name: "MemorySaver",
  create: () => ({ saver: new MemorySaver() }),
});
console.log(`MemorySaver: ${level}; ${passed} passed, ${failed} failed, ${skipped} skipped`);
for (const { id, error } of results) if (error !== undefined) console.log(`  ✗ ${id}`);
