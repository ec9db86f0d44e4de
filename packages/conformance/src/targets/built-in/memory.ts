import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { importInstalled } from "@langgraph-savers/command/modules";

import type { ConformanceTarget } from "../../scenario.js";
import type { Serde } from "../backend.js";
import type { TargetContext } from "../target-context.js";

interface CheckpointPackage {
  MemorySaver: new (serde?: Serde) => BaseCheckpointSaver;
}

/** LangGraph's own reference. It has no storage to open a second time. */
export async function memory({ folder }: TargetContext): Promise<ConformanceTarget> {
  const { MemorySaver } = await importInstalled<CheckpointPackage>(folder, "@langchain/langgraph-checkpoint");
  return {
    name: "MemorySaver",
    create: () => ({ saver: new MemorySaver(), createWith: ({ serde }) => new MemorySaver(serde) }),
  };
}
