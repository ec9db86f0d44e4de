import { crc32 } from "node:zlib";

import { isSaverError, StoredDataError } from "../errors.js";
import type { Chunk } from "../store/port.js";
import { compress, decompress, pays, type Compression } from "./compression.js";
import { missingKey, type KeyRing } from "./encryption.js";
import { digest, HASH_BYTES, hashToString } from "./hash.js";

/**
 * The envelope of all stored bytes:
 *
 *     format (1) · flags (1) · [key id length (1) · key id] · [plain length (4), if compressed] · payload
 *
 * A body's payload starts with a digest of its place, the header and the content; an encrypted one is authenticated
 * together with them instead. A chunk must hash to the address under which it is stored; if it is compressed, a checksum in
 * front adds that bits which mean nothing (deflate's padding) do not change unnoticed. So bytes that were altered, cut, or
 * moved to another place never open.
 */
const FORMAT = 1;
const COMPRESSED = 1;
const ENCRYPTED = 2;
/** Format and flags. */
const PREFIX_BYTES = 2;

export interface SealerOptions {
  compression: Compression;
  keys: KeyRing | undefined;
}

interface Header {
  sealed: Buffer;
  /** The header itself. */
  bytes: Uint8Array;
  flags: number;
  keyId: string | undefined;
  plainLength: number | undefined;
  payload: Uint8Array;
}

/** Seals and opens bodies and chunks: compression, then encryption or a digest. */
export class Sealer {
  readonly #compression: Compression;
  readonly #keys: KeyRing | undefined;

  constructor(options: SealerOptions) {
    this.#compression = options.compression;
    this.#keys = options.keys;
  }

  /** The address of a chunk's plain bytes; keyed when encryption is on, so that it says nothing about them. */
  address(threadId: string, plain: Uint8Array, index: boolean): Buffer {
    const keys = this.#keys;
    return chunkHash(plain, index, keys?.hashKey(keys.current, threadId));
  }

