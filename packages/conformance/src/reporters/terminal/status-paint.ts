import type { Colour } from "@langgraph-savers/command/terminal";

import type { Status } from "../summary.js";

/** The colour that a status has everywhere on the screen. */
export const statusPaint: Record<Status, Colour> = {
  passed: "green",
  failed: "red",
  skipped: "dim",
  "expected-failure": "yellow",
  "unexpected-pass": "red",
};
