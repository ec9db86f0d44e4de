import { formatWithOptions } from "node:util";

/** What a page says that its code prints: `// → text`, with `…` for what differs from run to run. */
export function promisedOutput(code: string): string[] {
  return code.split("\n").flatMap((line) => /\/\/ → (.+)$/.exec(line)?.[1] ?? []);
}

/** Runs something and returns what it told the console, a line for each call. */
export async function printedBy(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (...values: unknown[]) => {
    lines.push(formatWithOptions({ breakLength: Infinity, compact: true }, ...values));
  };
  try {
    await work();
  } finally {
    console.log = log;
  }
  return lines;
}

/** A pattern for a promised line. */
export function patternOf(promised: string): RegExp {
  const parts = promised.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
