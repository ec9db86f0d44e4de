import { types } from "node:util";

type ErrorCtor = new (message?: string) => Error;

/** The closed list of what a stored `class` may become; subclasses first, so that the first match is the nearest. */
const CLASSES = new Map<string, ErrorCtor>([
  ["TypeError", TypeError],
  ["RangeError", RangeError],
  ["SyntaxError", SyntaxError],
  ["ReferenceError", ReferenceError],
  ["EvalError", EvalError],
  ["URIError", URIError],
  ["AggregateError", AggregateError as unknown as ErrorCtor],
  ["Error", Error],
]);

export interface ErrorRecord {
  lc: 2;
  type: "error";
  class: string;
  name?: string;
  message?: string;
  cause?: unknown;
  errors?: unknown;
  props?: unknown;
}

export function isError(value: object): value is Error {
  return types.isNativeError(value) || value instanceof Error;
}

/** The parts of an error that are worth storing; values still to be walked. The stack names this machine's files. */
export function describeError(error: Error): {
  head: ErrorRecord;
  parts: Map<"cause" | "errors" | "props", unknown>;
} {
  let cls = "Error";
  for (const [name, ctor] of CLASSES) {
    // By name for those of another realm, which vm contexts and test runners make.
    if (isInstance(error, ctor) || (types.isNativeError(error) && name === error.name)) {
      cls = name;
      break;
    }
  }
  const head: ErrorRecord = { lc: 2, type: "error", class: cls };
  // Of any type: they are fields that anyone may assign to.
  const { name, message } = error as { name: unknown; message: unknown };
  if (name !== cls) head.name = String(name);
  if (Object.hasOwn(error, "message") || message) head.message = String(message);

  const props: Record<string, unknown> = { ...(error as object) };
  delete props["stack"];
  const parts = new Map<"cause" | "errors" | "props", unknown>();
  for (const key of ["cause", "errors"] as const) {
    const own = Object.getOwnPropertyDescriptor(error, key);
    // Enumerable ones travel with the rest of the properties; an assigned `errors` is ordinary data then.
    if (own && !own.enumerable) parts.set(key, (error as Error & { errors?: unknown })[key]);
  }
  if (Object.keys(props).length > 0) parts.set("props", props);
  return { head, parts };
}

/** `undefined` when the record is not one of ours. Its parts are revived already. */
export function reviveError(record: Record<string, unknown>): Error | undefined {
  const { class: cls, name, message, props } = record;
  const ctor = typeof cls === "string" ? CLASSES.get(cls) : undefined;
  if (!ctor || !isOptionalString(name) || !isOptionalString(message)) return undefined;
  if (props !== undefined && (typeof props !== "object" || props === null)) return undefined;

  const error: Error =
    ctor === (AggregateError as unknown)
      ? new AggregateError([], message)
      : message === undefined
        ? new ctor()
        : new ctor(message);
  if (name !== undefined) define(error, "name", name, false);
  if (Object.hasOwn(record, "cause")) define(error, "cause", record["cause"], false);
  if (Object.hasOwn(record, "errors")) define(error, "errors", record["errors"], false);
  for (const [key, value] of Object.entries(props ?? {})) define(error, key, value, true);
  // The stack of the load would send the reader to the wrong place.
  define(error, "stack", message ? `${error.name}: ${message}` : error.name, false);
  return error;
}

function isInstance(error: Error, ctor: ErrorCtor): boolean {
  return error instanceof ctor;
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function define(target: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}
