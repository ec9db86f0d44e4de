import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { dumpValue } from "./dump.js";
import { loadWithLangChain } from "./foreign.js";
import { decodeText, encodeText, pack, unpack } from "./format.js";
import { isStackOverflow } from "./limits.js";
import { NEEDS_LANGCHAIN, Reviver } from "./load.js";

/**
 * The default serializer. It reads what LangGraph's own JsonPlusSerializer wrote, and keeps what that one loses: dates,
 * bigints, the numbers JSON lacks, binary data, errors. What it cannot keep it refuses with an UnserializableError.
 */
export class Serializer implements SerializerProtocol {
  /** Synchronous, so that the caller may go on changing the value as soon as this returns. */
  dump(value: unknown): [type: string, data: Uint8Array] {
    if (isPlainBytes(value)) return ["bytes", value.slice()];
    if (isLongText(value)) return ["text", encodeText(value)];
    const { text, segments } = dumpValue(value);
    const json = encodeText(text);
    return segments.length === 0 ? ["json", json] : ["json+bytes", pack(json, segments)];
  }

  /** A promise only where LangChain's own `load` has to build an object; a stored value is never a promise itself. */
  load(type: string, data: Uint8Array): unknown {
    switch (type) {
      case "bytes":
        // A plain copy: drivers hand over Buffers, and the caller may change what it gets.
        return new Uint8Array(data);
      case "text":
        return decodeText(data);
      case "json":
        return loadText(decodeText(data), undefined);
      case "json+bytes": {
        const { json, segments } = unpack(data);
        return loadText(decodeText(json), segments);
      }
      default:
        throw new Error(`Unknown serialization type: ${type}`);
    }
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the signature of SerializerProtocol
  async dumpsTyped(value: any): Promise<[string, Uint8Array]> {
    return this.dump(value);
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the signature of SerializerProtocol
  async loadsTyped(type: string, data: Uint8Array | string): Promise<any> {
    if (typeof data !== "string") return this.load(type, data);
    if (type === "json+bytes") throw new Error('A "json+bytes" value is binary; it was read as a string');
    return type === "json" ? loadText(data, undefined) : this.load(type, encodeText(data));
  }
}

/** A string that is worth storing as it is: JSON looks at every character, which takes many times what copying them does. */
function isLongText(value: unknown): value is string {
  return typeof value === "string" && value.length >= 512 && value.isWellFormed();
}

function isPlainBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && Object.getPrototypeOf(value) === Uint8Array.prototype;
}

function loadText(text: string, segments: readonly Uint8Array[] | undefined): unknown {
  try {
    return new Reviver(segments).revive(JSON.parse(text));
  } catch (error) {
    if (isStackOverflow(error)) {
      throw new Error("A serialized value is nested too deeply for the call stack left", { cause: error });
    }
    if (error !== NEEDS_LANGCHAIN) throw error;
    // The first walk has changed its tree, so this one starts from a fresh one.
    return loadWithLangChain(JSON.parse(text), segments);
  }
}
