import { displayWidth, padEnd, type Paint, truncate } from "@langgraph-savers/command/terminal";

import type { ScenarioResult } from "../../report.js";
import { isFailure, type MatrixGroup, type Status, statusGlyph } from "../summary.js";
import { statusPaint } from "./status-paint.js";

/** The groups of one saver, in as many columns as the screen has room for. */
export function groupList(groups: readonly MatrixGroup[], columns: number, paint: Paint): string {
  const nameWidth = Math.max(0, ...groups.map(({ name }) => displayWidth(name)));
  const cells = groups.map(({ name, rows }) => {
    const tally = tallyOf(rows.map(({ results }) => results[0]));
    return `${mark(tally.worst, paint)} ${padEnd(name, nameWidth)}  ${paint[statusPaint[tally.worst]](tally.words)}`;
  });
  const cellWidth = Math.max(0, ...cells.map(displayWidth)) + 4;
  const across = Math.max(1, Math.floor(columns / cellWidth));
  const down = Math.ceil(cells.length / across);
  return Array.from({ length: down }, (_, line) =>
    cells
      .filter((_cell, index) => index % down === line)
      .map((cell) => padEnd(cell, cellWidth))
      .join("")
      .trimEnd(),
  ).join("\n");
}

/** Groups by savers, in figures. */
export function groupMatrix(
  groups: readonly MatrixGroup[],
  names: readonly string[],
  columns: number,
  paint: Paint,
): string {
  const groupWidth = Math.max(...groups.map(({ name }) => displayWidth(name)), 0) + 2;
  const room = Math.floor((columns - groupWidth) / Math.max(1, names.length)) - 2;
  const width = Math.max(8, Math.min(room, Math.max(14, ...names.map(displayWidth))));
  const line = (head: string, cells: readonly string[]) =>
    `${padEnd(head, groupWidth)}${cells.map((text) => padEnd(text, width)).join("  ")}`.trimEnd();
  return [
    line(
      "",
      names.map((name) => paint.bold(truncate(name, width))),
    ),
    ...groups.map(({ name, rows }) =>
      line(
        name,
        names.map((_, column) => {
          const tally = tallyOf(rows.map(({ results }) => results[column]));
          return paint[statusPaint[tally.worst]](
            truncate(`${statusGlyph[tally.worst]} ${tally.figures}`, width),
          );
        }),
      ),
    ),
  ].join("\n");
}

interface Tally {
  worst: Status;
  words: string;
  figures: string;
}

function tallyOf(results: readonly (ScenarioResult | undefined)[]): Tally {
  const tried = results.filter((result) => result !== undefined);
  const count = (wanted: (status: Status) => boolean) => tried.filter(({ status }) => wanted(status)).length;
  const passed = count((status) => status === "passed");
  const failed = count(isFailure);
  const gaps = count((status) => status === "expected-failure");
  const skipped = count((status) => status === "skipped");
  if (failed > 0)
    return {
      worst: "failed",
      words: `${failed} of ${tried.length} failed`,
      figures: `${failed}/${tried.length} fail`,
    };
  if (gaps > 0)
    return {
      worst: "expected-failure",
      words: `${passed} passed, ${gaps} known gap${gaps === 1 ? "" : "s"}`,
      figures: `${gaps}/${tried.length} gap`,
    };
  if (passed === 0) return { worst: "skipped", words: `${skipped} skipped`, figures: `${skipped} skip` };
  return {
    worst: "passed",
    words: skipped > 0 ? `${passed} passed, ${skipped} skipped` : `${passed} passed`,
    figures: String(passed),
  };
}

function mark(status: Status, paint: Paint): string {
  return paint[statusPaint[status]](statusGlyph[status]);
}
