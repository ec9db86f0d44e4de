import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";

import { describePlace, SaverError } from "../errors.js";
import type { CheckpointStore } from "../store/port.js";

export interface LeaseTerms {
  /** One thread may have leases for several purposes. `[a-z0-9]`. */
  purpose: string;
  ttlMs: number;
  /** How long to wait while someone else holds it; 0: not at all. */
  waitMs: number;
  signal?: AbortSignal | undefined;
}

/** Between two looks of one who waits. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/** Who has the lease and until when; moved on by the holder. */
interface Term {
  id: string;
  until: number;
  ttlMs: number;
}

/**
 * Changes only with the holder, so that commits can depend on it. It stays when the lease is given back, with an id that
 * nobody has: else the next token would not be known to be greater.
 */
interface Holder {
  id: string;
  token: number;
}

/** A term that someone who waits has seen, and since when. */
interface SeenTerm {
  term: string;
  since: number;
}

/**
 * A lease on a thread, in two registers. Of many who find the term over one succeeds in replacing it, and then makes
 * itself the holder: from that moment on, whatever depends on the holder before it is stopped, however late it comes.
 * A holder that did not renew it in time has lost it, also where nobody has taken it since.
 */
export class Lease {
  readonly token: number;
  readonly #store: CheckpointStore;
  readonly #threadId: string;
  readonly #terms: LeaseTerms;
  readonly #holder: string;
  readonly #lost = new AbortController();
  readonly #released = new AbortController();
  #term: string;
  /** When the term ends, by the clock that does not jump. */
  #deadline: number;

  private constructor(
    store: CheckpointStore,
    threadId: string,
    terms: LeaseTerms,
    held: { holder: Holder; term: string; deadline: number },
  ) {
    this.#store = store;
    this.#threadId = threadId;
    this.#terms = terms;
    this.token = held.holder.token;
    this.#holder = JSON.stringify(held.holder);
    this.#term = held.term;
    this.#deadline = held.deadline;
  }

  /** Aborted when the lease is lost. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Whether its term has ended, also where the process was too busy, or paused, to hear of it by `signal`. */
  get isOver(): boolean {
    return this.#lost.signal.aborted || performance.now() >= this.#deadline;
  }

