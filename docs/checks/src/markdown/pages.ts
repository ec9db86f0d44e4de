import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

export interface Page {
  /** Relative to the root of the repository, with slashes. */
  path: string;
  text: string;
}

/** The pages of Markdown whose paths match, in order of their paths. */
export function pages(pattern: RegExp): Page[] {
  const paths = walk("").filter((path) => path.endsWith(".md") && pattern.test(path));
  return paths.toSorted().map((path) => ({ path, text: readFileSync(ROOT + path, "utf8") }));
}

function walk(folder: string): string[] {
  return readdirSync(ROOT + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (!entry.isDirectory()) return [path];
    return isOurs(entry.name) ? walk(`${path}/`) : [];
  });
}

/** Hidden folders and those of builds have no pages of ours, `.github` has. */
function isOurs(folder: string): boolean {
  return !["node_modules", "dist"].includes(folder) && (!folder.startsWith(".") || folder === ".github");
}
