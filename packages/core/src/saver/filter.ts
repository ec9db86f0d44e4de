import { isDeepStrictEqual } from "node:util";

/** Every key of the filter must be there and equal; keys are plain keys, whatever is in them. */
export function matches(metadata: unknown, filter: Record<string, unknown> | undefined): boolean {
  return Object.entries(filter ?? {}).every(([key, wanted]) => {
    const own = typeof metadata === "object" && metadata !== null && Object.hasOwn(metadata, key);
    const found = own ? (metadata as Record<string, unknown>)[key] : undefined;
    return found === wanted || (typeof wanted === "object" && isDeepStrictEqual(found, wanted));
  });
}
