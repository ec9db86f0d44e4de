import { crc32 } from "node:zlib";

/**
 * An entry of the journal: a frame, and the log it was appended to.
 *
 *     "LGJ1" · epoch (8) · length of the rest (4) · crc of epoch and rest (4) · rest
 */
export interface JournalEntry {
  threadId: string;
  /** The log's name by hash and number; see `LogName`. */
  hash: string;
  number: number;
  /** Of the thread: names of logs come back. */
  generation: string;
  at: number;
  frame: Buffer;
}

const MAGIC = 0x4c474a31;
const HEAD = 20;

/** Most entries are made here: memory that is in use already is much quicker to write to than new memory. */
const WORKBENCH = Buffer.allocUnsafeSlow(64 * 1024);

/** To be written before the next entry is encoded, which may take the same memory. */
export function encodeEntry(epoch: number, { frame, ...where }: JournalEntry): Buffer {
  const place = Buffer.from(JSON.stringify(where));
  const length = 4 + place.byteLength + frame.byteLength;
  const size = HEAD + length;
  const bytes = size <= WORKBENCH.byteLength ? WORKBENCH.subarray(0, size) : Buffer.allocUnsafeSlow(size);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeDoubleBE(epoch, 4);
  bytes.writeUInt32BE(length, 12);
  bytes.writeUInt32BE(place.byteLength, HEAD);
  place.copy(bytes, HEAD + 4);
  frame.copy(bytes, HEAD + 4 + place.byteLength);
  bytes.writeUInt32BE(checksum(bytes, length), 16);
  return bytes;
}

/** The entries of a journal's current epoch: from the start up to the first that is not whole or of an older epoch. */
export function* readEntries(journal: Buffer): Generator<JournalEntry> {
  let epoch: number | undefined;
  for (let at = 0; at + HEAD <= journal.byteLength;) {
    const head = journal.subarray(at);
    const length = head.readUInt32BE(12);
    if (head.readUInt32BE(0) !== MAGIC || length > head.byteLength - HEAD) return;
    epoch ??= head.readDoubleBE(4);
    if (head.readDoubleBE(4) !== epoch || head.readUInt32BE(16) !== checksum(head, length)) return;
    const placeEnd = HEAD + 4 + head.readUInt32BE(HEAD);
    const where = JSON.parse(head.toString("utf8", HEAD + 4, placeEnd)) as Omit<JournalEntry, "frame">;
    yield { ...where, frame: head.subarray(placeEnd, HEAD + length) };
    at += HEAD + length;
  }
}

function checksum(bytes: Buffer, length: number): number {
  return crc32(bytes.subarray(HEAD, HEAD + length), crc32(bytes.subarray(4, 12)));
}
