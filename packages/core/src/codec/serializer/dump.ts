import type { BaseMessage } from "@langchain/core/messages";
import { UnserializableError, formatPath, type PathStep } from "./errors.js";
import { MAX_DEPTH, isStackOverflow } from "./limits.js";
import { messageClassOf, type MessageClass } from "./messages.js";
import { encodeNative, encodeNumber, isJsonNumber } from "./natives.js";
import {
  KWARGS,
  PLAIN,
  PRE_ESCAPED,
  LC_ESCAPED,
  isEscapedByLangChain,
  isUndefinedRecord,
  type Context,
} from "./records.js";

type Fields = Record<string, unknown>;
type WithToJson = { toJSON(key: string): unknown };

/**
 * One walk that hands back the very same subtree when nothing in it needs a record, so that ordinary state costs a
 * look at each value and the rest is left to the native JSON.stringify.
 */
export function dumpValue(value: unknown): { text: string; segments: Uint8Array[] } {
  const dumper = new Dumper();
  try {
    return { text: JSON.stringify(dumper.walk(value, 0, PLAIN)), segments: dumper.segments };
  } catch (error) {
    if (isStackOverflow(error)) {
      throw new UnserializableError("$", "it is nested too deeply for the call stack left", { cause: error });
    }
    throw error;
  }
}

/** Depth is counted in containers of the stored JSON: `depth` of them surround the value at hand. */
export class Dumper {
  readonly segments: Uint8Array[] = [];
  /** `#steps[i]` leads from the i-th container of the current path into the next; `#owners[i]` is what it stands for. */
  readonly #steps: PathStep[] = [];
  readonly #owners: (object | null)[] = [];

