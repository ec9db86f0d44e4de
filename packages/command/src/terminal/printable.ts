import { stripVTControlCharacters } from "node:util";

// Control characters, and those that turn the direction of writing, which could make a line say something else.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** What a saver says is shown, not obeyed: no escape sequence of its own reaches the terminal. */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("\r\n", "\n")
    .replaceAll("\t", "  ")
    .replaceAll(control, "\ufffd");
}
