import { compareIds } from "./id-order.js";
import type { CheckpointKey, ListQuery, Page } from "./port.js";

/** The port's order of a listing: greatest checkpoint id first; among equals by thread, then namespace. */
function newestFirst(a: CheckpointKey, b: CheckpointKey): number {
  return (
    compareIds(b.checkpointId, a.checkpointId) ||
    compareIds(a.threadId, b.threadId) ||
    compareIds(a.namespace, b.namespace)
  );
}

/** The page of keys that a query asks for, out of all that match it; the cursor is the last key of a page. */
export function keyPage(
  keys: readonly CheckpointKey[],
  { cursor, limit }: Pick<ListQuery, "cursor" | "limit">,
): Page<CheckpointKey> {
  const after = cursor === undefined ? undefined : (JSON.parse(cursor) as CheckpointKey);
  const rest = keys.filter((key) => after === undefined || newestFirst(after, key) < 0);
  // Those of one namespace come in order; sorting them again for each page would be most of a long listing's time.
  if (rest.some((key, at) => at > 0 && newestFirst(rest[at - 1]!, key) > 0)) rest.sort(newestFirst);
  return page(rest.slice(0, limit), rest.length > limit ? JSON.stringify(rest[limit - 1]) : undefined);
}

/** A page of these items; the last one where there is no cursor for the next. */
export function page<T>(items: T[], cursor: string | undefined): Page<T> {
  return cursor === undefined ? { items } : { items, cursor };
}
