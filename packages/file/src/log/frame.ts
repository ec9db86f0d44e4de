import { crc32 } from "node:zlib";

import type { RegisterName, Registers } from "@langgraph-savers/core";

/**
 * A log is a sequence of frames. A frame is one line of valid JSON:
 *
 *     {"lgs":1,"len":"…","meta":"…","crc":"…", <meta> ,"sizes":[…],"sums":"…","data":["<base64>", …]}
 *
 * `len` counts the bytes of the line, `meta` those of the readable part, up to and with `sums`; `crc` is a checksum of
 * the two numbers and that part, which in turn has one of each body, so that the damaged ones are told from those around
 * them. The head is of fixed width. Its marker stands nowhere else in valid JSON (inside a string its quotes would be
 * escaped), so that a reader that finds damage goes on at the next marker.
 */
const MARKER = '{"lgs":1,"len":"';
const LEN_DIGITS = 12;
const META_DIGITS = 10;
const CRC_DIGITS = 8;
const META_LABEL = '","meta":"';
const CRC_LABEL = '","crc":"';
const META_AT = MARKER.length + LEN_DIGITS + META_LABEL.length;
const CRC_AT = META_AT + META_DIGITS + CRC_LABEL.length;
const HEAD_END = '",';
const HEAD_BYTES = CRC_AT + CRC_DIGITS + HEAD_END.length;
const DATA_START = ',"data":["';
const BETWEEN = '","';
const DATA_END = '"]}\n';

/** Where the base64 text of some bytes is. */
export interface Location {
  at: number;
  /** Of the text in the file. */
  length: number;
}

/** What every frame may say. */
interface CommonMeta {
  /** Milliseconds since the epoch. */
  at: number;
  /** Tells the writer its own frames when it reads them back. */
  w: string;
  /** The log up to here was durable when this was written: what is damaged before it was not torn by a crash. */
  synced: number;
  /** Stretches that a killed writer left: nothing of them was ever acknowledged. */
  torn?: [at: number, length: number][];
  /** The thread's id, in the first frame that belongs to it. */
  thread?: string;
  /** The tag of the frame that this one repeats, after a power loss. It counts once, however many repeat it. */
  again?: string;
  /**
   * What stands there counts for nothing: it is repeated from here on, in its order and with what was lost of it. Void
   * where anything stands between, which whoever repeats did not know of.
   */
  instead?: [from: number, to: number];
}

export type ChunkMeta = [hash: string, index: 0 | 1];
type SlotMeta = [name: string, replace: 0 | 1, refs: string[]];

/** A frame is void where one of these registers has another value at its place in the log. */
interface Conditional {
  registers?: Registers;
}

/** What becomes of a sealed log: a successor, or with `sweep`, which only a log without anything in it obeys, none. */
export type Fate = "compact" | "repair" | "delete" | "sweep";

export type FrameContent =
  | { kind: "start"; generation: string }
  | ({
      kind: "put";
      ns: string;
      id: string;
      /** How long before this was written the checkpoint was made. */
      age?: number;
      parent?: string;
      source?: string;
      step?: number;
      run?: string;
      refs: string[];
      chunks: ChunkMeta[];
    } & Conditional)
  | ({
      kind: "writes";
      ns: string;
      id: string;
      task: string;
      slots: SlotMeta[];
      chunks: ChunkMeta[];
    } & Conditional)
  /** `since`: when each of them was last sent. */
  | { kind: "chunks"; chunks: ChunkMeta[]; since: number[] }
  | { kind: "delete"; keys: [ns: string, id: string][] }
  /** What records that are gone referred to: their chunks stay for a while. */
  | { kind: "released"; refs: string[] }
  /** Null: it is not set. Void where the register is not what was expected; without that, it is set in any case. */
  | { kind: "register"; name: RegisterName; value: string | null; expected?: string | null }
  /** Stretches of an earlier log that could not be read. */
  | { kind: "lost"; regions: [at: number, length: number][] }
  /** All before it was copied from an earlier log, and was durable before this one had its name. */
  | { kind: "copied" }
  /** What follows in this log is void. `before`: of what went before that time, the successor keeps nothing. */
  | { kind: "seal"; why: Fate; before?: number };

