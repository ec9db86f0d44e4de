import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Block } from "../markdown/blocks.js";

const LANGUAGES = new Set(["ts", "typescript", "tsx", "js", "javascript", "mjs", "cjs"]);

/** The notes that a block may have. */
const NOTES = {
  /** Runs after the code of `snippets/NAME.ts`; what is in the folder `snippets/NAME` lies beside it. */
  with: "with",
  /** The block is compiled only; the note says why. */
  notRun: "not run",
  /** The block is neither compiled nor run; the note says why. */
  notCompiled: "not compiled",
} as const;

/** A block of code that readers may take for a program. */
export interface Snippet {
  /** `docs/operations.md:12`. */
  place: string;
  block: Block;
  /** The name of what it runs with. */
  setting: string | undefined;
  notRun: string | undefined;
  notCompiled: string | undefined;
}

export const SETTINGS = fileURLToPath(new URL("../../snippets/", import.meta.url));

export function snippetsOf(blocks: Block[]): Snippet[] {
  return blocks.filter(({ language }) => LANGUAGES.has(language)).map(snippetOf);
}

function snippetOf(block: Block): Snippet {
  const place = `${block.page}:${block.line}`;
  const known: string[] = Object.values(NOTES);
  for (const note of block.notes.keys())
    if (!known.includes(note)) throw new Error(`${place}: there is no note "${note}"`);
  const setting = block.notes.get(NOTES.with);
  if (setting !== undefined && !existsSync(`${SETTINGS}${setting}.ts`) && !existsSync(SETTINGS + setting))
    throw new Error(`${place}: there is no docs/checks/snippets/${setting}`);
  const notRun = block.notes.get(NOTES.notRun);
  const notCompiled = block.notes.get(NOTES.notCompiled);
  return { place, block, setting, notRun, notCompiled };
}

/** The code of a setting, or nothing where it is a folder only. */
export function settingCode(setting: string | undefined): string {
  const file = `${SETTINGS}${setting}.ts`;
  return setting !== undefined && existsSync(file) ? readFileSync(file, "utf8") : "";
}
