import { listedHashes, reachable, type Collected } from "@langgraph-savers/core";

import { bodyBytes } from "./frame.js";
import type { ChunkPlace, Release } from "./log-state.js";
import type { ThreadLog } from "./thread-log.js";

/** Dead bytes below this are not worth a copy of the log. */
const LEAST_WASTE = 4 * 1024;

export interface KeptChunks {
  chunks: Map<string, ChunkPlace>;
  /** What was let go of since. */
  young: Release[];
}

/**
 * The chunks that a record refers to, or one that was let go of since that time did, and those sent since. A repair
 * gives up the damaged ones.
 */
export function keptChunks(log: ThreadLog, before: number): KeptChunks {
  const { state } = log;
  const repair = state.sealed === "repair";
  const young = state.released.filter(({ at }) => at >= before);
  const needed = reachable([...references(log), ...young.flatMap(({ refs }) => refs)], (hash) => {
    const place = state.chunks.get(hash);
    if (!place?.index || state.isDamaged(place)) return undefined;
    return listedHashes(log.readBody(place));
  });
  const kept = new Map<string, ChunkPlace>();
  for (const [hash, place] of state.chunks) {
    if (repair && state.isDamaged(place)) continue;
    if (needed.has(hash) || place.since >= before) kept.set(hash, place);
  }
  return { chunks: kept, young };
}

/** What a collection gives back; undefined where it is not worth writing the log anew. */
export function wasteOf(log: ThreadLog, before: number): Collected | undefined {
  const { state, size } = log;
  const waste: Collected = { chunks: 0, bytes: 0 };
  if (state.released.some(({ at }) => at < before)) {
    const { chunks, young } = keptChunks(log, before);
    for (const [hash, place] of state.chunks) {
      if (chunks.has(hash)) continue;
      waste.chunks += 1;
      waste.bytes += bodyBytes(place);
    }
    // All that the others referred to is needed for other reasons: no need to look again.
    if (waste.chunks === 0) state.released = young;
  }
  const dead = state.dead >= LEAST_WASTE && state.dead * 2 >= size;
  return waste.chunks > 0 || dead ? waste : undefined;
}

function* references({ state }: ThreadLog): Generator<string> {
  for (const [, { checkpoint, writes }] of state.records.all()) {
    yield* checkpoint?.chunks ?? [];
    for (const { slots } of writes) for (const slot of slots) yield* slot.chunks;
  }
}
