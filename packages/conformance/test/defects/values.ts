import { BaseMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import type { SaverClass } from "../savers/target.js";
import type { Stored } from "../savers/storage.js";
import { toText } from "../savers/text-codec.js";
import { defect, type Defect } from "./defect.js";

/** What `losing` is told about everything that the serializer keeps. */
export const kept = Symbol("kept as it is");

/** A saver whose serializer loses something: what `lose` returns is stored in its place, at any depth. */
export function losing(lose: (value: unknown, depth: number) => unknown): SaverClass {
  const walk = (value: unknown, depth: number): unknown => {
    const lost = lose(value, depth);
    if (lost !== kept) return lost;
    if (Array.isArray(value)) return value.map((each) => walk(each, depth + 1));
    if (Object.getPrototypeOf(value ?? 1) !== Object.prototype) return value;
    const entries = Object.entries(value as object);
    return Object.fromEntries(entries.map(([key, each]) => [key, walk(each, depth + 1)]));
  };
  return class extends SnapshotSaver {
    protected override dump(value: unknown, name: string): Stored {
      return ["text", toText(walk(value, 0), name)];
    }
  };
}

const when =
  <T>(test: (value: unknown) => value is T, instead: (value: T, depth: number) => unknown) =>
  (value: unknown, depth: number): unknown =>
    test(value) ? instead(value, depth) : kept;

const isText = (value: unknown): value is string => typeof value === "string";
const isDate = (value: unknown): value is Date => value instanceof Date;
const isMessage = (value: unknown): value is BaseMessage => value instanceof BaseMessage;
const isPlain = (value: unknown): value is Record<string, unknown> =>
  Object.getPrototypeOf(value ?? 1) === Object.prototype;
const rekeyed = (value: Record<string, unknown>, key: (key: string) => string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [key(name), each]));

