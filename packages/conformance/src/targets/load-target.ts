import { access } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";

import { importFile } from "@langgraph-savers/command/modules";

import type { ConformanceTarget } from "../scenario.js";
import { builtInTargets } from "./built-in/index.js";
import { exportedTarget } from "./exported-target.js";
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
