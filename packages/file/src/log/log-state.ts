import {
  ThreadIndex,
  type Deleted,
  type IndexedCheckpoint,
  type IndexedSlot,
  type Labels,
  type Registers,
} from "@langgraph-savers/core";

import { bodyBytes, type ChunkMeta, type Fate, type Frame, type Location } from "./frame.js";

/** What the line of a record takes beside its body, about. */
const LINE_BYTES = 300;

export interface ChunkPlace extends Location {
  index: boolean;
  /** When it was last sent. */
  since: number;
}

/** What a record that is gone referred to, and when it went. */
export interface Release {
  at: number;
  refs: string[];
}

/** What a frame did at its place in the log. */
export interface Effect {
  /** False for one that is void: what it is conditional on did not hold there. */
  applied: boolean;
  deleted?: Deleted;
}

const APPLIED: Effect = { applied: true };
export const VOID: Effect = { applied: false };

/** What the frames of a log add up to. */
export class LogState {
  readonly records = new ThreadIndex<Location>();
  readonly chunks = new Map<string, ChunkPlace>();
  /** Not known where something is lost: it may have been a change of any of them. */
  readonly registers = new Map<string, string>();
  released: Release[] = [];
  /** Stretches that were durable once and cannot be read any more. */
  readonly lost: [at: number, length: number][] = [];
  /** Where the bodies are that were durable once and are no longer what was written. */
  readonly damaged = new Set<number>();
  threadId: string | undefined;
  /** How many frames say the thread's id. */
  namings = 0;
  generation = "";
  sealed: Fate | undefined;
  /** With a seal: the time whose releases, and all before, the successor need not heed. */
  sealedBefore: number | undefined;
  /** Bytes of what no reader will see again; the rest of the log is what a compaction would copy. */
  dead = 0;
  /** The tags of frames that were repeated, and where that stands. */
  readonly repeated = new Map<string, number>();

