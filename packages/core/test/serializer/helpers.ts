import { deepStrictEqual } from "node:assert";
import { expect } from "vitest";
import { MemorySaver, type SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { Serializer } from "../../src/codec/serializer/index.js";

export const serializer = new Serializer();

/** Not exported by name, but every saver of the package starts with one. */
export const jsonPlus: SerializerProtocol = new MemorySaver().serde;

export async function roundTrip(value: unknown): Promise<unknown> {
  const [type, data] = serializer.dump(value);
  return serializer.load(type, data);
}

export function dumpedJson(value: unknown): unknown {
  const [type, data] = serializer.dump(value);
  expect(type).toBe("json");
  return JSON.parse(new TextDecoder().decode(data));
}

export function loadJson(value: unknown): unknown {
  return serializer.load("json", new TextEncoder().encode(JSON.stringify(value)));
}

export function thrownBy(fn: () => unknown): unknown {
  try {
    fn();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** For arbitrary data: vitest's own toStrictEqual takes a `constructor` key for the class. */
export function same(actual: unknown, expected: unknown): void {
  deepStrictEqual(actual, expected);
}

export function nest(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = "core";
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
}
