import type { ChunkSizes } from "../codec/chunker.js";
import type { Sealer } from "../codec/envelope.js";
import { ChunkCollector } from "../codec/value-ref.js";

/** What a saver cuts and names chunks with. */
export interface CollectorParts {
  sealer: Sealer;
  chunkSizes: ChunkSizes;
}

/** Collects the chunks of a record of the thread. */
export function collectorFor({ sealer, chunkSizes }: CollectorParts, threadId: string): ChunkCollector {
  return new ChunkCollector((plain, index) => sealer.address(threadId, plain, index), chunkSizes);
}
