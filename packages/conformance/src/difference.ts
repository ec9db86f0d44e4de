import { isDeepStrictEqual } from "node:util";

/** More need not be named to find what is wrong. */
const MOST_PATHS = 5;
const LONGEST_KEY = 40;
/** Beyond that a path names nothing to anybody; and what holds itself has no end. */
const DEEPEST = 12;

interface Place {
  path: string;
  depth: number;
}

/** Where two values differ, in words to put behind a sentence; nothing where they differ as a whole. */
export function whereTheyDiffer(actual: unknown, expected: unknown): string {
  // The nearest to the root say most.
  const places = [...differingPaths(actual, expected)].toSorted((a, b) => a.depth - b.depth);
  if (places[0]?.depth === 0) return "";
  const named = places
    .slice(0, MOST_PATHS)
    .map(({ path }) => `\`${path}\``)
    .join(", ");
  const others = places.length - MOST_PATHS;
  return others > 0 ? ` at ${named} and ${others} more` : ` at ${named}`;
}

function* differingPaths(actual: unknown, expected: unknown, path = "", depth = 0): Generator<Place> {
  if (isDeepStrictEqual(actual, expected)) return;
  if (depth === DEEPEST) yield { path, depth };
  else if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
    for (const [at, value] of actual.entries())
      yield* differingPaths(value, expected[at], `${path}[${at}]`, depth + 1);
  } else if (isPlainObject(actual) && isPlainObject(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const inBoth = Object.hasOwn(actual, key) && Object.hasOwn(expected, key);
      const below = path + step(key, path === "");
      if (inBoth) yield* differingPaths(actual[key], expected[key], below, depth + 1);
      else yield { path: below, depth: depth + 1 };
    }
  } else yield { path, depth };
}

function step(key: string, isFirst: boolean): string {
  if (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) && key.length <= LONGEST_KEY)
    return isFirst ? key : `.${key}`;
  const shown = key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key;
  return `[${JSON.stringify(shown)}]`;
}

/** Of any prototype that has no behaviour: a null prototype and a plain one differ, but not in a property. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