  apply(frame: Frame, threadId: string): Effect {
    const { meta, bodies, length } = frame;
    if (meta.thread !== undefined) {
      this.threadId ??= meta.thread;
      this.namings += 1;
    }
    if (this.#isVoid(frame)) {
      this.dead += length;
      return VOID;
    }
    switch (meta.kind) {
      case "start":
        this.generation = meta.generation;
        break;
      case "put": {
        const [body, ...chunks] = bodies;
        this.#addChunks(meta.chunks, chunks, meta.at);
        const labels: Labels = {};
        if (meta.source !== undefined) labels.source = meta.source;
        if (meta.step !== undefined) labels.step = meta.step;
        if (meta.run !== undefined) labels.runId = meta.run;
        const record: IndexedCheckpoint<Location> = {
          threadId,
          namespace: meta.ns,
          checkpointId: meta.id,
          createdAt: meta.at - (meta.age ?? 0),
          labels,
          chunks: meta.refs,
          body: body!,
        };
        if (meta.parent !== undefined) record.parentId = meta.parent;
        const before = this.records.putCheckpoint(record);
        if (before !== undefined) this.#release(meta.at, [before]);
        break;
      }
      case "writes": {
        this.#addChunks(meta.chunks, bodies.slice(meta.slots.length), meta.at);
        const slots = meta.slots.map(([name, replace, chunks], at): IndexedSlot<Location> => {
          return { name, replace: replace === 1, chunks, body: bodies[at]! };
        });
        const key = { threadId, namespace: meta.ns, checkpointId: meta.id };
        this.#release(meta.at, this.records.putWrites(key, meta.task, slots));
        break;
      }
      case "chunks":
        this.#addChunks(meta.chunks, bodies, meta.since);
        break;
      case "delete":
        this.dead += length;
        return { applied: true, deleted: this.#delete(meta.at, meta.keys) };
      case "released":
        this.released.push({ at: meta.at, refs: meta.refs });
        break;
      case "register":
        this.dead += length;
        if (meta.value === null) this.registers.delete(meta.name);
        else this.registers.set(meta.name, meta.value);
        break;
      case "lost":
        for (const region of meta.regions) this.lose(region);
        break;
      case "copied":
        break;
      case "seal":
        this.sealed = meta.why;
        this.sealedBefore = meta.before;
        break;
    }
    return APPLIED;
  }

  /** A stretch that cannot be read: it may have changed a register. */
  lose(region: [at: number, length: number]): void {
    this.lost.push(region);
    this.registers.clear();
  }

  /** Whether all that the frame's records refer to is there: a crash may have kept the frame and lost what it needs. */
  holds({ meta }: Frame): boolean {
    if (meta.kind !== "put" && meta.kind !== "writes") return true;
    const own = new Set(meta.chunks.map(([hash]) => hash));
    const refs = meta.kind === "put" ? meta.refs : meta.slots.flatMap(([, , hashes]) => hashes);
    return refs.every((hash) => own.has(hash) || this.chunks.has(hash));
  }

  isDamaged({ at }: Location): boolean {
    return this.damaged.has(at);
  }

  /** Whether the registers have these values. */
  matches(registers: Registers = {}): boolean {
    return Object.entries(registers).every(([name, value]) => this.registers.get(name) === value);
  }

  /** Whether there is neither a checkpoint nor a write. */
  hasNoRecords(): boolean {
    return this.records.all().next().done === true;
  }

  /** Whether a reader would miss nothing of it. */
  isEmpty(): boolean {
    return this.registers.size === 0 && this.lost.length === 0 && this.hasNoRecords();
  }

  /** Decided by the order of the log alone, so that all who read it decide alike. */
  #isVoid({ at, meta }: Frame): boolean {
    if (meta.again !== undefined) {
      if (this.repeated.has(meta.again)) return true;
      this.repeated.set(meta.again, at);
    }
    // What is lost may have set the registers that a frame asks for: what is intact is kept.
    const unsure = this.lost.length > 0;
    switch (meta.kind) {
      case "put":
      case "writes":
        return meta.registers !== undefined && !unsure && !this.matches(meta.registers);
      case "register":
        return unsure || (meta.expected !== undefined && this.#valueOf(meta.name) !== meta.expected);
      case "seal":
        return meta.why === "sweep" && !this.isEmpty();
      default:
        return false;
    }
  }

  #valueOf(register: string): string | null {
    return this.registers.get(register) ?? null;
  }

  #addChunks(
    metas: readonly ChunkMeta[],
    places: readonly Location[],
    since: number | readonly number[],
  ): void {
    metas.forEach(([hash, index], at) => {
      const before = this.chunks.get(hash);
      // The later one counts: it may have been sent again because the first is damaged.
      if (before !== undefined) this.dead += before.length;
      const { at: start, length } = places[at]!;
      const sent = typeof since === "number" ? since : since[at]!;
      this.chunks.set(hash, { at: start, length, index: index === 1, since: sent });
    });
  }

  #delete(at: number, keys: readonly [ns: string, id: string][]): Deleted {
    const deleted: Deleted = { checkpoints: 0, bytes: 0 };
    for (const [namespace, id] of keys) {
      const { checkpoint, writes } = this.records.delete(namespace, id);
      if (checkpoint !== undefined) deleted.checkpoints += 1;
      const gone = [...(checkpoint ? [checkpoint] : []), ...writes.flatMap(({ slots }) => slots)];
      for (const { body } of gone) deleted.bytes += bodyBytes(body);
      this.#release(at, gone);
    }
    return deleted;
  }

  #release(at: number, gone: readonly (IndexedCheckpoint<Location> | IndexedSlot<Location>)[]): void {
    for (const { body } of gone) this.dead += body.length + LINE_BYTES;
    const refs = gone.flatMap(({ chunks }) => chunks);
    if (refs.length > 0) this.released.push({ at, refs });
  }
}
