import { escapeXml } from "../xml.js";

/** Text that is markup already, and is not escaped again. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Markup[];

/** A template whose values are escaped unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + render(parts[index - 1] ?? "") + string));
}

/** A sentence in which `` `names` `` are set as code. */
export function sentence(text: string): Markup {
  const parts = text.split(/`([^`]+)`/);
  return new Markup(
    parts
      .map((part, index) => (index % 2 === 1 ? `<code>${escapeXml(part)}</code>` : escapeXml(part)))
      .join(""),
  );
}

function render(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return escapeXml(String(part));
}
