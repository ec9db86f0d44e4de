import { compareIds } from "./id-order.js";
import type { CheckpointRecord, ThreadSummary } from "./port.js";

/** Sums up a thread, checkpoint by checkpoint: for stores that keep no summary of it. */
export class ThreadSum {
  /** Added up by the store, which knows what it keeps. */
  bytes = 0;
  readonly #namespaces = new Set<string>();
  #checkpoints = 0;
  #first = Infinity;
  #last: Pick<CheckpointRecord, "createdAt" | "labels"> = { createdAt: -Infinity, labels: {} };

  /** Of several that were put in one millisecond, the one that is added last is the last one. */
  add({ namespace, createdAt, labels }: Pick<CheckpointRecord, "namespace" | "createdAt" | "labels">): void {
    this.#namespaces.add(namespace);
    this.#checkpoints += 1;
    this.#first = Math.min(this.#first, createdAt);
    if (createdAt >= this.#last.createdAt) this.#last = { createdAt, labels };
  }

  /** Undefined where there was no checkpoint. */
  of(threadId: string): ThreadSummary | undefined {
    if (this.#checkpoints === 0) return undefined;
    return {
      threadId,
      createdAt: this.#first,
      updatedAt: this.#last.createdAt,
      namespaces: [...this.#namespaces].toSorted(compareIds),
      checkpoints: this.#checkpoints,
      bytes: this.bytes,
      last: this.#last.labels,
    };
  }
}
