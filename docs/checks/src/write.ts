// `pnpm docs:write`: makes the pages that come from the code.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { madePages } from "./made-pages.js";
import { ROOT } from "./markdown/pages.js";

for (const [path, text] of madePages()) {
  mkdirSync(dirname(ROOT + path), { recursive: true });
  writeFileSync(ROOT + path, text);
  console.log(path);
}
