/** Text as data: ids, messages and labels may hold anything. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}

/** Coordinates with a tenth of a pixel, which nobody sees. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A text element; `classes` are those of the palette. */
export function label(x: number, y: number, text: string, classes: string, anchor = "start"): string {
  return `<text x="${px(x)}" y="${px(y)}" class="${classes}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, classes: string): string {
  return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" class="${classes}"/>`;
}
