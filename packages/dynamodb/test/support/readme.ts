import { readFileSync } from "node:fs";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** What the README tells to paste: the first block in this language below the heading. */
export function snippet(heading: string, language: string): string {
  const section = README.slice(README.indexOf(`\n${heading}\n`) + 1);
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section);
  if (block === null) throw new Error(`The README has no ${language} below "${heading}".`);
  return block[1]!;
}
