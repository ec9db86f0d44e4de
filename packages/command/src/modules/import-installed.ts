import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { resolve } from "import-meta-resolve";

import { LoadError } from "./load-error.js";

/**
 * The URL that `import` in a module of that folder would load. The command may run from anywhere (npx keeps it in a
 * cache of its own), yet a saver is loaded as the user's project would: from its node_modules, by the ESM conditions.
 */
function resolveFrom(folder: string, specifier: string): string {
  return resolve(specifier, pathToFileURL(join(folder, "module.mjs")).href);
}

/**
 * A package that the user must have installed, loaded as the project in `folder` sees it, or else as the command does.
 * Its exports are the caller's to know.
 */
export async function importInstalled<Exports>(folder: string, name: string): Promise<Exports> {
  try {
    try {
      return (await import(resolveFrom(folder, name))) as Exports;
    } catch (error) {
      if (!isMissing(error, name)) throw error;
      return (await import(name)) as Exports;
    }
  } catch (error) {
    if (isMissing(error, name)) throw notInstalled(name, error);
    throw new LoadError(`The package ${name} is installed, and does not load: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The folder of a package as the project in `folder` sees it, or else as the command does: what it depends on is there. */
export function installedFolder(folder: string, name: string): string {
  const own = dirname(fileURLToPath(import.meta.url));
  for (const from of [folder, own]) {
    try {
      return dirname(fileURLToPath(resolveFrom(from, name)));
    } catch (error) {
      if (!isMissing(error, name)) throw error;
    }
  }
  throw notInstalled(name);
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

function notInstalled(name: string, cause?: unknown): LoadError {
  return new LoadError(`The package ${name} is not installed. Install it: npm install ${name}`, { cause });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
