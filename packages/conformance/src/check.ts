import { isDeepStrictEqual } from "node:util";

import { brief, briefPair } from "./brief.js";
import { isPlainObject, whereTheyDiffer } from "./difference.js";

/** A rule that a saver broke, with what was expected and what came, shortened for a reader. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";

  constructor(
    message: string,
    readonly expected?: string,
    readonly actual?: string,
  ) {
    super(message);
  }
}

export function check(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new CheckFailure(`This is not so: ${expectation}`);
}

/** Deeply the same; a property that is undefined counts as one that is absent, as it does to every reader of a tuple. */
export function equal(actual: unknown, expected: unknown, what = "the values"): void {
  const [came, wanted] = [withoutUndefined(actual), withoutUndefined(expected)];
  if (!isDeepStrictEqual(came, wanted)) throw difference(what, came, wanted);
}

/** The same to the last detail: `undefined` is not absence, -0 is not 0, an array of one type is not one of another. */
export function identical(actual: unknown, expected: unknown, what = "the values"): void {
  if (!isDeepStrictEqual(actual, expected)) throw difference(what, actual, expected);
}

/** Of an object, only the given properties. */
export function containsPart(actual: unknown, part: Record<string, unknown>): void {
  const found = Object.fromEntries(
    Object.keys(part).map((key) => [key, (actual as Record<string, unknown> | undefined)?.[key]]),
  );
  equal(found, part, "the properties");
}

export function includes(actual: string | readonly unknown[], part: unknown, where?: string): void {
  const found = typeof actual === "string" ? actual.includes(String(part)) : actual.includes(part);
  if (found) return;
  const missing = `Something that must be there is not${where === undefined ? "" : `: in ${where}`}`;
  throw new CheckFailure(missing, `… ${brief(part)} …`, brief(actual));
}

export function matches(actual: unknown, pattern: RegExp): void {
  if (typeof actual !== "string" || !pattern.test(actual)) {
    throw new CheckFailure("The text is not as expected", String(pattern), brief(actual));
  }
}

/** A run that must fail, with these words in its error. */
export async function rejects(running: Promise<unknown>, words: string): Promise<void> {
  let result: unknown;
  try {
    result = await running;
  } catch (error) {
    includes(error instanceof Error ? error.message : String(error), words);
    return;
  }
  throw new CheckFailure("A run that must fail did not", `an error: … ${words} …`, brief(result));
}

function difference(what: string, actual: unknown, expected: unknown): CheckFailure {
  const where = whereTheyDiffer(actual, expected);
  const [shownExpected, shownActual] = briefPair(expected, actual);
  return new CheckFailure(
    `${sentence(what)} differ from what was expected${where}`,
    shownExpected,
    shownActual,
  );
}

function sentence(what: string): string {
  return what.charAt(0).toUpperCase() + what.slice(1);
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([key, each]) => [key, withoutUndefined(each)]),
  );
}
