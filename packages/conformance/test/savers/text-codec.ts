import * as messages from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";

/** A value as JSON in which everything that JSON has no word for is `{ "$": kind, … }`. */
type Tree = string | number | boolean | null | Tree[] | { [key: string]: Tree };

const typedArrays = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};
type TypedArrayName = keyof typeof typedArrays;
type MessageClass = new (fields: never) => messages.BaseMessage;

const messageClasses = new Map(
  Object.entries(messages)
    .filter(([name, each]) => typeof each === "function" && /Message(Chunk)?$/.test(name))
    .map(([name, each]) => [name, each as MessageClass]),
);

class Unstorable extends Error {}

export function toText(value: unknown, path: string): string {
  return JSON.stringify(encode(value, path, []));
}

export function fromText(text: string): unknown {
  return decode(JSON.parse(text) as Tree);
}

function encode(value: unknown, path: string, around: readonly object[]): Tree {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "undefined":
      return { $: "undefined" };
    case "bigint":
      return { $: "bigint", of: String(value) };
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $: "number", of: Object.is(value, -0) ? "-0" : String(value) };
    case "object":
      return value === null ? null : encodeObject(value, path, around);
    default:
      throw new Unstorable(`a ${typeof value} cannot be stored: ${path}`);
  }
}

function encodeObject(value: object, path: string, outer: readonly object[]): Tree {
  if (outer.includes(value)) throw new Unstorable(`a cycle cannot be stored: ${path}`);
  const around = [...outer, value];
  const inner = (each: unknown, key: string | number): Tree => encode(each, `${path}.${key}`, around);
  if (Array.isArray(value)) return Array.from(value as unknown[], inner);
  if (value instanceof Date) return { $: "Date", of: Number.isNaN(value.getTime()) ? null : value.getTime() };
  if (value instanceof Map) return { $: "Map", of: [...value].map((entry, at) => inner(entry, at)) };
  if (value instanceof Set) return { $: "Set", of: [...value].map(inner) };
  if (value instanceof RegExp) return { $: "RegExp", of: value.source, flags: value.flags };
  if (value instanceof Error) return { $: "Error", of: value.message, name: value.name };
  if (ArrayBuffer.isView(value)) {
    const name = Buffer.isBuffer(value) ? "Uint8Array" : value.constructor.name;
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { $: "bytes", of: bytes.toString("base64"), name };
  }
  if (value instanceof DeltaSnapshot) return { $: "DeltaSnapshot", of: inner(value.value, "value") };
  if (isSend(value)) return { $: "Send", of: value.node, args: inner(value.args, "args") };
  if (messageClasses.get(value.constructor?.name) === value.constructor && "lc_kwargs" in value) {
    return { $: "message", of: value.constructor.name, fields: inner(value.lc_kwargs, "lc_kwargs") };
  }
  return { $: "object", of: Object.entries(value).map(([key, each]) => [key, inner(each, key)]) };
}

function isSend(value: object): value is Send {
  return "lg_name" in value && value.lg_name === "Send";
}

function decode(tree: Tree): unknown {
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map(decode);
  const of = tree["of"]!;
  switch (tree["$"]) {
    case "undefined":
      return undefined;
    case "bigint":
      return BigInt(of as string);
    case "number":
      return Number(of);
    case "Date":
      return new Date((of as number | null) ?? Number.NaN);
    case "Map":
      return new Map(decode(of) as [unknown, unknown][]);
    case "Set":
      return new Set(decode(of) as unknown[]);
    case "RegExp":
      return new RegExp(of as string, tree["flags"] as string);
    case "Error":
      return Object.assign(new Error(of as string), { name: tree["name"] });
    case "bytes":
      return typedArray(tree["name"] as TypedArrayName, Buffer.from(of as string, "base64"));
    case "DeltaSnapshot":
      return new DeltaSnapshot(decode(of));
    case "Send":
      return new Send(of as string, decode(tree["args"]!));
    case "message":
      return new (messageClasses.get(of as string)!)(decode(tree["fields"]!) as never);
    default:
      return Object.fromEntries((of as [string, Tree][]).map(([key, each]) => [key, decode(each)]));
  }
}

function typedArray(name: TypedArrayName, bytes: Buffer): unknown {
  const own = new Uint8Array(bytes);
  return new typedArrays[name](own.buffer);
}
