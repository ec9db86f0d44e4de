import type { Status } from "../summary.js";

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Paint = Record<keyof typeof codes, (text: string) => string>;

/** Colours, or none: the same calls either way. */
export function paints(colour: boolean): Paint {
  const paint = (name: keyof typeof codes) => (text: string) => {
    const [on, off] = codes[name];
    return colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    cyan: paint("cyan"),
  };
}

/** The colour that a status has everywhere on the screen. */
export const statusPaint: Record<Status, keyof Paint> = {
  passed: "green",
  failed: "red",
  skipped: "dim",
  "expected-failure": "yellow",
  "unexpected-pass": "red",
};
