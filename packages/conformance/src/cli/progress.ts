import type { Writable } from "node:stream";

import {
  bar,
  BAR_WIDTH,
  ERASE_LINE,
  padEnd,
  paints,
  printable,
  truncate,
} from "@langgraph-savers/command/terminal";

import type { ScenarioResult } from "../report.js";
import type { ReportStyle } from "../reporters/reporter.js";
import { formatDuration, isFailure, statusGlyph, statusWords } from "../reporters/summary.js";
import { statusPaint } from "../reporters/terminal/status-paint.js";

/** Shows how far a run has come. */
export interface Progress {
  start(saver: string, total: number): void;
  /** A scenario begins; it is what to suspect when nothing moves. */
  trying(id: string): void;
  finished(result: ScenarioResult): void;
  /** What the saver printed by itself: shown, and kept apart from the progress. */
  saverOutput(text: string): void;
  end(): void;
}

/** A line for each scenario: for logs. */
export function plainProgress(output: Writable, { colour }: ReportStyle): Progress {
  const paint = paints(colour);
  let saver = "";
  return {
    start(name, total) {
      saver = printable(name);
      output.write(`${saver}: ${total} scenarios\n`);
    },
    trying() {},
    finished({ id, status, durationMs }) {
      const mark = paint[statusPaint[status]](statusGlyph[status]);
      const after = status === "passed" ? formatDuration(durationMs) : statusWords[status];
      output.write(`${mark} ${saver} ${id} ${paint.dim(`(${after})`)}\n`);
    },
    saverOutput: (text) => void output.write(text),
    end() {},
  };
}

/** One line that moves: for a person who watches. */
export function barProgress(output: Writable, { columns, colour }: ReportStyle): Progress {
  const paint = paints(colour);
  let saver = "";
  let total = 0;
  let done = 0;
  let failed = 0;
  let current = "";
  const draw = () => {
    const drawn = bar(total === 0 ? 0 : done / total, paint, failed > 0 ? "red" : "green");
    const figures = `${padEnd(`${done}/${total}`, 8)}${failed > 0 ? `${statusGlyph.failed} ${failed} ` : ""}`;
    const words = truncate(`${figures}${saver} ${current}`, columns - BAR_WIDTH - 2);
    output.write(`${ERASE_LINE}${drawn} ${words}`);
  };
  return {
    start(name, scenarios) {
      [saver, total, done, failed, current] = [printable(name), scenarios, 0, 0, ""];
      draw();
    },
    trying(id) {
      current = id;
      draw();
    },
    finished({ status }) {
      done += 1;
      if (isFailure(status)) failed += 1;
      draw();
    },
    saverOutput(text) {
      output.write(`${ERASE_LINE}${text}${text.endsWith("\n") ? "" : "\n"}`);
      draw();
    },
    end: () => void output.write(ERASE_LINE),
  };
}
