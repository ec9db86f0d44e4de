import { LARGE_VALUE_SIZES, VALUE_SIZES } from "../codec/chunker.js";
import type { Sealer } from "../codec/envelope.js";
import { ChunkCollector } from "../codec/value-ref.js";
import type { CheckpointStore } from "../store/port.js";

/** Collects the chunks of a record of the thread. */
export function collectorFor(store: CheckpointStore, sealer: Sealer, threadId: string): ChunkCollector {
  const sizes = store.largeChunks === true ? LARGE_VALUE_SIZES : VALUE_SIZES;
  return new ChunkCollector((plain, index) => sealer.address(threadId, plain, index), sizes);
}
