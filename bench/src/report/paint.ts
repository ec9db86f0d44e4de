import { styleText } from "node:util";

/** Colours in a terminal only. */
export function paint(style: "bold" | "dim" | "green" | "yellow" | "red", text: string): string {
  const plain = process.env["NO_COLOR"] !== undefined || !process.stdout.isTTY;
  return plain ? text : styleText(style, text);
}
