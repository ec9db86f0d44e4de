export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const token = /<\?[^>]*\?>|<(\/?)([\w-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;

/** Reads XML, and throws where it is not well-formed: strict on purpose, for it judges what the reporters write. */
export function parseXml(source: string): Element {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(source))
    throw new Error("a character that XML forbids");
  const document: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [document];
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const from = token.lastIndex;
    const found = token.exec(source);
    const parent = open.at(-1);
    if (found === null || parent === undefined)
      throw new Error(`not XML at ${JSON.stringify(source.slice(from, from + 60))}`);
    const [, closing, name, attributes = "", empty, text] = found;
    if (text !== undefined) parent.text += decode(text);
    else if (name !== undefined && closing === "/") {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
    } else if (name !== undefined) {
      const element = { name, attributes: attributesOf(attributes), children: [], text: "" };
      parent.children.push(element);
      if (empty !== "/") open.push(element);
    }
  }
  const [root, ...others] = document.children;
  if (open.length !== 1 || root === undefined || others.length > 0) throw new Error("not one root element");
  return root;
}

/** All elements of that name below, in order. */
export function elementsOf(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsOf(child, name),
  ]);
}

function attributesOf(source: string): Record<string, string> {
  const pairs = Array.from(source.matchAll(/([\w:-]+)="([^"]*)"/g), ([, name = "", value = ""]) => [
    name,
    decode(value),
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}

function decode(text: string): string {
  return text.replaceAll(/&([^;]*;?)/g, (found, inside: string) => {
    const character = entities[inside.slice(0, -1)];
    if (character === undefined) throw new Error(`no such entity: ${found}`);
    return character;
  });
}
