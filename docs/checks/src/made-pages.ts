import { spawnSync } from "node:child_process";

import { errorsPage } from "./errors-page.js";
import { ROOT } from "./markdown/pages.js";

/** The pages that are made from the code, by path. */
export function madePages(): Map<string, string> {
  return new Map([["docs/errors.md", formatted("docs/errors.md", errorsPage())]]);
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
