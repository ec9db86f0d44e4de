import { crc32 } from "node:zlib";

/**
 * A log is a sequence of frames. A frame is one line of valid JSON:
 *
 *     {"lgs":1,"len":"…","meta":"…","crc":"…", <meta> ,"data":["<base64>", …]}
 *
 * `len` counts the bytes of the line, `meta` those of the readable part; `crc` holds a checksum of each of the two
 * parts, and the readable part has one of each body, which tells the damaged ones from those around them. The head is of fixed width. Its marker stands nowhere else in valid JSON (inside a string its quotes would be
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
const HEAD_BYTES = CRC_AT + 2 * CRC_DIGITS + HEAD_END.length;
const DATA_START = ',"data":["';
const DATA_END = '"]}\n';
const BETWEEN = 3; // `","`

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
}

export type ChunkMeta = [hash: string, index: 0 | 1];
type SlotMeta = [name: string, replace: 0 | 1, refs: string[]];

export type FrameContent =
  | { kind: "start"; generation: string }
  | {
      kind: "put";
      ns: string;
      id: string;
      parent?: string;
      source?: string;
      step?: number;
      run?: string;
      refs: string[];
      chunks: ChunkMeta[];
    }
  | { kind: "writes"; ns: string; id: string; task: string; slots: SlotMeta[]; chunks: ChunkMeta[] }
  | { kind: "chunks"; chunks: ChunkMeta[] }
  | { kind: "delete"; keys: [ns: string, id: string][] }
  /** What records that are gone referred to: their chunks stay for a while. */
  | { kind: "released"; refs: string[] }
  /** Stretches of an earlier log that could not be read. */
  | { kind: "lost"; regions: [at: number, length: number][] }
  /** All before it was copied from an earlier log, and was durable before this one had its name. */
  | { kind: "copied" }
  /** What follows in this log is void. */
  | { kind: "seal"; why: "compact" | "repair" | "delete" };

export type FrameMeta = FrameContent & CommonMeta;

interface BodyFacts {
  /** Of the text of each body. */
  sizes: number[];
  /** Checksums of the same. */
  sums: number[];
}

export interface Frame {
  at: number;
  length: number;
  meta: FrameMeta;
  bodies: Location[];
}

/**
 * The frame's bytes, and where things will be once it stands at `at`. Bodies of which `isDamaged` says so are written
 * such that they are known to be damaged when they are read.
 */
export function encodeFrame(
  meta: FrameMeta,
  bodies: readonly Uint8Array[],
  isDamaged: (body: number) => boolean = () => false,
): { bytes: Buffer; place: (at: number) => Frame } {
  const texts = bodies.map((body) =>
    Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64"),
  );
  const sizes = texts.map((text) => text.length);
  const sums = texts.map((text, at) => (crc32(text) ^ (isDamaged(at) ? 1 : 0)) >>> 0);
  const metaText = Buffer.from(JSON.stringify({ ...meta, sizes, sums }).slice(1, -1));
  const data = Buffer.from(`${DATA_START}${texts.join('","')}${DATA_END}`, "latin1");
  const dataCrc = (crc32(data) ^ (texts.some((_, at) => isDamaged(at)) ? 1 : 0)) >>> 0;
  const length = HEAD_BYTES + metaText.byteLength + data.byteLength;
  const len = String(length).padStart(LEN_DIGITS, "0");
  const metaLen = String(metaText.byteLength).padStart(META_DIGITS, "0");
  const head = `${MARKER}${len}${META_LABEL}${metaLen}${CRC_LABEL}${hex(metaCrc(len, metaLen, metaText))}${hex(dataCrc)}${HEAD_END}`;
  const bytes = Buffer.concat([Buffer.from(head, "latin1"), metaText, data]);
  return {
    bytes,
    place: (at) => ({ at, length, meta, bodies: locate(sizes, at + HEAD_BYTES + metaText.byteLength) }),
  };
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
  const crcs = head.slice(CRC_AT, CRC_AT + 2 * CRC_DIGITS);
  const length = Number(len);
  const metaBytes = Number(metaLen);
  const labelled = `${MARKER}${len}${META_LABEL}${metaLen}${CRC_LABEL}${crcs}${HEAD_END}` === head;
  if (!labelled || !/^\d+$/.test(len + metaLen) || HEAD_BYTES + metaBytes + DATA_START.length > length) {
    return { is: "damaged" };
  }
  const metaEnd = start + HEAD_BYTES + metaBytes;
  if (metaEnd > buffer.byteLength) return { is: "cut", length };
  const metaText = buffer.subarray(start + HEAD_BYTES, metaEnd);
  if (hex(metaCrc(len, metaLen, metaText)) !== crcs.slice(0, CRC_DIGITS)) return { is: "damaged" };
  if (left < length) return { is: "cut", length };
  const { sizes, sums, ...meta } = JSON.parse(`{${metaText.toString("utf8")}}`) as FrameMeta & BodyFacts;
  const data = buffer.subarray(metaEnd, start + length);
  const whole = hex(crc32(data)) === crcs.slice(CRC_DIGITS);
  const at = base + start;
  const bodies = locate(sizes, at + HEAD_BYTES + metaBytes);
  const damaged = whole
    ? []
    : bodies.filter((body, which) => {
        const from = body.at - base;
        return crc32(buffer.subarray(from, from + body.length)) !== sums[which];
      });
  return { is: "frame", whole, damaged, frame: { at, length, meta, bodies } };
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

function locate(sizes: readonly number[], dataAt: number): Location[] {
  let at = dataAt + DATA_START.length;
  return sizes.map((length) => {
    const place = { at, length };
    at += length + BETWEEN;
    return place;
  });
}

function metaCrc(len: string, metaLen: string, meta: Uint8Array): number {
  return crc32(meta, crc32(len + metaLen));
}

function hex(crc: number): string {
  return crc.toString(16).padStart(CRC_DIGITS, "0");
}
