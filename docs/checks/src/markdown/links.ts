import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";

import { proseOf } from "./blocks.js";
import { ROOT, type Page } from "./pages.js";

export interface Link {
  page: string;
  line: number;
  target: string;
}

const INLINE = /!?\[(?:[^\][]|\[[^\]]*\])*\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const REFERENCE = /^\s*\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)/;
const ATTRIBUTE = /\b(?:href|src|srcset)="([^"\s]+)/g;

export function linksOf(page: Page): Link[] {
  return proseOf(page).flatMap((line, at) => {
    const text = line.replaceAll(/`[^`]*`/g, "`");
    const targets = [...text.matchAll(INLINE), ...text.matchAll(ATTRIBUTE)].map((match) => match[1]!);
    const reference = REFERENCE.exec(text)?.[1];
    if (reference !== undefined) targets.push(reference);
    return targets.map((target) => ({ page: page.path, line: at + 1, target }));
  });
}

export function isExternal(link: Link): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(link.target);
}

/** Why a link leads nowhere, if it does. `all` are the pages whose headings may be linked to. */
export function brokenBecause({ page, target }: Link, all: ReadonlyMap<string, Page>): string | undefined {
  const [path = "", anchor] = target.split("#");
  if (path.startsWith("/")) return "begins at a root that is elsewhere for each reader";
  const file = path === "" ? page : posix.normalize(posix.join(posix.dirname(page), decodeURI(path)));
  if (file.startsWith("..")) return "leads out of the repository";
  if (!existsSync(ROOT + file)) return `there is no ${file}`;
  if (anchor === undefined) return undefined;
  const linked = all.get(file);
  if (linked === undefined)
    return statSync(ROOT + file).isFile() && /^L\d+/.test(anchor)
      ? undefined
      : `${file} is no page with headings`;
  return anchorsOf(linked).has(decodeURI(anchor)) ? undefined : `${file} has no heading #${anchor}`;
}

/** The names that GitHub and npm give to the headings of a page, and those that the page gives itself. */
export function anchorsOf(page: Page): Set<string> {
  const anchors = new Set<string>();
  for (const line of proseOf(page)) {
    for (const match of line.matchAll(/\b(?:id|name)="([^"]+)"/g)) anchors.add(match[1]!);
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let name = slug;
    for (let count = 1; anchors.has(name); count++) name = `${slug}-${count}`;
    anchors.add(name);
  }
  return anchors;
}

function slugOf(heading: string): string {
  const text = heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/\\(.)/g, "$1");
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
