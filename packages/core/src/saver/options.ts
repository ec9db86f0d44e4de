import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";

import type { Compression } from "../codec/compression.js";
import { KeyRing, type EncryptionOptions } from "../codec/encryption.js";
import { Sealer } from "../codec/envelope.js";
import { InvalidInputError } from "../errors.js";
import type { OnStaleParent } from "./stale-parent.js";

/** Options that every saver of the pack takes. */
export interface SaverOptions {
  /** Turns values into bytes and back. Default: the pack's own `Serializer`. May be asynchronous. */
  serde?: SerializerProtocol;
  /** Default `"deflate"`. Kept for each piece only where it makes it smaller. */
  compression?: Compression;
  /** Encrypts values, metadata and writes. Ids, parents, steps and run ids stay readable for the store. */
  encryption?: EncryptionOptions;
  /** Bytes of memory for what was read or written lately. Default 32 MB; 0 turns the cache off. */
  cacheBytes?: number;
  /**
   * What to do with a put whose parent is no longer the newest of its namespace. Default `"fork"`: it starts a branch, as
   * time travel does. `"reject"`: it is refused with `STALE_PARENT`, so that of two runs on one thread only one
   * goes on; costs four more round trips a put.
   */
  onStaleParent?: OnStaleParent;
}

const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024;

export function makeSealer(options: SaverOptions): Sealer {
  const { compression = "deflate", encryption } = options;
  if (!["deflate", "auto", "none"].includes(compression)) {
    throw new InvalidInputError(
      "INVALID_OPTION",
      'Invalid option: `compression` must be "deflate", "auto" or "none".',
    );
  }
  return new Sealer({ compression, keys: encryption === undefined ? undefined : new KeyRing(encryption) });
}

export function onStaleParent({ onStaleParent: choice = "fork" }: SaverOptions): OnStaleParent {
  if (choice === "fork" || choice === "reject") return choice;
  throw new InvalidInputError(
    "INVALID_OPTION",
    'Invalid option: `onStaleParent` must be "fork" or "reject".',
  );
}

export function cacheBytes(options: SaverOptions): number {
  const { cacheBytes: bytes = DEFAULT_CACHE_BYTES } = options;
  if (typeof bytes === "number" && bytes >= 0) return bytes;
  throw new InvalidInputError(
    "INVALID_OPTION",
    "Invalid option: `cacheBytes` must be a number of bytes, 0 or more.",
  );
}
