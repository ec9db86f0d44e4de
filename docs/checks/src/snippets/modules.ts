import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { settingCode, SETTINGS, type Snippet } from "./snippet.js";

// Within the package, so that its dependencies are found; ignored by git and by the other checks.
const FOLDER = fileURLToPath(new URL("../../.cache/snippets/", import.meta.url));

export interface SnippetModule {
  snippet: Snippet;
  file: string;
  /** How many lines come before those of the page. */
  before: number;
}

/** Writes each snippet as a module in a folder of its own. */
export function writeModules(snippets: Snippet[], edit: (code: string) => string): SnippetModule[] {
  rmSync(FOLDER, { recursive: true, force: true });
  return snippets.map((snippet) => {
    const folder = FOLDER + snippet.place.replaceAll(/[^\w]+/g, "-");
    mkdirSync(folder, { recursive: true });
    if (snippet.setting !== undefined && existsSync(SETTINGS + snippet.setting))
      cpSync(SETTINGS + snippet.setting, folder, { recursive: true });
    const setting = settingCode(snippet.setting);
    const file = `${folder}/snippet.ts`;
    // Without an import or export a file is no module, and knows no `await` at its top.
    writeFileSync(file, edit(`${setting}${snippet.block.code}\nexport {};\n`));
    return { snippet, file, before: setting.split("\n").length - 1 };
  });
}
