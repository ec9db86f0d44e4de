import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { resolve } from "import-meta-resolve";

import { TargetError } from "./target-error.js";

/**
 * `import()` as a module of that folder would do it. The kit may run from anywhere (npx keeps it in a cache of its
 * own), yet a saver is judged as the user's project would load it: from its node_modules, by the ESM conditions.
 */
async function importFrom(folder: string, specifier: string): Promise<unknown> {
  return import(resolve(specifier, pathToFileURL(join(folder, "target.mjs")).href));
}

/**
 * A package that the user must have installed, loaded as the project in `folder` sees it, or else as the kit does.
 * Its exports are the caller's to know.
 */
export async function importInstalled<Exports>(folder: string, name: string): Promise<Exports> {
  try {
    try {
      return (await importFrom(folder, name)) as Exports;
    } catch (error) {
      if (!isMissing(error, name)) throw error;
      return (await import(name)) as Exports;
    }
  } catch (error) {
    if (isMissing(error, name))
      throw new TargetError(`The package ${name} is not installed. Install it: npm install ${name}`, {
        cause: error,
      });
    throw new TargetError(`The package ${name} is installed, and does not load: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Whether the package itself is missing, rather than something that it needs. */
function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    error.message.includes(`'${name}'`)
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
