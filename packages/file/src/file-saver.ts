import { readThreadId, StoreSaver, type VerifyReport } from "@langgraph-savers/core";

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
    super(store, { ...options, compression: options.compression ?? "auto" });
    this.#files = store;
  }

  /** Gives the disk space of what is no longer needed back: of one thread, or of all. Safe beside running graphs. */
  async compact(threadId?: string): Promise<void> {
    await this.#rewrite(threadId, "compact");
  }

  override async verify(threadId?: string, onThread?: (threadId: string) => void): Promise<VerifyReport> {
    if (threadId !== undefined) return super.verify(threadId, onThread);
    await this.setup();
    const { ids, nameless } = await this.#files.threads();
    const report: VerifyReport = { intact: 0, problems: [] };
    // One by one: a thread of which nothing can be read any more is in no list of threads.
    for (const id of ids) {
      const { intact, problems } = await super.verify(id, onThread);
      report.intact += intact;
      report.problems.push(...problems);
    }
    for (const path of nameless) {
      const message = `The log ${JSON.stringify(path)} is too damaged to tell whose it is. Restore it from a backup, or remove it.`;
      report.problems.push({ code: "CHECKPOINT_DAMAGED", message });
    }
    return report;
  }

  /**
   * Makes damaged threads usable again with what is intact of them. What could not be read is given up: the calls that
   * answered `CHECKPOINT_DAMAGED` because something might be missing answer with what there is.
   */
  async repair(threadId?: string): Promise<void> {
    await this.#rewrite(threadId, "repair");
  }

  async #rewrite(threadId: string | undefined, why: "compact" | "repair"): Promise<void> {
    const only = readThreadId(why, threadId);
    await this.setup();
    if (only === undefined) await this.#files.sweep();
    const threads = only === undefined ? (await this.#files.threads()).ids : [only];
    for (const id of threads) await this.#files.compact(id, why);
  }
}
