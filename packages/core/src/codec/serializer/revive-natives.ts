/** Records back to JavaScript's own objects. A record that is not exactly as written stays the plain object it is. */
import * as checkpoint from "@langchain/langgraph-checkpoint";
import { fromBinary } from "./binary.js";
import { reviveError } from "./native-errors.js";

type Fields = Record<string, unknown>;

/** Distinct from every value a record can stand for. */
export const INERT = Symbol("inert");

// Not a named import: the older versions that the peer range allows do not have it, and linking would fail.
const { DeltaSnapshot } = checkpoint as { DeltaSnapshot?: new (value: unknown) => unknown };

const NUMBERS = new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["-0", -0],
]);
const MAX_TIME = 8.64e15;

/** Records that hold no other value. */
export function reviveScalar(record: Fields, segments: readonly Uint8Array[] | undefined): unknown {
  const value = record["value"];
  switch (record["type"]) {
    case "number":
      return NUMBERS.get(value as string) ?? INERT;
    case "bigint":
      return typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : INERT;
    case "date":
      if (value === null) return new Date(NaN);
      return Number.isInteger(value) && Math.abs(value as number) <= MAX_TIME
        ? new Date(value as number)
        : INERT;
    case "binary":
      return segments ? reviveBinary(record, segments) : INERT;
    default:
      return INERT;
  }
}

function reviveBinary(record: Fields, segments: readonly Uint8Array[]): unknown {
  const { kind, segment } = record;
  const bytes = Number.isInteger(segment) ? segments[segment as number] : undefined;
  if (!bytes || typeof kind !== "string") {
    throw new Error("Malformed serialized value: a binary record names a segment that is not there");
  }
  return fromBinary(kind, bytes);
}

/** Records whose parts are revived already. */
export function reviveComposite(record: Fields): unknown {
  switch (record["type"]) {
    case "delta_snapshot":
      return DeltaSnapshot && Object.hasOwn(record, "value") ? new DeltaSnapshot(record["value"]) : INERT;
    case "error":
      return reviveError(record) ?? INERT;
    case "constructor":
      return reviveConstructor(record);
    default:
      return INERT;
  }
}

/** What JsonPlusSerializer reads, under its conditions. */
function reviveConstructor(record: Fields): unknown {
  const { id, method, args } = record;
  if (!Array.isArray(id) || id.length !== 1 || !Array.isArray(args)) return INERT;
  const noMethod = method === undefined || method === null;
  const list: unknown = args.length === 1 ? args[0] : undefined;
  switch (id[0]) {
    case "Set":
      return noMethod && Array.isArray(list) ? new Set(list) : INERT;
    case "Map":
      return noMethod && Array.isArray(list) && list.every(isEntry) ? new Map(list) : INERT;
    case "RegExp":
      return noMethod && args.length === 2 ? regExp(args[0], args[1]) : INERT;
    case "Error":
      return noMethod && typeof list === "string" ? new Error(list) : INERT;
    case "Uint8Array":
      return (noMethod || method === "from") && Array.isArray(list) && list.every(isByte)
        ? new Uint8Array(list)
        : INERT;
    default:
      return INERT;
  }
}

function isEntry(value: unknown): value is [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

function regExp(source: unknown, flags: unknown): unknown {
  if (typeof source !== "string" || typeof flags !== "string") return INERT;
  try {
    return new RegExp(source, flags);
  } catch {
    return INERT;
  }
}
