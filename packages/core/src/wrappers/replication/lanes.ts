import { conflicts, type Operation } from "./operation.js";

interface Entry {
  operation: Operation;
  left: Promise<void>;
}

export interface Turn {
  /** What must end first; undefined where nothing is in the way. */
  wait: Promise<unknown> | undefined;
  leave(): void;
}

/**
 * Operations of a thread run at once, as LangGraph sends them, unless their order counts: then each waits for the ones
 * before it, so that both sides end with the same.
 */
export class Lanes {
  readonly #threads = new Map<string, Set<Entry>>();

  enter(operation: Operation): Turn {
    const { threadId } = operation;
    const before = this.#threads.get(threadId) ?? new Set();
    this.#threads.set(threadId, before);
    const inTheWay = [...before].filter((entry) => conflicts(entry.operation, operation));
    let resolve!: () => void;
    const entry: Entry = { operation, left: new Promise((done) => (resolve = done)) };
    before.add(entry);
    return {
      wait: inTheWay.length === 0 ? undefined : Promise.all(inTheWay.map(({ left }) => left)),
      leave: () => {
        before.delete(entry);
        if (before.size === 0) this.#threads.delete(threadId);
        resolve();
      },
    };
  }

  /** Resolves when all that is under way now has ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.#threads.values()].flatMap((entries) => [...entries].map(({ left }) => left)));
  }
}
