/**
 * The message classes that are written and built here rather than through LangChain's `toJSON()` and `load()`: state is
 * mostly messages, and those two copy every message several times. Anything about a message that is not known to give
 * the same result goes the long way.
 */
import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
  type BaseMessage,
} from "@langchain/core/messages";
import { Serializable } from "@langchain/core/load/serializable";

type MessageCtor = new (fields: never) => BaseMessage;
type Aliased = { lc_aliases?: Record<string, string> };

// Stored keys come from the data, so what they map to is remembered for a bounded number of them only.
const MAX_REMEMBERED_KEYS = 256;

/** How one class maps the names of its fields; `null`: not provably the same in every version of LangChain. */
export class MessageClass {
  readonly id: readonly string[];
  readonly #toJson = new Map<string, string | null>();
  readonly #fromJson = new Map<string, string | null>();
  readonly #aliases = new Map<string, string>();
  readonly #inverse = new Map<string, string>();

  constructor(
    readonly name: string,
    readonly ctor: MessageCtor,
  ) {
    this.id = ["langchain_core", "messages", name];
    const aliases: Record<string, string> = {};
    for (
      let proto: object | null = ctor.prototype as object;
      proto;
      proto = Object.getPrototypeOf(proto) as object | null
    ) {
      Object.assign(aliases, (proto as Aliased).lc_aliases);
    }
    // It has no alias for this field, so LangChain's own load renames it and then misses it.
    if (name === "ToolMessageChunk") aliases["tool_call_id"] ??= "tool_call_id";
    for (const [key, alias] of Object.entries(aliases)) {
      this.#aliases.set(key, alias);
      this.#inverse.set(alias, key);
    }
  }

  toJson(key: string): string | null {
    const known = this.#toJson.get(key);
    if (known !== undefined) return known;
    return remember(this.#toJson, key, this.#aliases.get(key) ?? snakeCase(key));
  }

  fromJson(key: string): string | null {
    const known = this.#fromJson.get(key);
    if (known !== undefined) return known;
    return remember(this.#fromJson, key, this.#inverse.get(key) ?? camelCase(key));
  }

  build(fields: Record<string, unknown>): BaseMessage {
    return new this.ctor(fields as never);
  }

  /** Whether `toJSON()` would do nothing but what {@link toJson} and the walk do. */
  isRegular(message: BaseMessage): boolean {
    const { lc_namespace: namespace, lc_kwargs: kwargs } = message;
    if (message.toJSON !== Serializable.prototype.toJSON || !message.lc_serializable) return false;
    if ((message.constructor as unknown) !== this.ctor || Object.hasOwn(message, "lc_id")) return false;
    if (!Array.isArray(namespace) || namespace.length !== 2) return false;
    if (namespace[0] !== "langchain_core" || namespace[1] !== "messages") return false;
    return isPlain(kwargs);
  }
}

function remember(map: Map<string, string | null>, key: string, mapped: string | null): string | null {
  if (map.size < MAX_REMEMBERED_KEYS) map.set(key, mapped);
  return mapped;
}

function snakeCase(key: string): string | null {
  if (/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(key)) return key;
  if (/^[a-z]+([A-Z][a-z]+)+$/.test(key)) return key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  return null;
}

function camelCase(key: string): string | null {
  if (/^[a-z][a-z0-9]*$/.test(key)) return key;
  if (/^[a-z]+(_[a-z]+)+$/.test(key)) return key.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());
  return null;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}

const CLASSES: readonly MessageClass[] = Object.entries({
  HumanMessage,
  HumanMessageChunk,
  AIMessage,
  AIMessageChunk,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  ChatMessage,
  ChatMessageChunk,
  RemoveMessage,
} as Record<string, unknown>).map(([name, ctor]) => new MessageClass(name, ctor as MessageCtor));

const byName = new Map(CLASSES.map((cls) => [cls.name, cls]));
const byPrototype = new Map<unknown, MessageClass>(CLASSES.map((cls) => [cls.ctor.prototype, cls]));

/** By exact prototype: a user's subclass may override anything. */
export function messageClassOf(prototype: object): MessageClass | undefined {
  return byPrototype.get(prototype);
}

export function messageClassById(id: unknown): MessageClass | undefined {
  if (!Array.isArray(id) || id.length !== 3 || id[0] !== "langchain_core" || id[1] !== "messages")
    return undefined;
  return byName.get(id[2] as string);
}
