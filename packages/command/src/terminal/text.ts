import { stripVTControlCharacters } from "node:util";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
// Han, kana, Hangul, full-width forms and emoji take two columns.
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;

const invisible = /^[\p{Default_Ignorable_Code_Point}\p{Mn}]+$/u;
// A sign that is asked to be drawn as an emoji, such as a heart.
const emoji = /\p{Emoji}\ufe0f/u;

/** Columns that the text takes on a screen; colours take none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(stripVTControlCharacters(text))) width += widthOf(segment);
  return width;
}

function widthOf(grapheme: string): number {
  if (wide.test(grapheme) || emoji.test(grapheme)) return 2;
  return invisible.test(grapheme) ? 0 : 1;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Cut to the width, with an ellipsis where something is missing. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return `${takeColumns(text, width - 1)}…`;
}

/** Lines no wider than the width; a word that is wider is cut. Line breaks, indents and gaps of the text stay. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(10, width)));
}

function wrapLine(line: string, width: number): string[] {
  const indent = (/^ */.exec(line)?.[0] ?? "").slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let current = indent;
  for (const [, gap = "", word = ""] of line.trim().matchAll(/( *)([^ ]+)/g)) {
    let rest = word;
    const joined = current + gap + rest;
    if (displayWidth(joined) <= width) {
      current = joined;
      continue;
    }
    if (current !== indent) lines.push(current);
    while (displayWidth(indent + rest) > width) {
      const taken = takeColumns(rest, width - indent.length);
      lines.push(indent + taken);
      rest = rest.slice(taken.length);
    }
    current = indent + rest;
  }
  lines.push(current);
  return lines;
}

// oxlint-disable-next-line no-control-regex
const colour = /(\u001b\[[\d;]*m)/;

/** As much of the text as fits; colours take no room, and are not cut. */
function takeColumns(text: string, columns: number): string {
  let taken = "";
  let width = 0;
  for (const [at, part] of text.split(colour).entries()) {
    // What was split at stands between what was split.
    if (at % 2 === 1) {
      taken += part;
      continue;
    }
    for (const { segment } of segmenter.segment(part)) {
      width += widthOf(segment);
      if (width > columns) return taken;
      taken += segment;
    }
  }
  return taken;
}