export type FrameMeta = FrameContent & CommonMeta;

interface BodyFacts {
  /** Of the text of each body. */
  sizes: number[];
  /** Checksums of the same, eight hexadecimal digits each. */
  sums: string;
}

export interface Frame {
  at: number;
  length: number;
  meta: FrameMeta;
  bodies: Location[];
}

export interface EncodedFrame {
  /** To be written or copied before the next frame is encoded, which may take the same memory. */
  bytes: Buffer;
  /** Where things will be once it stands at `at`. */
  place: (at: number) => Frame;
}

/** Most frames are made here: memory that is in use already is much quicker to write to than new memory. */
const WORKBENCH = Buffer.allocUnsafeSlow(64 * 1024);

/** Bodies of which `isDamaged` says so are written such that they are known to be damaged when they are read. */
export function encodeFrame(
  meta: FrameMeta,
  bodies: readonly Uint8Array[],
  isDamaged: (body: number) => boolean = () => false,
): EncodedFrame {
  const sizes = bodies.map(({ byteLength }) => Math.ceil(byteLength / 3) * 4);
  // Filled in when the data stands behind them.
  const noSums = "0".repeat(CRC_DIGITS * bodies.length);
  const metaText = `${JSON.stringify(meta).slice(1, -1)},"sizes":[${sizes.join(",")}],"sums":"${noSums}"`;
  const metaBytes = Buffer.byteLength(metaText);
  const dataAt = HEAD_BYTES + metaBytes;
  const length = dataAt + dataBytes(sizes);
  const len = String(length).padStart(LEN_DIGITS, "0");
  const metaLen = String(metaBytes).padStart(META_DIGITS, "0");

  const bytes =
    length <= WORKBENCH.byteLength ? WORKBENCH.subarray(0, length) : Buffer.allocUnsafeSlow(length);
  bytes.write(`${MARKER}${len}${META_LABEL}${metaLen}${CRC_LABEL}`, 0, "latin1");
  bytes.write(`${HEAD_END}${metaText}${DATA_START}`, HEAD_BYTES - HEAD_END.length);
  let at = dataAt + DATA_START.length;
  let sums = "";
  bodies.forEach((body, which) => {
    if (which > 0) at += bytes.write(BETWEEN, at, "latin1");
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64");
    const end = at + bytes.write(text, at, "latin1");
    const sum = crc32(bytes.subarray(at, end));
    sums += hex(isDamaged(which) ? sum ^ 1 : sum);
    at = end;
  });
  bytes.write(DATA_END, at, "latin1");
  bytes.write(sums, dataAt - 1 - sums.length, "latin1");
  bytes.write(hex(metaCrc(len, metaLen, bytes.subarray(HEAD_BYTES, dataAt))), CRC_AT, "latin1");
  return { bytes, place: (start) => ({ at: start, length, meta, bodies: locate(sizes, start + dataAt) }) };
}

export type Reading =
  /** `damaged`: of its bodies, those that are not what was written. */
  | {
      is: "frame";
      frame: Frame;
      /** False when the data is not what was written. */ whole: boolean;
      damaged: Location[];
    }
  /** It may go on beyond the bytes at hand; `length` is what it claims to be, if its head is there. */
  | { is: "cut"; length: number | undefined }
  | { is: "damaged" };

