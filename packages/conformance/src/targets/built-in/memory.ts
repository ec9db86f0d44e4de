import { MemorySaver } from "@langchain/langgraph-checkpoint";

import type { ConformanceTarget } from "../../scenario.js";

/** LangGraph's own reference. It has no storage to open a second time. */
export function memory(): ConformanceTarget {
  return {
    name: "MemorySaver",
    create: () => ({ saver: new MemorySaver(), createWith: ({ serde }) => new MemorySaver(serde) }),
  };
}
