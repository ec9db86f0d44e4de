/** Between the start of the Gregorian calendar and 1970, in the 100 nanoseconds that a UUID counts. */
const GREGORIAN_OFFSET = 122_192_928_000_000_000n;

/** When a checkpoint was made, told by its id, where that is a UUID of version 6 as LangGraph makes them. */
export function timeOfId(id: string): Date | undefined {
  const [, high, middle, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-6([0-9a-f]{3})-/i.exec(id) ?? [];
  if (high === undefined) return undefined;
  const ticks = BigInt(`0x${high}${middle}${low}`) - GREGORIAN_OFFSET;
  return new Date(Number(ticks / 10_000n));
}
