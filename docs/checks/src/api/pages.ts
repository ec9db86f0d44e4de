import { codeOf, commentOf, kindOf, namesIn, type Kind } from "./declaration.js";
import { entriesOf, type Entry, type Exported } from "./exports.js";

/** The packages whose types are a public surface; the others are commands, or private. */
export const PACKAGES = ["core", "file", "mongodb", "dynamodb", "conformance"];

const KINDS: Kind[] = ["Classes", "Functions", "Values", "Types"];

/** A page for each package, by its file name. */
export function apiPages(entries = entriesOf(PACKAGES)): Map<string, string> {
  const core = namesOf(entries.get("core")!);
  return new Map([...entries].map(([folder, of]) => [`${folder}.md`, pageOf(folder, of, core)]));
}

function pageOf(folder: string, entries: Entry[], core: ReadonlySet<string>): string {
  const own = namesOf(entries);
  const linkTo = (name: string) => {
    if (own.has(name)) return `[\`${name}\`](#${anchorOf(name)})`;
    return core.has(name) ? `[\`${name}\`](core.md#${anchorOf(name)})` : undefined;
  };
  const told = new Set<string>();
  const parts = entries.flatMap((entry, at) => {
    const [fresh, again] = split(entry.exported, ({ name }) => told.has(name));
    for (const { name } of fresh) told.add(name);
    const title = at === 0 ? [] : [`## \`${entry.specifier}\``];
    if (again.length > 0) title.push(`As above: ${again.map(({ name }) => linkTo(name)).join(", ")}.`);
    const level = at === 0 ? "##" : "###";
    return [...title, ...KINDS.flatMap((kind) => sectionOf(kind, level, fresh, linkTo))];
  });
  return [
    `<!-- Made by \`pnpm docs:write\` from the types of the package, not by hand. -->`,
    `# ${entries[0]!.specifier}`,
    `What the package exports, as its types say it. What it is for: [README](../../packages/${folder}/README.md).`,
    ...parts,
  ].join("\n\n");
}

function sectionOf(
  kind: Kind,
  level: string,
  exported: Exported[],
  linkTo: (name: string) => string | undefined,
): string[] {
  const ofKind = exported
    .filter(({ declarations }) => kindOf(declarations[0]!) === kind)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (ofKind.length === 0) return [];
  const list = ofKind.map(({ name }) => linkTo(name)).join(", ");
  return [`${level} ${kind}`, list, ...ofKind.map((each) => describe(each, `${level}#`, linkTo))];
}

function describe(
  { name, declarations }: Exported,
  level: string,
  linkTo: (name: string) => string | undefined,
): string {
  const { text, examples } = commentOf(declarations[0]!);
  const names = new Set(declarations.flatMap((declaration) => [...namesIn(declaration)]));
  names.delete(name);
  const links = [...names].flatMap((each) => linkTo(each) ?? []);
  return [
    `${level} \`${name}\``,
    ...(text === "" ? [] : [text]),
    `\`\`\`ts\n${declarations.map(codeOf).join("\n")}\n\`\`\``,
    ...examples.map((example) => `For example:\n\n\`\`\`ts\n${example}\n\`\`\``),
    ...(links.length === 0 ? [] : [`See ${links.join(", ")}.`]),
  ].join("\n\n");
}

function namesOf(entries: Entry[]): Set<string> {
  return new Set(entries.flatMap(({ exported }) => exported.map(({ name }) => name)));
}

function anchorOf(name: string): string {
  return name.toLowerCase();
}

function split<T>(items: T[], isSecond: (item: T) => boolean): [T[], T[]] {
  return [items.filter((item) => !isSecond(item)), items.filter(isSecond)];
}