  /** The register that commits can depend on, and its value while this lease is held. */
  get fence(): { register: string; value: string } {
    return { register: holderRegister(this.#terms), value: this.#holder };
  }

  /** Undefined when someone else holds it for longer than the terms say to wait. */
  static async acquire(
    store: CheckpointStore,
    threadId: string,
    terms: LeaseTerms,
  ): Promise<Lease | undefined> {
    const giveUp = performance.now() + terms.waitMs;
    const seen: SeenTerm = { term: "", since: 0 };
    for (let longest = FIRST_PAUSE_MS; ; longest *= 2) {
      terms.signal?.throwIfAborted();
      const lease = await Lease.#try(store, threadId, terms, seen);
      if (lease !== undefined) return lease;
      const left = giveUp - performance.now();
      if (left <= 0) return undefined;
      const pause = Math.min(left, terms.ttlMs / 4, LONGEST_PAUSE_MS, longest) * (0.5 + Math.random() / 2);
      await setTimeout(pause, undefined, terms.signal === undefined ? {} : { signal: terms.signal });
    }
  }

  static async #try(
    store: CheckpointStore,
    threadId: string,
    terms: LeaseTerms,
    seen: SeenTerm,
  ): Promise<Lease | undefined> {
    const id = randomBytes(9).toString("base64url");
    const before = await store.getRegister(threadId, termRegister(terms));
    if (before !== undefined && !hasEnded(before, seen)) return undefined;
    const { term, deadline } = nextTerm(id, terms);
    if (!(await store.setRegister(threadId, termRegister(terms), term, before))) return undefined;
    for (;;) {
      const held = await store.getRegister(threadId, holderRegister(terms));
      const holder = { id, token: held === undefined ? 1 : (JSON.parse(held) as Holder).token + 1 };
      const lease = new Lease(store, threadId, terms, { holder, term, deadline });
      // Refused: the one before has just given it back.
      if (!(await store.setRegister(threadId, holderRegister(terms), lease.#holder, held))) continue;
      if ((await store.getRegister(threadId, termRegister(terms))) !== term) {
        // Paused for so long that the term was over before it began: it is someone else's now.
        await lease.release();
        return undefined;
      }
      void lease.#keep();
      void lease.#expire();
      return lease;
    }
  }

  /** Gives it back; false where it was no longer held. */
  async release(): Promise<boolean> {
    this.#released.abort();
    const { register, value } = this.fence;
    const nobody: Holder = { id: "", token: this.token };
    const held = await this.#store.setRegister(this.#threadId, register, JSON.stringify(nobody), value);
    await this.#endTerm();
    return held;
  }

  async #endTerm(): Promise<void> {
    await this.#store.setRegister(this.#threadId, termRegister(this.#terms), undefined, this.#term);
  }

  lostError(): SaverError {
    const place = { threadId: this.#threadId };
    return new SaverError(
      "LEASE_LOST",
      `The lease ran out or was taken over (${describePlace(place)}). Nothing was stored since. ` +
        "Start again under a new lease, with a longer `ttlMs` if the process was too busy to renew it.",
      place,
    );
  }

  /** Renews until released or lost. */
  async #keep(): Promise<void> {
    while (!this.#released.signal.aborted) {
      try {
        const pause = { ref: false, signal: this.#released.signal };
        await setTimeout(this.#terms.ttlMs / 3, undefined, pause);
        if (this.isOver) return;
        if (!(await this.#renew())) this.#lost.abort(this.lostError());
      } catch {
        // Released, or the store is away: it may come back before the term ends.
      }
      if (this.#lost.signal.aborted) return;
    }
  }

  /** Tells of the end of the term when it comes, also while a renewal hangs. */
  async #expire(): Promise<void> {
    try {
      while (!this.isOver) {
        const pause = { ref: false, signal: this.#released.signal };
        await setTimeout(Math.max(this.#deadline - performance.now(), 1), undefined, pause);
      }
      this.#lost.abort(this.lostError());
    } catch {
      // Released.
    }
  }

  async #renew(): Promise<boolean> {
    const { term, deadline } = nextTerm((JSON.parse(this.#holder) as Holder).id, this.#terms);
    const register = termRegister(this.#terms);
    if (!(await this.#store.setRegister(this.#threadId, register, term, this.#term))) {
      // Released meanwhile; or an earlier attempt did it, and only its answer was lost.
      const now = await this.#store.getRegister(this.#threadId, register);
      if (now !== term) return this.#released.signal.aborted;
    }
    this.#term = term;
    this.#deadline = deadline;
    // Given back meanwhile, under the term before: nobody else ends this one.
    if (this.#released.signal.aborted) await this.#endTerm();
    return true;
  }
}

/** The end by both clocks, counted from before the call that makes it known to others. */
function nextTerm(id: string, { ttlMs }: LeaseTerms): { term: string; deadline: number } {
  const term: Term = { id, until: Date.now() + ttlMs, ttlMs };
  return { term: JSON.stringify(term), deadline: performance.now() + ttlMs };
}

/**
 * By this machine's clock; or since it has stood there for all of its length while someone waited: the clock of the
 * holder may be ahead.
 */
function hasEnded(term: string, seen: SeenTerm): boolean {
  const now = performance.now();
  if (seen.term !== term) Object.assign(seen, { term, since: now });
  const { until, ttlMs } = JSON.parse(term) as Term;
  return until <= Date.now() || now - seen.since > ttlMs;
}

function termRegister({ purpose }: LeaseTerms): string {
  return `${purpose}-term`;
}

function holderRegister({ purpose }: LeaseTerms): string {
  return `${purpose}-holder`;
}
