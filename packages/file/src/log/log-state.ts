import { ThreadIndex, type IndexedCheckpoint, type IndexedSlot } from "@langgraph-savers/core";

import type { ChunkMeta, Frame, Location } from "./frame.js";

export interface ChunkPlace extends Location {
  index: boolean;
  /** When it was written. */
  since: number;
}

/** What the frames of a log add up to. */
export class LogState {
  readonly records = new ThreadIndex<Location>();
  readonly chunks = new Map<string, ChunkPlace>();
  /** What records that are gone referred to, and when they went. */
  readonly released: { at: number; refs: string[] }[] = [];
  /** Stretches that were durable once and cannot be read any more. */
  readonly lost: [at: number, length: number][] = [];
  /** Where the bodies are that were durable once and are no longer what was written. */
  readonly damaged = new Set<number>();
  threadId: string | undefined;
  /** How many frames say the thread's id. */
  namings = 0;
  generation = "";
  sealed: "compact" | "repair" | "delete" | undefined;
  /** Bytes of what no reader will see again; the rest of the log is what a compaction would copy. */
  dead = 0;

  apply({ meta, bodies, length }: Frame, threadId: string): void {
    if (meta.thread !== undefined) {
      this.threadId ??= meta.thread;
      this.namings += 1;
    }
    switch (meta.kind) {
      case "start":
        this.generation = meta.generation;
        break;
      case "put": {
        const [body, ...chunks] = bodies;
        this.#addChunks(meta.chunks, chunks, meta.at);
        const before = this.records.putCheckpoint({
          threadId,
          namespace: meta.ns,
          checkpointId: meta.id,
          ...(meta.parent === undefined ? {} : { parentId: meta.parent }),
          createdAt: meta.at,
          labels: {
            ...(meta.source === undefined ? {} : { source: meta.source }),
            ...(meta.step === undefined ? {} : { step: meta.step }),
            ...(meta.run === undefined ? {} : { runId: meta.run }),
          },
          chunks: meta.refs,
          body: body!,
        });
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
        this.#addChunks(meta.chunks, bodies, meta.at);
        break;
      case "delete":
        for (const [namespace, id] of meta.keys) {
          const { checkpoint, writes } = this.records.delete(namespace, id);
          this.#release(meta.at, [
            ...(checkpoint ? [checkpoint] : []),
            ...writes.flatMap(({ slots }) => slots),
          ]);
        }
        this.dead += length;
        break;
      case "released":
        this.released.push({ at: meta.at, refs: meta.refs });
        break;
      case "lost":
        this.lost.push(...meta.regions);
        break;
      case "copied":
        break;
      case "seal":
        this.sealed = meta.why;
        break;
    }
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

  #addChunks(metas: readonly ChunkMeta[], places: readonly Location[], since: number): void {
    metas.forEach(([hash, index], at) => {
      const before = this.chunks.get(hash);
      // The later one counts: it may have been sent again because the first is damaged.
      if (before !== undefined) this.dead += before.length;
      this.chunks.set(hash, { ...places[at]!, index: index === 1, since });
    });
  }

  #release(at: number, gone: readonly (IndexedCheckpoint<Location> | IndexedSlot<Location>)[]): void {
    for (const { body } of gone) this.dead += body.length;
    const refs = gone.flatMap(({ chunks }) => chunks);
    if (refs.length > 0) this.released.push({ at, refs });
  }
}
