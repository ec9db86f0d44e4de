import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { ProjectHookData } from "./project-hook.js";

/**
 * Has the scenarios run on the LangGraph that the project has. A saver is to be right with that one; and a message
 * that comes from one copy of LangChain is no instance of another copy's class. Only modules that are loaded from
 * here on are concerned.
 */
export function useLangGraphOf(folder: string): void {
  register<ProjectHookData>(new URL("project-hook.mjs", import.meta.url), {
    data: {
      project: pathToFileURL(join(folder, "target.mjs")).href,
      kit: new URL(".", import.meta.url).href,
    },
  });
}
