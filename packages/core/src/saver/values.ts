import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";

import { Serializer, UnserializableError } from "../codec/serializer/index.js";
import { describePlace, isSaverError, ValueError, type ErrorPlace } from "../errors.js";

/** A value's bytes, and the name of their encoding. */
export type Dumped = [type: string, bytes: Uint8Array];

export interface NamedValue {
  place: ErrorPlace;
  /** What the value is, for messages: `channel "messages"`. */
  label: string;
  value: unknown;
}

/** Values to bytes and back by the user's `serde`, with errors that name the place. */
export class Values {
  readonly #serde: SerializerProtocol;

  constructor(serde: SerializerProtocol) {
    this.#serde = serde;
  }

  /**
   * Dumps all of them. Every dump is at least started when this returns, since callers go on changing the values;
   * the pack's own serializer is synchronous and has finished.
   */
  dumpAll(values: readonly NamedValue[]): Dumped[] | Promise<Dumped[]> {
    const serde = this.#serde;
    if (serde instanceof Serializer) {
      return values.map(({ value, label, place }) => {
        try {
          const [type, bytes] = serde.dump(value);
          return [type, bytes === value ? new Uint8Array(bytes) : bytes];
        } catch (cause) {
          throw notStorable(label, place, cause);
        }
      });
    }
    return Promise.all(
      values.map(async ({ value, label, place }): Promise<Dumped> => {
        try {
          const [type, bytes] = await serde.dumpsTyped(value);
          return [type, typeof bytes === "string" ? Buffer.from(bytes) : bytes];
        } catch (cause) {
          throw notStorable(label, place, cause);
        }
      }),
    );
  }

  async load(type: string, bytes: Uint8Array, label: string, place: ErrorPlace): Promise<unknown> {
    try {
      return await this.#serde.loadsTyped(type, bytes);
    } catch (cause) {
      if (isSaverError(cause)) throw cause;
      throw new ValueError(
        "VALUE_NOT_READABLE",
        `The stored ${label} is intact, but the serializer cannot read it (${describePlace(place)}). ` +
          "Use the `serde` that it was written with.",
        { ...place, cause },
      );
    }
  }
}

function notStorable(label: string, place: ErrorPlace, cause: unknown): ValueError {
  const detail = cause instanceof UnserializableError ? `: ${cause.path} ${cause.reason}` : "";
  return new ValueError(
    "VALUE_NOT_SERIALIZABLE",
    `The ${label} cannot be stored${detail} (${describePlace(place)}). Nothing was stored. ` +
      "Keep only data in the state, or pass a `serde` that handles it.",
    { ...place, cause },
  );
}
