import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

import { InvalidInputError, StoredDataError, quoteId } from "../errors.js";
import { digest } from "./hash.js";

/** Encryption at rest (AES-256-GCM). */
export interface EncryptionOptions {
  /**
   * The keys, by id. The first one encrypts; all of them decrypt. To rotate, put a new key in front and keep the old
   * ones for as long as anything written under them is kept. An id is stored in clear beside what it encrypted.
   */
  keys: EncryptionKey[];
  /** Also read what was stored before encryption was turned on. Off by default: it lets unauthenticated data in. */
  allowPlaintext?: boolean;
}

/** A key for encryption, under the id by which stored data names it. */
export interface EncryptionKey {
  /** 1 to 64 characters. */
  id: string;
  /** 32 bytes, as bytes or as hex or base64 text. */
  key: Uint8Array | string;
}

/** The keys of one thread under one key id. */
interface ThreadKeys {
  seal: Buffer;
  hash: Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bounds the memory for derived keys; deriving one again takes some microseconds. */
const MAX_DERIVED = 10_000;

/** Holds the master keys and derives a pair per thread, so that no ciphertext or hash means anything in another thread. */
export class KeyRing {
  readonly current: string;
  readonly ids: string[];
  readonly allowPlaintext: boolean;
  readonly #masters = new Map<string, Buffer>();
  readonly #derived = new Map<string, ThreadKeys>();

  constructor(options: EncryptionOptions) {
    if (!Array.isArray(options?.keys) || options.keys.length === 0) {
      throw invalid("`encryption.keys` must be a non-empty list of { id, key }");
    }
    for (const { id, key } of options.keys) {
      if (typeof id !== "string" || id.length === 0 || id.length > 64) {
        throw invalid("an encryption key's `id` must be a string of 1 to 64 characters");
      }
      if (this.#masters.has(id)) throw invalid(`the encryption key id ${quoteId(id)} is given twice`);
      this.#masters.set(id, masterKey(id, key));
    }
    this.ids = [...this.#masters.keys()];
    this.current = this.ids[0]!;
    this.allowPlaintext = options.allowPlaintext ?? false;
  }

  hashKey(keyId: string, threadId: string): Buffer {
    return this.#keys(keyId, threadId).hash;
  }

  /** nonce, tag and ciphertext in one buffer. */
  encrypt(keyId: string, threadId: string, plain: Uint8Array, boundTo: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#keys(keyId, threadId).seal, nonce);
    cipher.setAAD(boundTo);
    const text = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]);
  }

  decrypt(keyId: string, threadId: string, sealed: Uint8Array, boundTo: Uint8Array): Buffer {
    if (sealed.byteLength < NONCE_BYTES + TAG_BYTES) throw new Error("the ciphertext is cut short");
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", this.#keys(keyId, threadId).seal, nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundTo);
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  }

  #keys(keyId: string, threadId: string): ThreadKeys {
    const name = `${keyId.length}:${keyId}${threadId}`;
    const known = this.#derived.get(name);
    if (known !== undefined) return known;
    const master = this.#masters.get(keyId);
    if (master === undefined) throw missingKey(keyId);
    const thread = digest(["langgraph-savers/thread-keys/1", threadId]);
    const bytes = Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), thread, 64));
    const keys = { seal: bytes.subarray(0, 32), hash: bytes.subarray(32) };
    if (this.#derived.size >= MAX_DERIVED) this.#derived.clear();
    this.#derived.set(name, keys);
    return keys;
  }
}

export function missingKey(keyId: string): StoredDataError {
  return new StoredDataError(
    "ENCRYPTION_KEY_MISSING",
    `Stored data is encrypted with the key ${quoteId(keyId)}, which is not among \`encryption.keys\`. Add it to read this data.`,
  );
}

function masterKey(id: string, key: Uint8Array | string): Buffer {
  let bytes: Buffer | undefined;
  if (key instanceof Uint8Array) bytes = Buffer.from(key);
  else if (typeof key === "string") bytes = Buffer.from(key, /^[0-9a-f]{64}$/i.test(key) ? "hex" : "base64");
  if (bytes?.byteLength !== 32) {
    throw invalid(
      `the encryption key ${quoteId(id)} must be 32 bytes, as a Uint8Array or as hex or base64 text`,
    );
  }
  return bytes;
}

function invalid(what: string): InvalidInputError {
  return new InvalidInputError("INVALID_OPTION", `Invalid option: ${what}.`);
}
