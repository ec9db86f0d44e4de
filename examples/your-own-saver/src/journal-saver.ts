import { StoreSaver, type SaverOptions } from "@langgraph-savers/core";
import { journalStore } from "./journal-store.js";

/** All that a saver adds to its store is a constructor: LangGraph's contract and the management of threads are there. */
export class JournalSaver extends StoreSaver {
  constructor(path: string, options: SaverOptions = {}) {
    super(journalStore(path), options);
  }
}
