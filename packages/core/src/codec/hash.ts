import { createHash, createHmac } from "node:crypto";

/** Hashes are SHA-256 (or HMAC-SHA-256) cut to this many bytes. */
export const HASH_BYTES = 20;

/** Digest of byte strings, each with its length in front so that no two lists of parts look alike. */
export function digest(parts: readonly (string | Uint8Array)[], key?: Uint8Array): Buffer {
  const hash = key === undefined ? createHash("sha256") : createHmac("sha256", key);
  const length = Buffer.allocUnsafe(4);
  for (const part of parts) {
    const size = typeof part === "string" ? Buffer.byteLength(part) : part.byteLength;
    length.writeUInt32BE(size);
    hash.update(length).update(part);
  }
  return hash.digest().subarray(0, HASH_BYTES);
}

export function hashToString(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("base64url");
}

/** The hashes that an index chunk lists, in order. */
export function listedHashes(data: Uint8Array): string[] {
  const hashes: string[] = [];
  for (let at = 0; at + HASH_BYTES <= data.byteLength; at += HASH_BYTES) {
    hashes.push(hashToString(data.subarray(at, at + HASH_BYTES)));
  }
  return hashes;
}
