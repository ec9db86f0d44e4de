import { createHmac, hash } from "node:crypto";

/** Hashes are SHA-256 (or HMAC-SHA-256) cut to this many bytes. */
export const HASH_BYTES = 20;

/** Where the parts of a digest are put together: one call for all of them costs less than one for each. */
const WORKBENCH = Buffer.allocUnsafeSlow(32 * 1024);

/** Digest of byte strings, each with its length in front so that no two lists of parts look alike. */
export function digest(parts: readonly (string | Uint8Array)[], key?: Uint8Array): Buffer {
  let bound = 0;
  for (const part of parts) bound += 4 + (typeof part === "string" ? part.length * 3 : part.byteLength);
  const bytes = bound <= WORKBENCH.byteLength ? WORKBENCH : Buffer.allocUnsafe(bound);
  let end = 0;
  for (const part of parts) {
    const start = end + 4;
    if (typeof part === "string") {
      end = start + bytes.write(part, start);
    } else {
      bytes.set(part, start);
      end = start + part.byteLength;
    }
    bytes.writeUInt32BE(end - start, start - 4);
  }
  const input = bytes.subarray(0, end);
  const whole =
    key === undefined ? hash("sha256", input, "buffer") : createHmac("sha256", key).update(input).digest();
  return whole.subarray(0, HASH_BYTES);
}

export function hashToString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/** The hashes that an index chunk lists, in order. */
export function listedHashes(data: Uint8Array): string[] {
  const hashes: string[] = [];
  for (let at = 0; at + HASH_BYTES <= data.byteLength; at += HASH_BYTES) {
    hashes.push(hashToString(data.subarray(at, at + HASH_BYTES)));
  }
  return hashes;
}