  /** Whether to compress, in a call that stores `fresh` of the `all` bytes that it had to look at. */
  isDense(fresh: number, all: number): boolean {
    return pays(this.#compression, fresh, all);
  }

  sealChunk(threadId: string, plain: Uint8Array, hash: Buffer, index: boolean, dense = true): Chunk {
    const name = hashToString(hash);
    // An index chunk lists hashes, which are in clear anyway as addresses: stores may follow them.
    if (index) return { hash: name, index, data: plain };
    const keys = this.#keys;
    const packed = this.#compressed(plain, dense);
    const content = packed ?? plain;
    if (keys !== undefined) {
      const header = this.#header(plain, packed, 0);
      const boundTo = Buffer.concat([header, hash]);
      const data = Buffer.concat([header, keys.encrypt(keys.current, threadId, content, boundTo)]);
      return { hash: name, index, data };
    }
    const checksumBytes = packed === undefined ? 0 : CHECKSUM_BYTES;
    const data = this.#header(plain, packed, checksumBytes + content.byteLength);
    const start = data.byteLength - content.byteLength;
    data.set(content, start);
    const headerEnd = start - checksumBytes;
    if (packed !== undefined) data.writeUInt32BE(checksum(data, headerEnd), headerEnd);
    return { hash: name, index, data };
  }

  /** The plain bytes inside of a chunk that was just sealed, in memory of their own; undefined if they are not in there. */
  plainIn({ index, data }: Chunk): Uint8Array | undefined {
    if (index) return data;
    return data[1] === 0 ? data.subarray(PREFIX_BYTES) : undefined;
  }

  /** The plain bytes of a chunk, which must be those that `hash` names. */
  openChunk(threadId: string, chunk: Chunk, hash: string): Uint8Array {
    const keys = this.#keys;
    if (chunk.index) {
      for (const keyId of keys?.ids ?? []) {
        if (hashToString(chunkHash(chunk.data, true, keys!.hashKey(keyId, threadId))) === hash)
          return chunk.data;
      }
      if (this.#plaintextAllowed() && hashToString(chunkHash(chunk.data, true)) === hash) return chunk.data;
      throw new Error("an index chunk does not have the content it is named after");
    }
    const header = this.#readHeader(chunk.data);
    const content =
      header.keyId === undefined
        ? checked(header)
        : this.#decrypt(header, threadId, Buffer.concat([header.bytes, Buffer.from(hash, "base64url")]));
    const plain = unpack(header, content);
    // Sealed again after a rotation, a chunk keeps the address that an older key gave it.
    const hashKeys =
      header.keyId === undefined ? [undefined] : keys!.ids.map((id) => keys!.hashKey(id, threadId));
    if (!hashKeys.some((key) => hashToString(chunkHash(plain, false, key)) === hash)) {
      throw new Error("a chunk does not have the content it is named after");
    }
    return plain;
  }

  /** `place` is everything that the bytes belong to: ids, and the fields kept beside them in clear. */
  sealBody(threadId: string, place: readonly string[], plain: Uint8Array, dense = true): Uint8Array {
    const keys = this.#keys;
    const packed = this.#compressed(plain, dense);
    const content = packed ?? plain;
    if (keys !== undefined) {
      const header = this.#header(plain, packed, 0);
      const boundTo = digest([header, ...place]);
      return Buffer.concat([header, keys.encrypt(keys.current, threadId, content, boundTo)]);
    }
    const body = this.#header(plain, packed, HASH_BYTES + content.byteLength);
    const start = body.byteLength - content.byteLength;
    body.set(content, start);
    body.set(digest([body.subarray(0, start - HASH_BYTES), ...place, content]), start - HASH_BYTES);
    return body;
  }

  openBody(threadId: string, place: readonly string[], body: Uint8Array): Uint8Array {
    const header = this.#readHeader(body);
    if (header.keyId !== undefined) {
      const boundTo = digest([header.bytes, ...place]);
      return unpack(header, this.#decrypt(header, threadId, boundTo));
    }
    const content = header.payload.subarray(HASH_BYTES);
    if (!digest([header.bytes, ...place, content]).equals(header.payload.subarray(0, HASH_BYTES))) {
      throw new Error("its digest does not match");
    }
    return unpack(header, content);
  }

  #compressed(plain: Uint8Array, dense: boolean): Uint8Array | undefined {
    return dense && this.#compression !== "none" ? compress(plain) : undefined;
  }

  /** The header, with room for so many bytes behind it. */
  #header(plain: Uint8Array, packed: Uint8Array | undefined, room: number): Buffer {
    const keyId = this.#keys === undefined ? undefined : Buffer.from(this.#keys.current);
    const size = PREFIX_BYTES + (keyId ? 1 + keyId.byteLength : 0) + (packed ? 4 : 0);
    const bytes = Buffer.allocUnsafeSlow(size + room);
    bytes[0] = FORMAT;
    bytes[1] = (packed ? COMPRESSED : 0) | (keyId ? ENCRYPTED : 0);
    if (keyId) {
      bytes[2] = keyId.byteLength;
      bytes.set(keyId, 3);
    }
    if (packed) bytes.writeUInt32BE(plain.byteLength, size - 4);
    return bytes;
  }

  #readHeader(sealed: Uint8Array): Header {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.byteLength < PREFIX_BYTES) throw new Error("it is cut short");
    if (bytes[0]! > FORMAT) {
      throw new StoredDataError(
        "FORMAT_TOO_NEW",
        `Stored data has format ${bytes[0]}, and this release reads up to ${FORMAT}. Update @langgraph-savers to read it.`,
      );
    }
    const flags = bytes[1]!;
    if (bytes[0] !== FORMAT || (flags & ~(COMPRESSED | ENCRYPTED)) !== 0)
      throw new Error("its header is not valid");
    let at = PREFIX_BYTES;
    let keyId: string | undefined;
    if (flags & ENCRYPTED) {
      const end = 3 + (bytes[2] ?? 0);
      keyId = bytes.toString("utf8", 3, end);
      at = end;
    } else if (!this.#plaintextAllowed()) {
      throw new StoredDataError(
        "ENCRYPTION_REQUIRED",
        "Stored data is not encrypted although `encryption` is on. Set `encryption.allowPlaintext` to read data from before.",
      );
    }
    let plainLength: number | undefined;
    if (flags & COMPRESSED) {
      if (bytes.byteLength < at + 4) throw new Error("it is cut short");
      plainLength = bytes.readUInt32BE(at);
      at += 4;
    }
    if (at > bytes.byteLength) throw new Error("it is cut short");
    return {
      sealed: bytes,
      bytes: bytes.subarray(0, at),
      flags,
      keyId,
      plainLength,
      payload: bytes.subarray(at),
    };
  }

  #decrypt(header: Header, threadId: string, boundTo: Uint8Array): Uint8Array {
    if (this.#keys === undefined) throw missingKey(header.keyId!);
    return this.#keys.decrypt(header.keyId!, threadId, header.payload, boundTo);
  }

  #plaintextAllowed(): boolean {
    return this.#keys === undefined || this.#keys.allowPlaintext;
  }
}

function unpack(header: Header, content: Uint8Array): Uint8Array {
  return header.plainLength === undefined ? content : decompress(content, header.plainLength);
}

const CHECKSUM_BYTES = 4;

/** Of all but itself; it stands behind the header. */
function checksum(sealed: Buffer, headerEnd: number): number {
  return crc32(sealed.subarray(headerEnd + CHECKSUM_BYTES), crc32(sealed.subarray(0, headerEnd)));
}

function checked({ sealed, bytes, plainLength, payload }: Header): Uint8Array {
  if (plainLength === undefined) return payload;
  const headerEnd = bytes.byteLength;
  if (payload.byteLength < CHECKSUM_BYTES || checksum(sealed, headerEnd) !== sealed.readUInt32BE(headerEnd))
    throw new Error("a checksum does not match");
  return payload.subarray(CHECKSUM_BYTES);
}

function chunkHash(plain: Uint8Array, index: boolean, key?: Uint8Array): Buffer {
  return digest([index ? "index" : "leaf", plain], key);
}

/** Runs `open`, and turns what it throws into the error that `wrap` makes, unless it has a code of its own. */
export function opening<T>(open: () => T, wrap: (reason: string, cause: unknown) => Error): T {
  try {
    return open();
  } catch (cause) {
    if (isSaverError(cause)) throw cause;
    throw wrap(cause instanceof Error ? cause.message : String(cause), cause);
  }
}
