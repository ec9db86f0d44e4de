import { getCheckpointId } from "@langchain/langgraph-checkpoint";
import type { RunnableConfig } from "@langchain/core/runnables";

import { InvalidInputError } from "../errors.js";

/** The three keys of a config, checked. Nothing else of it is ever read into storage. */
export interface Ids {
  threadId: string | undefined;
  namespace: string | undefined;
  checkpointId: string | undefined;
}

/** What `getTuple`, `put`, `putWrites` or `list` was given, or a clear error before any I/O. */
export function readIds(method: string, config: RunnableConfig | undefined): Ids {
  const configurable: unknown = config?.configurable;
  if (configurable === undefined || configurable === null) {
    return { threadId: undefined, namespace: undefined, checkpointId: undefined };
  }
  if (typeof configurable !== "object") throw invalid(method, "`config.configurable` must be an object");
  const keys = configurable as Record<string, unknown>;
  return {
    threadId: readThreadId(method, keys["thread_id"]),
    namespace: readString(method, "checkpoint_ns", keys["checkpoint_ns"]),
    checkpointId: readCheckpointId(method, config!, keys),
  };
}

/** A thread id, also where a number is passed: it is the same thread as its decimal string. */
export function readThreadId(method: string, value: unknown): string | undefined {
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return String(value);
    throw invalid(method, "`thread_id` is a number that is not a safe integer; pass a string");
  }
  return readString(method, "thread_id", value);
}

/** A thread id that is an argument of its own. */
export function givenThreadId(method: string, value: unknown): string {
  const id = readThreadId(method, value);
  if (id === undefined) throw invalid(method, "the thread id is missing");
  return id;
}

export function readIdList(method: string, name: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw invalid(method, `\`${name}\` must be a list of ids, not ${kindOf(value)}`);
  return value.map((each: unknown) => {
    const id = readString(method, name, each);
    if (id === undefined) throw invalid(method, `\`${name}\` must hold strings only`);
    return id;
  });
}

/** An argument with options: absent, or an object. */
export function readOptions<T extends object>(method: string, value: T | undefined): Partial<T> {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw invalid(method, `the options must be an object, not ${kindOf(value)}`);
}

export function readFlag(method: string, name: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value === true;
  throw invalid(method, `\`${name}\` must be true or false, not ${kindOf(value)}`);
}

export function readFunction(method: string, name: string, value: unknown): void {
  if (value !== undefined && typeof value !== "function")
    throw invalid(method, `\`${name}\` must be a function, not ${kindOf(value)}`);
}

/** What timers take is 31 bits; they run at once beyond them. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** The number of milliseconds of a timer. */
export function readDelay(
  method: string,
  name: string,
  value: unknown,
  least: number,
  most = LONGEST_DELAY_MS,
): number {
  if (typeof value === "number" && value >= least && value <= most) return value;
  throw invalid(method, `\`${name}\` must be a number of milliseconds from ${least} to ${most}`);
}

export function requireThreadId(method: string, ids: Ids): string {
  if (ids.threadId !== undefined) return ids.threadId;
  throw invalid(
    method,
    '`config.configurable.thread_id` is missing; pass { configurable: { thread_id: "..." } }',
  );
}

export function readString(method: string, name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") {
    // Databases would take different ids for the same one.
    if (!isWellFormed(value)) throw invalid(method, `\`${name}\` is not well-formed Unicode`);
    return value;
  }
  throw invalid(method, `\`${name}\` must be a string, not ${kindOf(value)}`);
}

function readCheckpointId(
  method: string,
  config: RunnableConfig,
  keys: Record<string, unknown>,
): string | undefined {
  readString(method, "checkpoint_id", keys["checkpoint_id"]);
  readString(method, "thread_ts", keys["thread_ts"]);
  return getCheckpointId(config) || undefined;
}

/** False for half a surrogate pair, which has no UTF-8. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

export function invalid(method: string, what: string): InvalidInputError {
  return new InvalidInputError("INVALID_INPUT", `${method}: ${what}.`);
}
