import Module, { createRequire, register } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import type * as kit from "../../index.js";
import type { ProjectHookData } from "./project-hook.js";

/** What Node calls for every `require`: no documented part of it can be told where to look. */
interface CommonJsResolver {
  _resolveFilename(request: string, parent: { filename?: string } | undefined, ...rest: unknown[]): string;
}

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
  requireFromProject(folder);
}

/** For `require` what project-hook.ts does for `import`. */
function requireFromProject(folder: string): void {
  const ownFolder = dirname(fileURLToPath(import.meta.url)) + sep;
  const project = createRequire(join(folder, "target.cjs"));
  const resolver = Module as unknown as CommonJsResolver;
  const original = resolver._resolveFilename.bind(resolver);
  resolver._resolveFilename = (request, parent, ...rest) => {
    if (request.startsWith("@langchain/") && parent?.filename?.startsWith(ownFolder) === true) {
      try {
        return project.resolve(request);
      } catch {
        return original(request, parent, ...rest);
      }
    }
    return original(request, parent, ...rest);
  };
}

/**
 * The kit, in the module system from which the saver has its LangGraph: each of the two has classes of its own. The
 * target is loaded by then.
 */
export async function loadKit(): Promise<typeof kit> {
  const require = createRequire(import.meta.url);
  const isCommonJs = Object.keys(require.cache).some((path) =>
    /[\\/]@langchain[\\/]langgraph-checkpoint[\\/]/.test(path),
  );
  return isCommonJs
    ? (require(fileURLToPath(new URL("index.cjs", import.meta.url))) as typeof kit)
    : import("../../index.js");
}
