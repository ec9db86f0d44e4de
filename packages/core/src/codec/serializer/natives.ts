/** JavaScript's own objects, which JSON has no word for, to records. `revive-natives.ts` is the way back. */
import { types } from "node:util";
import { toBinary } from "./binary.js";
import type { Dumper } from "./dump.js";
import { describeError, isError } from "./native-errors.js";
import { PLAIN } from "./records.js";

type Encoded = Record<string, unknown>;

export function isJsonNumber(value: number): boolean {
  return Number.isFinite(value) && (value !== 0 || 1 / value > 0);
}

export function encodeNumber(value: number): Encoded {
  return { lc: 2, type: "number", value: value === 0 ? "-0" : String(value) };
}

/** `undefined`: nothing special about this object. */
export function encodeNative(value: object, depth: number, dumper: Dumper): unknown {
  if (types.isDate(value)) {
    dumper.enter(depth, null, value);
    const time = Date.prototype.getTime.call(value);
    return { lc: 2, type: "date", value: Number.isNaN(time) ? null : time };
  }
  const binary = toBinary(value);
  if (binary) {
    dumper.enter(depth, null, value);
    return { lc: 2, type: "binary", kind: binary.kind, segment: dumper.segments.push(binary.bytes) - 1 };
  }
  if (types.isMap(value)) return encodeMap(value, depth, dumper);
  if (types.isSet(value)) return encodeSet(value, depth, dumper);
  if (types.isRegExp(value)) {
    dumper.enter(depth, null, value);
    dumper.enter(depth + 1, null, null);
    return constructorRecord("RegExp", [value.source, value.flags]);
  }
  if (isError(value)) return "toJSON" in value ? undefined : encodeError(value, depth, dumper);
  if (types.isBoxedPrimitive(value)) return dumper.walk(unbox(value), depth, PLAIN);
  if (types.isPromise(value)) return dumper.refuse(depth, "a Promise cannot be stored; await it first");
  if (types.isWeakMap(value)) return dumper.refuse(depth, "a WeakMap cannot be stored");
  if (types.isWeakSet(value)) return dumper.refuse(depth, "a WeakSet cannot be stored");
  if (value instanceof WeakRef) return dumper.refuse(depth, "a WeakRef cannot be stored");
  // By its marker, as LangGraph does: the class may come from another copy of the package.
  if ((value as { lg_name?: unknown }).lg_name === "DeltaSnapshot") {
    dumper.enter(depth, "value", value);
    return {
      lc: 2,
      type: "delta_snapshot",
      value: dumper.walk((value as { value?: unknown }).value, depth + 1, PLAIN),
    };
  }
  return undefined;
}

// Map, Set and RegExp keep the form JsonPlusSerializer gives them.
function constructorRecord(name: string, args: unknown[]): Encoded {
  return { lc: 2, type: "constructor", id: [name], method: null, args, kwargs: {} };
}

function encodeMap(map: Map<unknown, unknown>, depth: number, dumper: Dumper): Encoded {
  dumper.enter(depth, null, map);
  dumper.enter(depth + 1, null, null);
  const entries: [unknown, unknown][] = [];
  for (const [key, value] of Map.prototype.entries.call(map) as MapIterator<[unknown, unknown]>) {
    dumper.enter(depth + 2, entries.length, null);
    dumper.enter(depth + 3, "key", null);
    const walkedKey = dumper.walk(key, depth + 4, PLAIN);
    dumper.enter(depth + 3, "value", null);
    entries.push([walkedKey, dumper.walk(value, depth + 4, PLAIN)]);
  }
  return constructorRecord("Map", [entries]);
}

function encodeSet(set: Set<unknown>, depth: number, dumper: Dumper): Encoded {
  dumper.enter(depth, null, set);
  dumper.enter(depth + 1, null, null);
  const items: unknown[] = [];
  for (const item of Set.prototype.values.call(set) as SetIterator<unknown>) {
    dumper.enter(depth + 2, items.length, null);
    items.push(dumper.walk(item, depth + 3, PLAIN));
  }
  return constructorRecord("Set", [items]);
}

function encodeError(error: Error, depth: number, dumper: Dumper): Encoded {
  const { head, parts } = describeError(error);
  const record: Encoded = { ...head };
  for (const [part, value] of parts) {
    dumper.enter(depth, part === "props" ? null : part, error);
    record[part] = dumper.walk(value, depth + 1, PLAIN);
  }
  return record;
}

function unbox(value: object): unknown {
  if (types.isNumberObject(value)) return Number.prototype.valueOf.call(value);
  if (types.isStringObject(value)) return String.prototype.valueOf.call(value);
  if (types.isBooleanObject(value)) return Boolean.prototype.valueOf.call(value);
  if (types.isBigIntObject(value)) return BigInt.prototype.valueOf.call(value);
  return Symbol.prototype.valueOf.call(value as unknown as symbol);
}
