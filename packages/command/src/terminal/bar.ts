import type { Paint } from "./paint.js";

export const ERASE_LINE = "\r\u001b[K";
export const BAR_WIDTH = 24;

/** How far something has come, from 0 to 1. */
export function bar(ratio: number, paint: Paint, tone: "green" | "red" = "green"): string {
  const filled = Math.round(Math.min(1, Math.max(0, ratio)) * BAR_WIDTH);
  return paint[tone]("█".repeat(filled)) + paint.dim("░".repeat(BAR_WIDTH - filled));
}
