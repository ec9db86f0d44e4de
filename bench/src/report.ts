/** One line of a bench: a ratio, what it is made of, and the least that it must be. */
export interface Line {
  name: string;
  detail: string;
  ratio: number;
  atLeast: number;
}

/** Prints the lines; true when every ratio is met. */
export function report(title: string, lines: readonly Line[]): boolean {
  console.log(`\n${title}`);
  for (const { name, detail, ratio, atLeast } of lines) {
    const mark = ratio >= atLeast ? "ok  " : "MISS";
    console.log(
      `  ${mark} ${name.padEnd(34)} ${ratio.toFixed(2)}x (at least ${atLeast.toFixed(2)}x)  ${detail}`,
    );
  }
  return lines.every(({ ratio, atLeast }) => ratio >= atLeast);
}

export function bytes(count: number): string {
  if (count < 10_000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} KB` : `${(count / 1_000_000).toFixed(2)} MB`;
}
