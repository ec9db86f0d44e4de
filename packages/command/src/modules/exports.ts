import { types } from "node:util";

import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** What a module may have meant as its default: CommonJS that came from TypeScript has it one level down. */
export function* defaultExports(exports: unknown): Generator {
  if (!isObject(exports)) return;
  const inner = exports["default"];
  if (isObject(inner) && inner["__esModule"] === true) yield* defaultExports(inner);
  yield inner;
}

/** By its methods: the saver may come from another copy of LangGraph than the command's. */
export function isSaver(value: unknown): value is BaseCheckpointSaver {
  return (
    isObject(value) &&
    ["getTuple", "list", "put", "putWrites"].every((name) => typeof value[name] === "function")
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Whether a function has to be called with `new`. */
export function isClass(value: (...args: never[]) => unknown): boolean {
  return !types.isAsyncFunction(value) && Function.prototype.toString.call(value).startsWith("class");
}
