import type { Document } from "mongodb";

import type { Backend } from "./backend.js";
import { contentRange, inThread } from "./keys.js";

/**
 * Expiry of whole threads. Two times of a thread matter, in units of the ttl after its last activity:
 *
 * - 1.0 to 1.1: readers no longer see it. The instant is kept in the thread's own document and moved on only when a
 *   tenth of the ttl has passed, so that the document is not written on every put.
 * - 1.25 or more: the server may remove its documents. Each is written with 2.0, and those from before are moved on in
 *   bulk once half of a ttl has passed. So whatever a visible checkpoint refers to is there for longer than it is seen.
 */
const VISIBLE = 1.1;
const REFRESH_AFTER = 0.1;
const DOCUMENT_LIFE = 2;
const EXTEND_BELOW = 1.75;
const EXTEND_AFTER = 0.5;
/** Last of all, since it is what hides the others. */
const THREAD_LIFE = 4;
/** A thread's document with registers stays for at least this long after they last changed, however short the ttl. */
const REGISTERS_LIFE_MS = 7 * 24 * 60 * 60_000;

const MAX_THREADS = 10_000;

interface Known {
  generation: string;
  refreshedAt: number;
  extendedAt: number;
}

export class Expiry {
  readonly #ttl: number | undefined;
  /** What this process did for each thread lately; forgetting one only costs doing it again. */
  readonly #threads = new Map<string, Known>();

  constructor(ttlSeconds: number | undefined) {
    this.#ttl = ttlSeconds === undefined ? undefined : ttlSeconds * 1000;
  }

  get enabled(): boolean {
    return this.#ttl !== undefined;
  }

  /** What a new document carries. */
  stamp(): { e?: Date } {
    return this.#ttl === undefined ? {} : { e: new Date(Date.now() + DOCUMENT_LIFE * this.#ttl) };
  }

  /** What a commit changes in the thread's document, or undefined where it is fresh enough. */
  refresh(threadId: string, generation: string): Document | undefined {
    if (this.#ttl === undefined) return undefined;
    const known = this.#known(threadId, generation);
    const now = Date.now();
    if (known !== undefined && now - known.refreshedAt < REFRESH_AFTER * this.#ttl) return undefined;
    const forRegisters = { $cond: [{ $gt: ["$q", null] }, new Date(now + REGISTERS_LIFE_MS), null] };
    return {
      v: { $max: ["$v", new Date(now + VISIBLE * this.#ttl)] },
      e: { $max: ["$e", new Date(now + THREAD_LIFE * this.#ttl), forRegisters] },
    };
  }

  /** What a thread's document carries that is made for a register, before anything is stored in the thread. */
  newThread(): { e?: Date } {
    return this.#ttl === undefined ? {} : { e: this.#registersUntil(this.#ttl) };
  }

  /** What a change of a register does to the thread's document. One that does not expire is left so. */
  keepRegisters(): Document {
    if (this.#ttl === undefined) return {};
    const longer = { $max: ["$e", this.#registersUntil(this.#ttl)] };
    return { e: { $cond: [{ $gt: ["$e", null] }, longer, "$$REMOVE"] } };
  }

  #registersUntil(ttl: number): Date {
    return new Date(Date.now() + Math.max(THREAD_LIFE * ttl, REGISTERS_LIFE_MS));
  }

  /** Before a commit: keeps what is there already alive along with what is about to be stored. */
  async extend(backend: Backend, threadId: string, generation: string): Promise<void> {
    if (this.#ttl === undefined) return;
    const known = this.#known(threadId, generation);
    const now = Date.now();
    if (known !== undefined && now - known.extendedAt < EXTEND_AFTER * this.#ttl) return;
    const soon = new Date(now + EXTEND_BELOW * this.#ttl);
    await backend.run("the extension of a thread's life", () =>
      backend.collection.updateMany(
        { ...inThread(threadId, contentRange(threadId)), e: { $not: { $gte: soon } } } as Document,
        { $set: this.stamp() },
      ),
    );
    this.#remember(threadId, { generation, extendedAt: now, refreshedAt: known?.refreshedAt ?? -Infinity });
  }

  /** After a commit that carried `refresh`. */
  refreshed(threadId: string, generation: string): void {
    const extendedAt = this.#known(threadId, generation)?.extendedAt ?? -Infinity;
    this.#remember(threadId, { generation, extendedAt, refreshedAt: Date.now() });
  }

  #known(threadId: string, generation: string): Known | undefined {
    const known = this.#threads.get(threadId);
    return known?.generation === generation ? known : undefined;
  }

  #remember(threadId: string, known: Known): void {
    this.#threads.delete(threadId);
    this.#threads.set(threadId, known);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > MAX_THREADS) this.#threads.delete(oldest!);
  }
}

/** A filter that leaves out what the server should have removed by now. */
export function notRemovable(): Document {
  return { e: { $not: { $lte: new Date() } } };
}
