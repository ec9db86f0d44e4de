import { MemoryStore } from "@langgraph-savers/core";

interface MyOptions {
  path: string;
}

class MyStore extends MemoryStore {
  constructor(readonly options: MyOptions) {
    super();
  }
}
