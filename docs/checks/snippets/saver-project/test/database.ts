import { MemoryStore } from "@langgraph-savers/core";

export async function emptyDatabase() {
  return { store: new MemoryStore(), drop: () => {} };
}
