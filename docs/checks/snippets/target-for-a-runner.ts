import { MemorySaver } from "@langchain/langgraph-checkpoint";
import type { ConformanceTarget } from "@langgraph-savers/conformance";
import { describe, it } from "vitest";

const target: ConformanceTarget = { name: "MySaver", create: () => ({ saver: new MemorySaver() }) };
