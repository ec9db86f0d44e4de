import { types } from "node:util";

type BinaryCtor = new (buffer: ArrayBuffer) => unknown;

/** The closed list of what a stored `kind` may become. Float16Array exists from Node 24 on. */
const KINDS = new Map<string, { ctor: BinaryCtor; width: number }>();
for (const ctor of [
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
]) {
  KINDS.set(ctor.name, { ctor, width: ctor.BYTES_PER_ELEMENT });
}
const float16 = (globalThis as { Float16Array?: BinaryCtor }).Float16Array;
if (float16) KINDS.set("Float16Array", { ctor: float16, width: 2 });
KINDS.set("DataView", { ctor: DataView, width: 1 });

// The getter of the built-in prototype itself: a subclass may override what `value[Symbol.toStringTag]` says.
const typedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)!;

export interface Binary {
  kind: string;
  /** A view on the caller's memory: copy before returning to the caller. */
  bytes: Uint8Array;
}

/** `undefined` when the value is not binary. */
export function toBinary(value: object): Binary | undefined {
  if (types.isAnyArrayBuffer(value)) return { kind: "ArrayBuffer", bytes: new Uint8Array(value) };
  if (!ArrayBuffer.isView(value)) return undefined;
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (Buffer.isBuffer(value)) return { kind: "Buffer", bytes };
  if (types.isDataView(value)) return { kind: "DataView", bytes };
  return { kind: typedArrayTag.get!.call(value) as string, bytes };
}

/** Copies, so that the result is aligned and shares nothing with the stored bytes. */
export function fromBinary(kind: string, bytes: Uint8Array): unknown {
  const copy = new Uint8Array(bytes);
  if (kind === "Buffer") return Buffer.from(copy.buffer);
  if (kind === "ArrayBuffer") return copy.buffer;
  const known = KINDS.get(kind);
  if (!known) throw new Error("Malformed serialized value: a binary record of an unknown kind");
  if (copy.byteLength % known.width !== 0) {
    throw new Error(`Malformed serialized value: ${copy.byteLength} bytes do not make a ${kind}`);
  }
  return new known.ctor(copy.buffer);
}
