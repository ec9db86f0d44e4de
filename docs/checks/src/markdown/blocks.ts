import type { Page } from "./pages.js";

/** A fenced block of code. */
export interface Block {
  page: string;
  /** Of its first line of code, counted from 1. */
  line: number;
  language: string;
  code: string;
  /** What the HTML comments directly before it say, by the word before the colon: they are not shown to readers. */
  notes: ReadonlyMap<string, string>;
}

const FENCE = /^(\s*)(`{3,}|~{3,})\s*(\S*)/;
const NOTE = /^<!--\s*([\w ,]+):\s*(.*?)\s*-->$/;

export function blocksOf(page: Page): Block[] {
  const blocks: Block[] = [];
  let notes = new Map<string, string>();
  const lines = page.text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = FENCE.exec(lines[at]!);
    if (fence) {
      const [, indent = "", marks = "", language = ""] = fence;
      const end = lines.findIndex((text, index) => index > at && text.trim() === marks);
      if (end === -1) throw new Error(`${page.path}:${at + 1}: the block of code has no end`);
      const code = lines.slice(at + 1, end).map((text) => text.slice(indent.length));
      blocks.push({ page: page.path, line: at + 2, language, code: code.join("\n"), notes });
      notes = new Map();
      at = end;
      continue;
    }
    const note = NOTE.exec(lines[at]!.trim());
    if (note) notes.set(note[1]!, note[2]!);
    else if (lines[at]!.trim() !== "") notes = new Map();
  }
  return blocks;
}

/** The text of a page without its blocks of code; lines keep their numbers. */
export function proseOf(page: Page): string[] {
  let closing: string | undefined;
  return page.text.split("\n").map((line) => {
    const marks = FENCE.exec(line)?.[2];
    if (closing !== undefined) {
      if (line.trim() === closing) closing = undefined;
      return "";
    }
    closing = marks;
    return marks === undefined ? line : "";
  });
}