/** Reads the frame at `start` of `buffer`, which holds the log from `base` on. */
export function readFrame(buffer: Buffer, start: number, base: number): Reading {
  const left = buffer.byteLength - start;
  if (left < HEAD_BYTES) {
    const prefix = buffer.toString("latin1", start, start + Math.min(left, MARKER.length));
    return MARKER.startsWith(prefix) ? { is: "cut", length: undefined } : { is: "damaged" };
  }
  const head = buffer.toString("latin1", start, start + HEAD_BYTES);
  const len = head.slice(MARKER.length, MARKER.length + LEN_DIGITS);
  const metaLen = head.slice(META_AT, META_AT + META_DIGITS);
  const crc = head.slice(CRC_AT, CRC_AT + CRC_DIGITS);
  const length = Number(len);
  const metaBytes = Number(metaLen);
  const labelled = `${MARKER}${len}${META_LABEL}${metaLen}${CRC_LABEL}${crc}${HEAD_END}` === head;
  if (!labelled || !/^\d+$/.test(len + metaLen) || HEAD_BYTES + metaBytes + DATA_START.length > length) {
    return { is: "damaged" };
  }
  const metaEnd = start + HEAD_BYTES + metaBytes;
  if (metaEnd > buffer.byteLength) return { is: "cut", length };
  const metaText = buffer.subarray(start + HEAD_BYTES, metaEnd);
  if (hex(metaCrc(len, metaLen, metaText)) !== crc) return { is: "damaged" };
  if (left < length) return { is: "cut", length };
  const { sizes, sums, ...meta } = JSON.parse(`{${metaText.toString("utf8")}}`) as FrameMeta & BodyFacts;
  const at = base + start;
  const bodies = locate(sizes, at + HEAD_BYTES + metaBytes);
  const damaged = bodies.filter((body, which) => {
    const from = body.at - base;
    const sum = hex(crc32(buffer.subarray(from, from + body.length)));
    return sum !== sums.slice(which * CRC_DIGITS, (which + 1) * CRC_DIGITS);
  });
  const data = buffer.subarray(metaEnd, start + length);
  const whole = damaged.length === 0 && isFramed(data, sizes);
  return { is: "frame", whole, damaged, frame: { at, length, meta, bodies } };
}

/** Whether all is right with the data beside the bodies. */
function isFramed(data: Buffer, sizes: readonly number[]): boolean {
  const last = data.byteLength - DATA_END.length;
  if (data.byteLength !== dataBytes(sizes) || !stands(DATA_START, data, 0) || !stands(DATA_END, data, last))
    return false;
  return locate(sizes, 0).every(({ at }, which) => which === 0 || stands(BETWEEN, data, at - BETWEEN.length));
}

function stands(text: string, buffer: Buffer, at: number): boolean {
  return buffer.toString("latin1", at, at + text.length) === text;
}

/** The next place from `from` on where a frame may start, or -1. */
export function nextMarker(buffer: Buffer, from: number): number {
  return buffer.indexOf(MARKER, from, "latin1");
}

export function decodeBody(text: Buffer): Buffer {
  return Buffer.from(text.toString("latin1"), "base64");
}

/** Of the bytes that a base64 text of this length stands for, give or take its padding. */
export function bodyBytes({ length }: Location): number {
  return Math.floor((length * 3) / 4);
}

/** From the end of the readable part to the end of the line. */
function dataBytes(sizes: readonly number[]): number {
  let bytes = DATA_START.length + DATA_END.length + BETWEEN.length * Math.max(0, sizes.length - 1);
  for (const size of sizes) bytes += size;
  return bytes;
}

function locate(sizes: readonly number[], dataAt: number): Location[] {
  let at = dataAt + DATA_START.length;
  return sizes.map((length) => {
    const place = { at, length };
    at += length + BETWEEN.length;
    return place;
  });
}

function metaCrc(len: string, metaLen: string, meta: Uint8Array): number {
  return crc32(meta, crc32(len + metaLen));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex(crc: number): string {
  return `${HEX[crc >>> 24]}${HEX[(crc >>> 16) & 255]}${HEX[(crc >>> 8) & 255]}${HEX[crc & 255]}`;
}
