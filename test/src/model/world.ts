import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type fc from "fast-check";

import type { Model } from "./model.js";

/** The saver in use, and how to go on with another over the same data. */
export interface Real {
  saver: BaseCheckpointSaver;
  reopen(): Promise<void>;
}

export type ModelCommand = fc.AsyncCommand<Model, Real>;

/** Few of each, so that a random sequence meets itself: threads and namespaces that prefix each other among them. */
export const threads = ["t", "T", "t:n"];
export const namespaces = ["", "n", "n|m"];
export const ids = [
  "1ef00000-0000-6000-8000-000000000001",
  "1ef00000-0000-6000-8000-000000000002",
  "1ef00000-0000-6000-8000-00000000000a",
  "1ef00000-0000-6000-8000-00000000000b",
  "1ef00000-0000-6000-8001-000000000000",
];
export const channels = ["x", "y", "z"];