export const valueDefects: Defect[] = [
  defect(
    "values.json",
    "drops NUL from text",
    "jsonb of Postgres has no room for it.",
    losing(when(isText, (text) => text.replaceAll("\0", ""))),
  ),
  defect(
    "values.lone-surrogates",
    "stores text as UTF-8",
    "What is not well-formed becomes a replacement character.",
    losing(when(isText, (text) => Buffer.from(text, "utf8").toString("utf8"))),
  ),
  defect(
    "values.undefined",
    "turns undefined into null",
    "As JSON does in arrays.",
    losing((value) => (value === undefined ? null : kept)),
  ),
  defect(
    "values.bytes",
    "stores the buffer behind a view",
    "`Buffer.from(view.buffer)` takes in its neighbours.",
    losing(
      when(
        (value): value is Uint8Array => value instanceof Uint8Array,
        (view) => new Uint8Array(view.buffer.slice(0)),
      ),
    ),
  ),
  defect(
    "values.collections",
    "stores a Set as an array",
    "`[...set]`, and no way back.",
    losing(
      when(
        (value): value is Set<unknown> => value instanceof Set,
        (set) => [...set],
      ),
    ),
  ),
  defect(
    "values.order-is-kept",
    "sorts keys",
    "A canonical form, so that equal values have equal hashes.",
    losing((value, depth) => {
      if (!isPlain(value) || depth === 0) return isPlain(value) && "z" in value ? sorted(value) : kept;
      return "z" in value ? sorted(value) : kept;
    }),
  ),
  defect(
    "values.error",
    "stores an Error as an object",
    "JSON.stringify(error) is {}.",
    losing(
      when(
        (value): value is Error => value instanceof Error,
        () => ({}),
      ),
    ),
  ),
  defect(
    "values.send",
    "stores the node of a Send",
    "Its args were not thought of.",
    losing(
      when(
        (value): value is Send => value instanceof Send,
        (send) => new Send(send.node, undefined),
      ),
    ),
  ),
  defect(
    "parallel.sends-again",
    "stores a Send as an object",
    "JSON keeps its fields and loses its class.",
    losing(
      when(
        (value): value is Send => value instanceof Send,
        ({ node }) => ({ node }),
      ),
    ),
  ),
  defect(
    "values.delta-snapshot",
    "stores a DeltaSnapshot as its value",
    "A class that the serializer does not know is unwrapped.",
    losing(
      when(
        (value): value is DeltaSnapshot => value instanceof DeltaSnapshot,
        ({ value }) => value,
      ),
    ),
  ),
  defect(
    "values.odd-keys",
    "replaces dots and dollars in keys",
    "Old versions of MongoDB do not take them.",
    losing((value, depth) =>
      depth < 9 && isPlain(value) && ("a.b" in value || "$set" in value)
        ? rekeyed(value, (key) => key.replaceAll(/[.$]/g, "_"))
        : kept,
    ),
  ),
  defect(
    "richValues.date",
    "stores dates as text",
    "Date has a toJSON.",
    losing(when(isDate, (date) => String(date.getTime()))),
  ),
  defect(
    "richValues.nested",
    "knows dates at the top only",
    "The serializer looks at the value, not inside it.",
    losing(when(isDate, (date, depth) => (depth > 2 ? String(date.getTime()) : date))),
  ),
  defect(
    "richValues.bigint",
    "stores a bigint as a number",
    "JSON.stringify fails, and Number() seemed to do.",
    losing((value) => (typeof value === "bigint" ? Number(value) : kept)),
  ),
  defect(
    "richValues.special-numbers",
    "loses NaN and the infinities",
    "As JSON does.",
    losing((value) => (typeof value === "number" && !Number.isFinite(value) ? null : kept)),
  ),
  defect(
    "richValues.typed-arrays",
    "stores typed arrays as lists",
    "`[...array]`.",
    losing((value) =>
      ArrayBuffer.isView(value) && !(value instanceof Uint8Array)
        ? [...(value as unknown as number[])]
        : kept,
    ),
  ),
  defect(
    "richValues.buffer",
    "stores a Buffer as its JSON",
    "Buffer has a toJSON.",
    losing((value) => (Buffer.isBuffer(value) ? value.toJSON() : kept)),
  ),
  defect(
    "richValues.odd-map-keys",
    "stores a Map as an object",
    "Object.fromEntries, and every key becomes text.",
    losing(
      when(
        (value): value is Map<unknown, unknown> => value instanceof Map,
        (map) => new Map([...map].map(([key, each]) => [typeof key === "number" ? key : String(key), each])),
      ),
    ),
  ),
  defect(
    "richValues.keys-like-object-members",
    "builds objects key by key",
    "`object[key] = value`, which sets the prototype for one key.",
    losing((value) => {
      if (!isPlain(value) || !Object.hasOwn(value, "__proto__")) return kept;
      const { ["__proto__"]: _, ...rest } = value;
      return rest;
    }),
  ),
  defect(
    "messages.every-class",
    "stores content and role of a message",
    "As chat APIs know it: tool calls and metadata are gone.",
    losing(
      when(isMessage, (message) => new (message.constructor as MessageClass)({ content: message.content })),
    ),
  ),
  defect(
    "messages.still-works",
    "stores messages as plain objects",
    "toDict(), and no way back.",
    losing(when(isMessage, (message) => message.toDict())),
  ),
  defect(
    "chat.instances",
    "loses the artifact of a tool",
    "It is not part of what goes to the model.",
    losing(
      when(isMessage, (message) => {
        const { artifact: _, ...fields } = message.lc_kwargs as Record<string, unknown>;
        return new (message.constructor as MessageClass)(fields);
      }),
    ),
  ),
  defect(
    "chat.replace-by-id",
    "gives every message a new id",
    "Ids are the storage's to give.",
    losing(
      when(isMessage, (message) => {
        const fields = message.lc_kwargs as Record<string, unknown>;
        return new (message.constructor as MessageClass)({ ...fields, id: `new ${String(message.id)}` });
      }),
    ),
  ),
  defect(
    "richValues.through-a-graph",
    "loses the type of what an answer holds",
    "Resume values take another way through the serializer, which nobody tried with a Date.",
    losing((value, depth) => (depth > 0 && value instanceof Date ? value.toISOString() : kept)),
  ),
];

type MessageClass = new (fields: Record<string, unknown>) => BaseMessage;

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
