import { inspect } from "node:util";

const DEEPEST = 7;
const MOST_LINES = 20;
const MOST_CHARACTERS = 1200;

/**
 * A value as a report shows it: a reader gets its shape, not its megabytes. What is too large is shown less deep, so that
 * a live object is a name and not its insides.
 */
export function brief(value: unknown): string {
  return briefly([value])[0] ?? "";
}

/** Values that are to be compared: shown to the same depth, so that they differ in what differs. */
export function briefPair(one: unknown, other: unknown): [string, string] {
  const [first = "", second = ""] = briefly([one, other]);
  return [first, second];
}

/** Of a text, such as the message of an error that prints what it was about to store. */
export function shortened(text: string): string {
  const lines = text.split("\n");
  const kept = lines.slice(0, MOST_LINES).join("\n");
  if (kept.length > MOST_CHARACTERS)
    return `${kept.slice(0, MOST_CHARACTERS)}… (${text.length - MOST_CHARACTERS} more characters)`;
  return lines.length > MOST_LINES ? `${kept}\n… (${lines.length - MOST_LINES} more lines)` : kept;
}

function briefly(values: readonly unknown[]): string[] {
  for (let depth = DEEPEST; depth > 1; depth -= 1) {
    const shown = values.map((value) => rendered(value, depth));
    if (shown.every(fits)) return shown;
  }
  return values.map((value) => shortened(rendered(value, 1)));
}

function rendered(value: unknown, depth: number): string {
  return inspect(value, { depth, breakLength: 100, maxArrayLength: 12, maxStringLength: 120 });
}

function fits(text: string): boolean {
  return text.length <= MOST_CHARACTERS && text.split("\n").length <= MOST_LINES;
}
