import { defaultExports, isClass, isObject, isSaver } from "@langgraph-savers/command/modules";

import type { ConformanceTarget, CreatedSaver } from "../scenario.js";
import { TargetError } from "./target-error.js";

type Create = () => unknown;
type Options = Omit<ConformanceTarget, "name" | "create"> & { name?: string };

/** Finds the target among what a module exports: its default, `target`, or `create` with what stands beside it. */
export function exportedTarget(exports: unknown, fallbackName: string): ConformanceTarget {
  for (const candidate of candidates(exports)) {
    if (typeof candidate === "function") return targetOf(candidate as Create, {}, fallbackName);
    if (isObject(candidate) && typeof candidate["create"] === "function")
      return targetOf(candidate["create"].bind(candidate) as Create, candidate, fallbackName);
  }
  throw new TargetError(
    "The module exports no target. Export a function that returns a saver, or { name, create }, as its default:\n" +
      "  export default { name: 'MySaver', create: () => ({ saver: new MySaver() }) };",
  );
}

function* candidates(exports: unknown): Generator {
  if (!isObject(exports)) return;
  for (const meant of defaultExports(exports)) {
    yield meant;
    if (isObject(meant)) yield meant["target"];
  }
  yield exports["target"];
  yield exports;
}

function targetOf(create: Create, options: Options, fallbackName: string): ConformanceTarget {
  if (isClass(create))
    throw new TargetError(
      `The module exports the class ${create.name}. Export a function that creates one over empty storage:\n` +
        `  export default () => new ${create.name}(…);`,
    );
  const { name = fallbackName, capabilities, knownGaps } = options;
  return {
    name,
    create: async () => createdSaver(await create()),
    ...(capabilities !== undefined && { capabilities }),
    ...(knownGaps !== undefined && { knownGaps }),
  };
}

function createdSaver(made: unknown): CreatedSaver {
  if (isObject(made)) {
    if (isSaver(made["saver"])) return made as unknown as CreatedSaver;
    if (isSaver(made)) return { saver: made };
  }
  throw new TargetError("`create` returned neither a saver nor { saver, … }.");
}
