import { pathToFileURL } from "node:url";

import { messageOf } from "./import-installed.js";
import { LoadError } from "./load-error.js";

/** What a user's file exports; `name` is what the user calls it. TypeScript works as it is. */
export async function importFile(path: string, name: string): Promise<unknown> {
  await acceptTypeScript();
  try {
    return (await import(pathToFileURL(path).href)) as unknown;
  } catch (error) {
    throw new LoadError(`${name} does not load: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * From here on `import` and `require` take TypeScript, also where it is not a matter of erasing types (enums,
 * `./x.js` that is `./x.ts`, paths of a tsconfig). Packages are loaded by Node itself, so that the saver and the
 * command share one LangGraph where they can.
 */
async function acceptTypeScript(): Promise<void> {
  const [esm, cjs] = await Promise.all([import("tsx/esm/api"), import("tsx/cjs/api")]);
  cjs.register();
  esm.register();
}
