import { spawnSync } from "node:child_process";

import type { Entry } from "./api/exports.js";
import { apiPages } from "./api/pages.js";
import { errorsPage } from "./errors-page.js";
import { ROOT } from "./markdown/pages.js";

/** The pages that are made from the code, by path. */
export function madePages(entries?: Map<string, Entry[]>): Map<string, string> {
  const made = new Map([["docs/errors.md", errorsPage()]]);
  for (const [name, text] of apiPages(entries)) made.set(`docs/api/${name}`, text);
  return new Map([...made].map(([path, text]) => [path, formatted(path, text)]));
}

/** As `pnpm format` would leave it. */
function formatted(path: string, text: string): string {
  const args = [`--stdin-filepath=${path}`];
  const { stdout, stderr, status } = spawnSync(`${ROOT}node_modules/.bin/oxfmt`, args, {
    cwd: ROOT,
    input: text,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`oxfmt: ${stderr}`);
  return stdout;
}
