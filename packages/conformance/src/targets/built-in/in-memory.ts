import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { importInstalled } from "@langgraph-savers/command/modules";

import type { ConformanceTarget } from "../../scenario.js";
import type { Serde } from "../backend.js";
import type { TargetContext } from "../target-context.js";

interface CorePackage {
  InMemorySaver: new (options?: { serde?: Serde }) => BaseCheckpointSaver;
}

/** The pack's saver over memory. What it holds ends with the process, so there is nothing to reopen. */
export async function inMemory({ folder }: TargetContext): Promise<ConformanceTarget> {
  const { InMemorySaver } = await importInstalled<CorePackage>(folder, "@langgraph-savers/core");
  return {
    name: "InMemorySaver",
    create: () => ({ saver: new InMemorySaver(), createWith: ({ serde }) => new InMemorySaver({ serde }) }),
  };
}