  walk(value: unknown, depth: number, context: Context): unknown {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        if (isJsonNumber(value)) return value;
        this.enter(depth, null, null);
        return encodeNumber(value);
      case "undefined":
        // In the fields of a message `toJSON()` leaves it to JSON.stringify: no key in objects, null in arrays.
        if (context !== PLAIN) return value;
        this.enter(depth, null, null);
        return { lc: 2, type: "undefined" };
      case "bigint":
        this.enter(depth, null, null);
        return { lc: 2, type: "bigint", value: value.toString() };
      case "object":
        return value === null ? null : this.#walkObject(value, depth, context);
      default:
        return this.refuse(depth, `a ${typeof value} cannot be stored`);
    }
  }

  /** Opens the container at `depth`, with the step from it to what is walked next. */
  enter(depth: number, step: PathStep, owner: object | null): void {
    if (depth >= MAX_DEPTH) this.#refuseDepth(depth);
    this.#steps[depth] = step;
    this.#owners[depth] = owner;
  }

  refuse(depth: number, reason: string, options?: ErrorOptions): never {
    throw new UnserializableError(formatPath(this.#steps.slice(0, depth)), reason, options);
  }

  /** The fields of a plain object, an instance or the like, whatever they are called. */
  walkFields(object: Fields, depth: number, context: Context): Fields {
    if (depth >= MAX_DEPTH) this.#refuseDepth(depth);
    this.#owners[depth] = object;
    let copy: Fields | undefined;
    const keys = Object.keys(object);
    // Not for…of: its frame is far larger, see #walkObject.
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      const value = object[key];
      if (isLeaf(value)) continue;
      this.#steps[depth] = key;
      const walked =
        typeof value === "object"
          ? this.#walkObject(value!, depth + 1, context)
          : this.walk(value, depth + 1, context);
      if (walked === value) continue;
      // Spreading defines `__proto__` as an own property, and assigning to an own property never reaches a setter.
      copy ??= { ...object };
      copy[key] = walked;
    }
    return copy ?? object;
  }

  // Recursion stays within walkFields, #walkArray and this one: few and small frames per level, or 2000 levels
  // overflow the stack before the code is optimized.
  #walkObject(value: object, depth: number, context: Context): unknown {
    if (depth >= MAX_DEPTH) this.#refuseDepth(depth);
    // Looked for only now and then: a cycle comes by again. Five in a row, as one value takes up to five levels.
    if (depth >= 32 && (depth & 31) < 5) this.#refuseCycle(value, depth);
    const special = this.#walkSpecial(value, depth);
    if (special !== undefined) return special;
    if (typeof (value as Partial<WithToJson>).toJSON === "function") {
      return this.#walkToJson(value as WithToJson, depth, context);
    }
    if (Array.isArray(value)) return this.#walkArray(value, depth, context);
    return (
      this.#escapeIfNeeded(value as Fields, depth, context) ??
      this.walkFields(value as Fields, depth, context)
    );
  }

  #walkSpecial(value: object, depth: number): unknown {
    const proto = Object.getPrototypeOf(value) as object | null;
    if (proto !== Object.prototype && proto !== null && !Array.isArray(value)) {
      const cls = messageClassOf(proto);
      const special = cls
        ? this.#walkMessage(value as BaseMessage, cls, depth)
        : encodeNative(value, depth, this);
      if (special !== undefined) return special;
    }
    return (value as { lg_name?: unknown }).lg_name === "Send"
      ? this.#walkSend(value as Fields, depth)
      : undefined;
  }

  #walkArray(array: readonly unknown[], depth: number, context: Context): readonly unknown[] {
    this.#owners[depth] = array;
    let copy: unknown[] | undefined;
    for (let i = 0; i < array.length; i++) {
      const item = array[i];
      let walked = item;
      if (!isLeaf(item)) {
        this.#steps[depth] = i;
        walked =
          typeof item === "object"
            ? this.#walkObject(item!, depth + 1, context)
            : this.walk(item, depth + 1, context);
        if (walked !== item && !copy) {
          copy = [];
          for (let j = 0; j < i; j++) copy.push(array[j]);
        }
      }
      copy?.push(walked);
    }
    return copy ?? array;
  }

  #escapeIfNeeded(object: Fields, depth: number, context: Context): Fields | undefined {
    if (context === PLAIN) {
      return "lc" in object && Object.hasOwn(object, "lc") ? this.#escape(object, depth) : undefined;
    }
    if (context === KWARGS) {
      return "lc" in object || isEscapedByLangChain(object) ? this.#escapeInKwargs(object, depth) : undefined;
    }
    const content = isEscapedByLangChain(object) ? object[LC_ESCAPED] : undefined;
    if (typeof content === "object" && content !== null)
      return this.#escapeInKwargs(content as Fields, depth);
    if (object["lc"] === 1 && object["type"] === "not_implemented") this.#refuseNotImplemented(depth);
    return undefined;
  }

  #escape(object: Fields, depth: number): Fields {
    this.enter(depth, null, null);
    return { lc: 2, type: "escaped", value: this.walkFields(object, depth + 1, PLAIN) };
  }

  /** As `toJSON()` escapes, unless something in it is more than JSON: LangChain does not look inside its escapes. */
  #escapeInKwargs(object: Fields, depth: number): Fields {
    return isVerbatim(object, depth + 1, true) ? { [LC_ESCAPED]: object } : this.#escape(object, depth);
  }

  #walkSend(send: Fields, depth: number): Fields {
    const { node, args, timeout } = send;
    return this.walkFields(timeout === undefined ? { node, args } : { node, args, timeout }, depth, PLAIN);
  }

  #walkMessage(message: BaseMessage, cls: MessageClass, depth: number): Fields | undefined {
    if (!cls.isRegular(message)) return undefined;
    this.enter(depth, null, message);
    this.enter(depth + 1, null, null);
    const source = message.lc_kwargs;
    const kwargs: Fields = {};
    for (const key of Object.keys(source)) {
      const name = cls.toJson(key);
      if (name === null) return undefined;
      let value = key in message ? (message as unknown as Fields)[key] : source[key];
      if (!isLeaf(value)) {
        // A field that is called like a method of the class, say `concat`: what was passed in is meant.
        if (typeof value === "function" && !Object.hasOwn(message, key)) value = source[key];
        this.#steps[depth + 1] = key;
        value = this.walk(value, depth + 2, KWARGS);
      }
      kwargs[name] = value;
    }
    return { lc: 1, type: "constructor", id: cls.id, kwargs };
  }

  #walkToJson(value: WithToJson, depth: number, context: Context): unknown {
    const out = this.#callToJson(value, depth);
    if ("lc_serializable" in value && isSerialized(out)) return this.#walkSerialized(value, out, depth);
    if (typeof out !== "object" || out === null) return this.walk(out, depth, context);
    const special = this.#walkSpecial(out, depth);
    if (special !== undefined) return special;
    const own = withoutToJson(out);
    if (Array.isArray(own)) return this.#walkArray(own, depth, context);
    return (
      this.#escapeIfNeeded(own as Fields, depth, context) ?? this.walkFields(own as Fields, depth, context)
    );
  }

  #callToJson(value: WithToJson, depth: number): unknown {
    try {
      return value.toJSON(String((depth > 0 ? this.#steps[depth - 1] : null) ?? ""));
    } catch (error) {
      if (isStackOverflow(error)) throw error;
      return this.refuse(depth, "its toJSON() threw", { cause: error });
    }
  }

  #walkSerialized(value: object, { type, id, kwargs }: Fields, depth: number): Fields {
    if (type === "not_implemented") this.#refuseNotImplemented(depth);
    this.enter(depth, null, value);
    return { lc: 1, type, id, kwargs: this.walk(kwargs, depth + 1, PRE_ESCAPED) };
  }

  #refuseNotImplemented(depth: number): never {
    this.refuse(depth, "this LangChain object is not serializable");
  }

  #refuseDepth(depth: number): never {
    for (let i = 1; i < depth; i++) {
      const owner = this.#owners[i];
      if (owner) this.#refuseCycle(owner, i);
    }
    this.refuse(depth, `it is nested deeper than ${MAX_DEPTH} levels`);
  }

  #refuseCycle(value: object, depth: number): void {
    if (this.#owners.lastIndexOf(value, depth - 1) === -1) return;
    // The place where the cycle closes for the first time is the one to tell.
    for (let i = 1; i <= depth; i++) {
      const owner = i === depth ? value : this.#owners[i]!;
      if (owner && this.#owners.lastIndexOf(owner, i - 1) !== -1) this.refuse(i, "it is part of a cycle");
    }
  }
}

function isLeaf(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return isJsonNumber(value);
    default:
      return value === null;
  }
}

function isSerialized(out: unknown): out is Fields {
  if (typeof out !== "object" || out === null) return false;
  const { lc, type } = out as Fields;
  return lc === 1 && (type === "constructor" || type === "not_implemented");
}

/** JSON.stringify calls toJSON() once per value, then takes what came back as it is, even if that has one too. */
function withoutToJson(value: object): object {
  if (typeof (value as Partial<WithToJson>).toJSON !== "function") return value;
  if (Array.isArray(value)) return Array.from(value as unknown[]);
  const copy: Fields = { ...value };
  if (typeof copy["toJSON"] === "function") delete copy["toJSON"];
  return copy;
}

/** Whether JSON.stringify and a load that looks at nothing but undefined records give this back as it is. */
function isVerbatim(value: unknown, depth: number, top: boolean): boolean {
  if (isLeaf(value) || value === undefined) return true;
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return false;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return false;
  if (Array.isArray(value)) return value.every((item) => isVerbatim(item, depth + 1, false));
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) return false;
  if (!top && isUndefinedRecord(value as Fields)) return false;
  return Object.values(value).every((item) => isVerbatim(item, depth + 1, false));
}
