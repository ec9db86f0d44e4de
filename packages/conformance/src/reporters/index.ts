import { page } from "./html/index.js";
import { json } from "./json.js";
import { junit } from "./junit.js";
import { markdown } from "./markdown.js";
import type { Reporter } from "./reporter.js";
import { terminal } from "./terminal/index.js";

/** By the name that `--reporter` takes. */
export const reporters = { terminal, json, junit, markdown, html: page } satisfies Record<string, Reporter>;

export type ReporterName = keyof typeof reporters;
