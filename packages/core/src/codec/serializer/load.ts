import { MAX_DEPTH } from "./limits.js";
import { messageClassById, type MessageClass } from "./messages.js";
import { KWARGS, LC_ESCAPED, PLAIN, isEscapedByLangChain, isUndefinedRecord } from "./records.js";
import { INERT, reviveComposite, reviveScalar } from "./revive-natives.js";

type Fields = Record<string, unknown>;
type LoadContext = typeof PLAIN | typeof KWARGS;

/** Thrown by the synchronous walk at a class that only LangChain's asynchronous `load` may build; never seen outside. */
export const NEEDS_LANGCHAIN = new Error("needs LangChain's load");

/**
 * Revives a parsed JSON tree in place. It is ours alone and holds own properties only, so assigning to a key it has,
 * be it `__proto__`, never reaches a setter.
 */
export class Reviver {
  readonly #segments: readonly Uint8Array[] | undefined;
  readonly #built: ReadonlyMap<object, unknown> | undefined;

  constructor(segments?: readonly Uint8Array[], built?: ReadonlyMap<object, unknown>) {
    this.#segments = segments;
    this.#built = built;
  }

  revive(value: unknown, context: LoadContext = PLAIN): unknown {
    return isObject(value) ? this.#node(value, 0, context) : value;
  }

  #node(node: Fields, depth: number, context: LoadContext): unknown {
    assertDepth(depth);
    if (Array.isArray(node)) {
      this.#items(node, depth, context);
      return node;
    }
    const lc = node["lc"];
    if ((lc === 1 || lc === 2) && Object.hasOwn(node, "lc")) {
      return lc === 1 ? this.#langchain(node, depth, context) : this.#record(node, depth);
    }
    if (context === KWARGS && isEscapedByLangChain(node)) return verbatim(node[LC_ESCAPED], depth + 1);
    this.#fields(node, depth, context);
    return node;
  }

  #items(array: unknown[], depth: number, context: LoadContext): void {
    for (let i = 0; i < array.length; i++) {
      const item = array[i];
      if (!isObject(item)) continue;
      const revived = this.#node(item, depth + 1, context);
      if (revived === item) continue;
      array[i] = revived === undefined && context === KWARGS ? null : revived;
    }
  }

  #fields(object: Fields, depth: number, context: LoadContext): void {
    const keys = Object.keys(object);
    // Not for…of: its frame is far larger, and this is what recursion goes through.
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      const value = object[key];
      if (!isObject(value)) continue;
      const revived = this.#node(value, depth + 1, context);
      if (revived === value) continue;
      // JsonPlusSerializer writes `undefined` fields of a message and LangChain's load never sees them.
      if (revived === undefined && context === KWARGS) delete object[key];
      else object[key] = revived;
    }
  }

  #record(node: Fields, depth: number): unknown {
    if (isUndefinedRecord(node)) return undefined;
    const value = node["value"];
    if (node["type"] === "escaped" && isObject(value) && !Array.isArray(value)) {
      assertDepth(depth + 1);
      this.#fields(value, depth + 1, PLAIN);
      return value;
    }
    const scalar = reviveScalar(node, this.#segments);
    if (scalar !== INERT) return scalar;
    this.#fields(node, depth, PLAIN);
    const composite = reviveComposite(node);
    return composite === INERT ? node : composite;
  }

  #langchain(node: Fields, depth: number, context: LoadContext): unknown {
    if (isConstructor(node)) {
      const cls = messageClassById(node["id"]);
      const kwargs = node["kwargs"];
      if (cls && isFieldsOf(kwargs)) {
        const fields = this.#kwargs(kwargs, cls, depth + 1);
        if (fields) return cls.build(fields);
      }
      if (this.#built?.has(node)) return this.#built.get(node);
      throw NEEDS_LANGCHAIN;
    }
    if (context === KWARGS) refuseUnloadable(node);
    this.#fields(node, depth, context);
    return node;
  }

  /** The fields under the names the class knows them by; `undefined` when a name is not provably LangChain's choice. */
  #kwargs(kwargs: Fields, cls: MessageClass, depth: number): Fields | undefined {
    assertDepth(depth);
    const fields: Fields = {};
    for (const key of Object.keys(kwargs)) {
      const name = cls.fromJson(key);
      if (name === null) return undefined;
      let value = kwargs[key];
      if (isObject(value)) {
        value = this.#node(value, depth + 1, KWARGS);
        if (value === undefined) continue;
      }
      fields[name] = value;
    }
    return fields;
  }
}

/** The records that LangChain's `load` has to build, innermost first. */
export function findForeign(root: unknown): Fields[] {
  const found: Fields[] = [];
  const visit = (node: unknown, depth: number, context: LoadContext): void => {
    if (!isObject(node)) return;
    assertDepth(depth);
    let inside = context;
    let fields = node;
    if (!Array.isArray(node) && Object.hasOwn(node, "lc")) {
      if (node["lc"] === 2) inside = PLAIN;
      if (node["lc"] === 2 && node["type"] === "escaped" && isObject(node["value"])) fields = node["value"];
      if (node["lc"] === 1 && isConstructor(node)) {
        visit(node["kwargs"], depth + 1, KWARGS);
        if (!isBuiltHere(node)) found.push(node);
        return;
      }
    } else if (context === KWARGS && isEscapedByLangChain(node)) {
      return;
    }
    for (const value of Object.values(fields)) visit(value, depth + 1, inside);
  };
  visit(root, 0, PLAIN);
  return found;
}

function isBuiltHere(node: Fields): boolean {
  const cls = messageClassById(node["id"]);
  const kwargs = node["kwargs"];
  return (
    cls !== undefined && isFieldsOf(kwargs) && Object.keys(kwargs).every((key) => cls.fromJson(key) !== null)
  );
}

function isConstructor(node: Fields): boolean {
  return node["type"] === "constructor" && Array.isArray(node["id"]) && Object.hasOwn(node, "kwargs");
}

function isFieldsOf(kwargs: unknown): kwargs is Fields {
  return isObject(kwargs) && !Array.isArray(kwargs) && !("lc" in kwargs) && !isEscapedByLangChain(kwargs);
}

/** As LangChain's `load`: such a record would otherwise reach a constructor as if it were an argument. */
function refuseUnloadable(node: Fields): void {
  if (!Object.hasOwn(node, "id")) return;
  if (node["type"] === "secret") throw new Error("Cannot load a LangChain object that refers to a secret");
  if (node["type"] === "not_implemented")
    throw new Error("Cannot load a LangChain object that is not serializable");
}

/** What LangChain escaped is data, except that JsonPlusSerializer has left its undefined records in it. */
function verbatim(value: unknown, depth: number): unknown {
  if (!isObject(value)) return value;
  assertDepth(depth);
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (!isObject(child)) continue;
    if (!Array.isArray(child) && isUndefinedRecord(child)) {
      if (Array.isArray(value)) value[Number(key)] = null;
      else delete value[key];
    } else {
      verbatim(child, depth + 1);
    }
  }
  return value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function assertDepth(depth: number): void {
  if (depth >= MAX_DEPTH)
    throw new Error(`Malformed serialized value: it is nested deeper than ${MAX_DEPTH} levels`);
}
