import { InMemorySaver, type MemoryStore, type SaverOptions } from "@langgraph-savers/core";

export class MySaver extends InMemorySaver {
  constructor({ database, ...options }: SaverOptions & { database: { store: MemoryStore } }) {
    super({ store: database.store, ...options });
  }
}
