import { MemoryStore } from "../store/memory-store.js";
import type { CheckpointStore } from "../store/port.js";
import { checkOptionNames } from "./option-names.js";
import type { SaverOptions } from "./options.js";
import { StoreSaver } from "./store-saver.js";

/** Options of `InMemorySaver`. */
export interface InMemorySaverOptions extends SaverOptions {
  /** Default: a `MemoryStore` of its own. Pass one to share it between savers. */
  store?: CheckpointStore;
}

/** Keeps checkpoints in this process's memory, each value once: for tests, and for graphs that need not outlive it. */
export class InMemorySaver extends StoreSaver {
  constructor(options: InMemorySaverOptions = {}) {
    checkOptionNames("InMemorySaver", options, { store: true });
    const { store = new MemoryStore(), ...rest } = options;
    super(store, rest);
  }
}
