import type { ConformanceTarget } from "../../scenario.js";
import type { TargetContext } from "../target-context.js";
import { dynamodb } from "./dynamodb.js";
import { file } from "./file.js";
import { inMemory } from "./in-memory.js";
import { memory } from "./memory.js";
import { mongodb, officialMongodb } from "./mongodb.js";
import { officialSqlite } from "./official-sqlite.js";

export interface BuiltInTarget {
  /** For `--help`. */
  summary: string;
  load(context: TargetContext): Promise<ConformanceTarget> | ConformanceTarget;
}

/** Targets that go by a name. None is a dependency: each is looked for where the command runs. */
export const builtInTargets: Readonly<Record<string, BuiltInTarget>> = {
  memory: { summary: "MemorySaver of LangGraph", load: memory },
  "official-sqlite": { summary: "@langchain/langgraph-checkpoint-sqlite", load: officialSqlite },
  "official-mongodb": {
    summary: "@langchain/langgraph-checkpoint-mongodb (MONGODB_URI)",
    load: officialMongodb,
  },
  "in-memory": { summary: "InMemorySaver of @langgraph-savers/core", load: inMemory },
  file: { summary: "@langgraph-savers/file", load: file },
  mongodb: { summary: "@langgraph-savers/mongodb (MONGODB_URI)", load: mongodb },
  dynamodb: { summary: "@langgraph-savers/dynamodb (DYNAMODB_ENDPOINT)", load: dynamodb },
};
