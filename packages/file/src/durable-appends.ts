import { breath } from "./disk/breath.js";
import { asSaverError } from "./disk/errors.js";
import type { Root } from "./disk/root.js";
import { Journal } from "./journal/journal.js";
import type { Appended, ThreadLog } from "./log/thread-log.js";
import type { Durability } from "./options.js";

/** Makes what is appended to logs durable, in the way that was asked for. */
export class DurableAppends {
  readonly #root: Root;
  readonly #durability: Durability;
  readonly #onSyncFailure: (threadId: string) => void;
  /** From the first commit on: whoever only reads needs none. */
  #journal: Journal | undefined;
  #openingJournal: Promise<Journal> | undefined;
  /** Calls that write. */
  #underWay = 0;
  #closed = false;

  /** `onSyncFailure` is told the threads whose logs could not be synced. */
  constructor(root: Root, durability: Durability, onSyncFailure: (threadId: string) => void) {
    this.#root = root;
    this.#durability = durability;
    this.#onSyncFailure = onSyncFailure;
  }

  /** Whether a copy of what is appended is wanted, for a journal. */
  get wantsCopies(): boolean {
    return this.#journal !== undefined;
  }

  /** A call that appends. One that is still under way after `close` does without a journal, which nobody would close. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      if (this.#durability === "group" && this.#journal === undefined && !this.#closed)
        await this.#openJournal();
      return await call();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Resolves when what was appended will stay; false when it is void. */
  async commit(log: ThreadLog, { at, frame, effect }: Appended): Promise<boolean> {
    const { applied } = effect;
    const alone = this.#underWay === 1;
    if (this.#durability === "none") {
      await breath();
    } else if (this.#journal !== undefined && frame !== undefined && applied) {
      await this.#journal.commit(log, at, frame, alone);
    } else {
      // Also for one that is void: what made it so must not be undone by a power loss.
      await log.sync(alone);
    }
    return applied;
  }

  /** Resolves when all that was read of the log will stay, whoever wrote it. */
  async settle(log: ThreadLog): Promise<void> {
    if (this.#durability !== "none") await log.settle();
  }

  async close(): Promise<void> {
    this.#closed = true;
    // One that could not be made has nothing to close.
    await this.#openingJournal?.catch(() => {});
    const journal = this.#journal;
    this.#journal = undefined;
    try {
      await journal?.close();
    } catch (error) {
      throw asSaverError("make the last commits durable in their logs", error);
    }
  }

  async #openJournal(): Promise<void> {
    this.#openingJournal ??= Journal.create(this.#root, this.#onSyncFailure);
    try {
      this.#journal = await this.#openingJournal;
    } catch (error) {
      this.#openingJournal = undefined;
      throw asSaverError("make a journal", error);
    }
  }
}
