import { writeFileSync } from "node:fs";

import { catalogueMarkdown } from "./catalogue-markdown.js";

writeFileSync(new URL("../SCENARIOS.md", import.meta.url), catalogueMarkdown());
