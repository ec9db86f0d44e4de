import {
  displayWidth,
  padEnd,
  printable,
  truncate,
  wrap,
  type Paint,
} from "@langgraph-savers/command/terminal";

export interface ValueStyle {
  columns: number;
  paint: Paint;
  /** Lines for one value, before it is cut; Infinity for all. */
  lines: number;
}

const MESSAGE_LINES = 3;
/** Prose in longer lines is tiring to read. */
const WIDEST_PROSE = 110;

/** A plain value in as few lines as it takes: on one where it fits, else spread out, else cut with a note. */
export function renderValue(value: unknown, style: ValueStyle): string[] {
  const messages = messageLines(isMessage(value) ? [value] : value, style);
  if (messages !== undefined) return cut(messages, style);
  const short = oneLine(value);
  if (displayWidth(short) <= style.columns && !short.includes("\n")) return [short];
  if (typeof value === "string")
    return cut(wrap(printable(value), Math.min(style.columns, WIDEST_PROSE)), style);
  const spread = printable(JSON.stringify(value, undefined, 2)).split("\n");
  if (style.lines === Infinity) return spread.flatMap((line) => wrap(line, style.columns));
  return cut(
    spread.map((line) => truncate(line, style.columns)),
    style,
  );
}

/** What a plain error says, where it says something; else all of it. */
export function errorText(error: unknown): string {
  const said = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  return typeof said === "string" && said !== "" ? printable(said) : oneLine(error);
}

/** A plain value on one line, however long: JSON with room to breathe. */
export function oneLine(value: unknown): string {
  return printable(spaced(value));
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const fields = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${spaced(each)}`);
  return `{${fields.join(", ")}}`;
}

function cut(lines: string[], { lines: most, paint }: ValueStyle): string[] {
  if (lines.length <= most) return lines;
  return [
    ...lines.slice(0, most - 1),
    paint.dim(`… ${lines.length - most + 1} more lines, --full shows them`),
  ];
}

interface PlainMessage {
  type: string;
  content: unknown;
  name?: string;
  tool_calls?: { name?: string; args?: unknown }[];
}

/** A conversation reads like one. */
function messageLines(value: unknown, { columns, paint, lines }: ValueStyle): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMessage)) return undefined;
  const labels = value.map(({ type, name }) => printable(name === undefined ? type : `${type} ${name}`));
  const width = Math.min(20, Math.max(...labels.map(displayWidth))) + 2;
  const room = Math.min(columns - width, WIDEST_PROSE);
  return value.flatMap((message, at) => {
    const text = messageText(message);
    const all = wrap(printable(text), room);
    // In full when all is asked for, else as much of each as leaves room for the others.
    const shown = lines === Infinity ? all : all.slice(0, MESSAGE_LINES);
    if (shown.length < all.length) shown[shown.length - 1] = truncate(`${shown.at(-1)} …`, room);
    return shown.map((line, index) => {
      const label = index === 0 ? truncate(labels[at]!, width - 2) : "";
      return `${paint.dim(padEnd(label, width))}${line}`;
    });
  });
}

function messageText({ content, tool_calls: calls = [] }: PlainMessage): string {
  const said = typeof content === "string" ? content : oneLine(content);
  const called = calls.map(({ name, args }) => `→ ${name ?? "?"}(${oneLine(args ?? {})})`);
  return [...(said === "" ? [] : [said]), ...called].join("\n");
}

function isMessage(value: unknown): value is PlainMessage {
  return (
    typeof value === "object" &&
    value !== null &&
    "content" in value &&
    "type" in value &&
    typeof value.type === "string"
  );
}
