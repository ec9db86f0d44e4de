const THREADS = 1000;
const CHECKPOINTS = 64;

/** The checkpoints that a side is known to have: the last ones of the last threads. Not knowing costs time only. */
export class Landed {
  readonly #threads = new Map<string, Set<string>>();

  has(threadId: string, checkpoint: string): boolean {
    return this.#threads.get(threadId)?.has(checkpoint) ?? false;
  }

  add(threadId: string, checkpoint: string): void {
    const known = this.#threads.get(threadId) ?? new Set();
    this.#threads.delete(threadId);
    this.#threads.set(threadId, known);
    known.delete(checkpoint);
    known.add(checkpoint);
    dropOldest(known, CHECKPOINTS);
    dropOldest(this.#threads, THREADS);
  }

  forget(threadId: string): void {
    this.#threads.delete(threadId);
  }
}

function dropOldest(collection: Map<string, unknown> | Set<string>, most: number): void {
  if (collection.size <= most) return;
  for (const oldest of collection.keys()) {
    collection.delete(oldest);
    return;
  }
}
