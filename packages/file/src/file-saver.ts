import { StoreSaver } from "@langgraph-savers/core";

import { FileStore } from "./file-store.js";
import { storeOptions, type FileSaverOptions } from "./options.js";

/**
 * Keeps checkpoints in a directory: one append-only log per thread, readable by several processes at once, safe against
 * crashes and power loss.
 *
 * @example
 * const graph = builder.compile({ checkpointer: new FileSaver("./checkpoints") });
 */
export class FileSaver extends StoreSaver {
  readonly #files: FileStore;

  constructor(path: string, options: FileSaverOptions = {}) {
    const store = new FileStore(path, storeOptions(path, options));
    super(store, options);
    this.#files = store;
  }

  /** Gives the disk space of what is no longer needed back: of one thread, or of all. Safe beside running graphs. */
  async compact(threadId?: string): Promise<void> {
    await this.#rewrite(threadId, "compact");
  }

  /**
   * Makes damaged threads usable again with what is intact of them. What could not be read is given up: the calls that
   * answered `CHECKPOINT_DAMAGED` because something might be missing answer with what there is.
   */
  async repair(threadId?: string): Promise<void> {
    await this.#rewrite(threadId, "repair");
  }

  async #rewrite(threadId: string | undefined, why: "compact" | "repair"): Promise<void> {
    await this.setup();
    const threads = threadId === undefined ? await this.#files.threadIds() : [threadId];
    for (const id of threads) await this.#files.compact(id, why);
  }
}
