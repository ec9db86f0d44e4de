/** A command is one document, and so at most 16 MB: far below that, with room for the rest of it. */
const KEYS_BYTES = 4 * 1024 * 1024;
const KEY_BYTES = 100;

/** How many keys of documents fit into a command, or their answers into one of the server's, ids and all. */
export function keysPerCommand(...ids: string[]): number {
  const length = ids.reduce((sum, id) => sum + id.length * 3, KEY_BYTES);
  return Math.max(1, Math.floor(KEYS_BYTES / length));
}

/** The items in their order, in batches of at most `maxItems`, and of `maxBytes` unless one alone is larger. */
export function* batches<T>(
  items: readonly T[],
  { maxItems = Infinity, maxBytes = KEYS_BYTES }: { maxItems?: number; maxBytes?: number },
  bytesOf: (item: T) => number = () => 0,
): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    if (batch.length > 0 && (batch.length >= maxItems || bytes + size > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
