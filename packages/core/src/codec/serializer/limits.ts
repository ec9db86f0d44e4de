/**
 * Levels of nesting in the stored JSON. Both walks and JSON.stringify recurse: this many levels fit the default stack
 * with room to spare for the caller, and one limit for both ways means that whatever was dumped can be loaded.
 */
export const MAX_DEPTH = 2000;

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}
