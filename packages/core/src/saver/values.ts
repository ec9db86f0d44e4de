import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";

import { Serializer, UnserializableError } from "../codec/serializer/index.js";
import { describePlace, isSaverError, ValueError, type ErrorPlace } from "../errors.js";

/** A value's bytes, and the name of their encoding. */
export type Dumped = [type: string, bytes: Uint8Array];

/** `place` and `label` are asked for only when something is wrong with the value. */
export interface NamedValue {
  readonly place: ErrorPlace;
  /** What the value is, for messages: `channel "messages"`. */
  readonly label: string;
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
      return values.map((named) => {
        try {
          const dumped = serde.dump(named.value);
          return dumped[1] === named.value ? [dumped[0], new Uint8Array(dumped[1])] : dumped;
        } catch (cause) {
          throw notStorable(named, cause);
        }
      });
    }
    return Promise.all(
      values.map(async (named): Promise<Dumped> => {
        try {
          const [type, bytes] = await serde.dumpsTyped(named.value);
          // A copy: whose memory a foreign serializer hands over, nobody knows.
          return [type, typeof bytes === "string" ? Buffer.from(bytes) : new Uint8Array(bytes)];
        } catch (cause) {
          throw notStorable(named, cause);
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

function notStorable({ label, place }: NamedValue, cause: unknown): ValueError {
  const detail = cause instanceof UnserializableError ? `: ${cause.path} ${cause.reason}` : "";
  return new ValueError(
    "VALUE_NOT_SERIALIZABLE",
    `The ${label} cannot be stored${detail} (${describePlace(place)}). Nothing was stored. ` +
      "Keep only data in the state, or pass a `serde` that handles it.",
    { ...place, cause },
  );
}
