import { access } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import type { ConformanceTarget } from "../scenario.js";
import { builtInTargets } from "./built-in/index.js";
import { exportedTarget } from "./exported-target.js";
import { messageOf } from "./import-from.js";
import type { TargetContext } from "./target-context.js";
import { TargetError } from "./target-error.js";

/** A target by the name of a built-in one, or by the path of a module. */
export async function loadTarget(target: string, context: TargetContext): Promise<ConformanceTarget> {
  if (Object.hasOwn(builtInTargets, target)) {
    const builtIn = builtInTargets[target];
    if (builtIn !== undefined) return builtIn.load(context);
  }
  const path = resolve(context.folder, target);
  await access(path).catch((error: unknown) => {
    throw new TargetError(
      `There is no file ${target}, and no built-in target of that name. Built in: ${Object.keys(builtInTargets).join(", ")}`,
      { cause: error },
    );
  });
  return exportedTarget(await importFile(path, target), basename(path, extname(path)));
}

async function importFile(path: string, target: string): Promise<unknown> {
  await acceptTypeScript();
  try {
    return (await import(pathToFileURL(path).href)) as unknown;
  } catch (error) {
    throw new TargetError(`${target} does not load: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * From here on `import` and `require` take TypeScript, also where it is not a matter of erasing types (enums,
 * `./x.js` that is `./x.ts`, paths of a tsconfig). Packages are loaded by Node itself, so that the saver and the kit
 * share one LangGraph where they can.
 */
async function acceptTypeScript(): Promise<void> {
  const [esm, cjs] = await Promise.all([import("tsx/esm/api"), import("tsx/cjs/api")]);
  cjs.register();
  esm.register();
}
