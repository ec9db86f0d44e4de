import { displayWidth, padEnd, wrap, type Paint } from "@langgraph-savers/command/terminal";

export interface Column<Row> {
  title: string;
  text(row: Row): string;
  align?: "right";
  /** Gives way first when the screen is narrow, down to this width. */
  atLeast?: number;
  /** Left out on screens that are narrower than this. */
  from?: number;
  paint?: (text: string, row: Row) => string;
}

const GAP = 2;

/** Rows under titles, as wide as the screen at most. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
  paint: Paint,
): string {
  const shown = columns.filter(({ from = 0 }) => width >= from);
  const cells = rows.map((row) => shown.map((column) => column.text(row)));
  const widths = shown.map(({ title }, at) =>
    Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[at]!))),
  );
  let excess = widths.reduce((sum, each) => sum + each, GAP * (shown.length - 1)) - width;
  shown.forEach(({ atLeast }, at) => {
    if (atLeast === undefined || excess <= 0) return;
    const given = Math.min(excess, Math.max(0, widths[at]! - atLeast));
    widths[at]! -= given;
    excess -= given;
  });
  const line = (texts: readonly string[], finish: (text: string, at: number) => string) =>
    texts
      .map((text, at) => {
        const cut = middleCut(text, widths[at]!);
        const room = " ".repeat(Math.max(0, widths[at]! - displayWidth(cut)));
        return shown[at]!.align === "right" ? room + finish(cut, at) : finish(cut, at) + room;
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  const titles = line(
    shown.map(({ title }) => title),
    (text) => paint.dim(text),
  );
  const body = cells.map((row, index) =>
    line(row, (text, at) => shown[at]!.paint?.(text, rows[index]!) ?? text),
  );
  return [titles, ...body].join("\n");
}

/** Cut in the middle: ids that begin alike often end differently. */
function middleCut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = Array.from(text);
  const tail = Math.floor((width - 1) / 2);
  let head = characters.slice(0, width - 1 - tail).join("");
  let end = tail === 0 ? "" : characters.slice(-tail).join("");
  // Wide characters take two columns.
  while (displayWidth(head) + displayWidth(end) + 1 > width && head !== "") {
    head = Array.from(head).slice(0, -1).join("");
    if (displayWidth(head) + displayWidth(end) + 1 > width) end = Array.from(end).slice(1).join("");
  }
  return `${head}…${end}`;
}

/** `label  text`, with the labels in a column of their own. */
export function fields(rows: readonly (readonly [string, string])[], columns: number, paint: Paint): string {
  const width = Math.max(0, ...rows.map(([label]) => displayWidth(label))) + GAP;
  return rows
    .flatMap(([label, text]) =>
      wrap(text, columns - width).map(
        (line, at) => `${paint.dim(padEnd(at === 0 ? label : "", width))}${line}`,
      ),
    )
    .join("\n");
}
