import { randomBytes } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";

import { StoredDataError } from "@langgraph-savers/core";

import { appendWhole, openLog, readAt, readSmall, syncData } from "../disk/files.js";
import type { LogName } from "../disk/root.js";
import {
  decodeBody,
  encodeFrame,
  nextMarker,
  readFrame,
  type Frame,
  type FrameContent,
  type Location,
  type Reading,
} from "./frame.js";
import { LogState } from "./log-state.js";
import { Syncer } from "./syncer.js";

const BLOCK = 8 * 1024 * 1024;
/** Above this, chunks are read without holding up the event loop. */
const SMALL_READ = 256 * 1024;

/** Tells this process's frames from those of others. */
const WRITER = randomBytes(6).toString("base64url");
let frames = 0;

type FrameReading = Extract<Reading, { is: "frame" }>;

/** Where a frame was appended, for the journal. */
export interface Appended {
  at: number;
  bytes: Buffer;
}

/** One open log: its frames read so far, and the only way to add to it. */
export class ThreadLog {
  readonly name: LogName;
  readonly threadId: string;
  readonly state = new LogState();
  /** Why an fsync failed: since then nobody knows what the file holds, and nothing may be added to it. */
  #syncFailure: { error: unknown } | undefined;
  readonly #fd: number;
  readonly #syncer = new Syncer(() => this.#syncNow());
  /** All before it has been read. */
  #parsed = 0;
  /** The last line is not whole: a frame that is being written, or was torn. */
  #unfinished = false;
  /** All before it is durable. */
  #synced = 0;
  /** Stretches of killed writers that no frame tells of yet. */
  #torn: [at: number, length: number][] = [];
  /** The frame being appended, and where it was read back. */
  #appending: { tag: string; at: number | undefined } | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(name: LogName, threadId: string, fd: number) {
    this.name = name;
    this.threadId = threadId;
    this.#fd = fd;
  }

  static async open(name: LogName, threadId: string): Promise<ThreadLog> {
    const log = new ThreadLog(name, threadId, openLog(name.path));
    try {
      await log.#load();
      return log;
    } catch (error) {
      log.close();
      throw error;
    }
  }

  get poisoned(): boolean {
    return this.#syncFailure !== undefined;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Takes in what other processes have added. */
  refresh(): Promise<void> {
    if (fstatSync(this.#fd).size === this.#parsed) return Promise.resolve();
    return this.#exclusive(() => this.#readOn());
  }

  /** Adds a frame. Undefined: the log takes no more, and the frame has to go to the next one. */
  append(
    content: FrameContent,
    bodies: readonly Uint8Array[],
    at = Date.now(),
  ): Promise<Appended | undefined> {
    return this.#exclusive(async () => {
      await this.#readOn();
      if (this.state.sealed !== undefined || this.poisoned) return undefined;
      const torn = [...this.#torn];
      const appending = (this.#appending = {
        tag: `${WRITER}.${(frames += 1)}`,
        at: undefined as number | undefined,
      });
      const { bytes, place } = encodeFrame(
        {
          ...content,
          at,
          w: appending.tag,
          synced: this.#synced,
          ...(torn.length === 0 ? {} : { torn }),
          // Twice, since nothing else tells whose log it is when the first frame is damaged.
          ...(this.state.namings < 2 && content.kind !== "seal" ? { thread: this.threadId } : {}),
        },
        bodies,
      );
      // On a line of its own, so that tools which read by line find it behind a torn one.
      if (torn.length > 0 || this.#unfinished) await appendWhole(this.#fd, Buffer.from("\n"));
      if (!(await appendWhole(this.#fd, bytes)))
        throw Object.assign(new Error("short write"), { code: "ENOSPC" });
      const { size, nlink } = fstatSync(this.#fd);
      if (size === this.#parsed + bytes.byteLength) {
        this.#take(place(this.#parsed));
        this.#parsed = size;
      } else {
        await this.#readOn();
      }
      if (appending.at === undefined && this.state.sealed === undefined)
        throw new Error("an appended frame is not there");
      if (appending.at === undefined) return undefined;
      // Nobody removes a log that is not sealed: someone took the directory away.
      if (nlink === 0 && this.state.sealed === undefined)
        throw Object.assign(new Error("the log was removed"), { code: "ENOENT" });
      this.#torn = this.#torn.filter((gap) => !torn.includes(gap));
      return { at: appending.at, bytes };
    });
  }

  /** Resolves when all that was appended before the call is durable. */
  sync(): Promise<void> {
    return this.#syncer.sync();
  }

  /** Whether the log has these bytes there: asked when a journal is replayed. */
  holds({ at, bytes }: Appended): boolean {
    return readSmall(this.#fd, at, bytes.byteLength).equals(bytes);
  }

  readBody({ at, length }: Location): Buffer {
    return decodeBody(readSmall(this.#fd, at, length));
  }

  async readBodies(places: readonly Location[]): Promise<Buffer[]> {
    const total = places.reduce((sum, { length }) => sum + length, 0);
    if (total <= SMALL_READ) return places.map((place) => this.readBody(place));
    const bodies: Buffer[] = [];
    for (const run of adjacent(places)) {
      const start = run[0]!.at;
      const end = run.at(-1)!.at + run.at(-1)!.length;
      const bytes = await readAt(this.#fd, start, end - start);
      for (const { at, length } of run)
        bodies.push(decodeBody(bytes.subarray(at - start, at - start + length)));
    }
    return bodies;
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  async #syncNow(): Promise<void> {
    // The kernel may have thrown the pages away and would say yes the next time: never ask this file again.
    if (this.#syncFailure !== undefined) throw this.#syncFailure.error;
    const upTo = this.#parsed;
    try {
      await syncData(this.#fd);
    } catch (error) {
      this.#syncFailure = { error };
      throw error;
    }
    this.#synced = Math.max(this.#synced, upTo);
  }

  /** The first reading, which knows only at the end how far the log was durable. */
  async #load(): Promise<void> {
    const found: FrameReading[] = [];
    const gaps = await this.#scan((reading) => found.push(reading));
    for (const { frame } of found) this.#synced = Math.max(this.#synced, frame.meta.synced);
    const torn = found.flatMap(({ frame }) => frame.meta.torn ?? []);
    for (const [at, length] of gaps) {
      const known = torn.some(([start, size]) => at >= start && at + length <= start + size);
      if (known) continue;
      // A log has its first frame before it has its name.
      if (at === 0 || at + length <= this.#synced) this.state.lost.push([at, length]);
      else this.#torn.push([at, length]);
    }
    if (found.length === 0 && gaps.length === 0) this.state.lost.push([0, this.#parsed]);
    for (const { frame, whole, damaged } of found) {
      const durable = frame.at + frame.length <= this.#synced;
      // What a crash kept by halves was not acknowledged; what was durable is kept, and says so when it is read.
      if (durable || (whole && this.state.holds(frame))) this.#take(frame);
      if (durable) for (const { at } of damaged) this.state.damaged.add(at);
      else if (!whole) this.#torn.push([frame.at, frame.length]);
    }
  }

  async #readOn(): Promise<void> {
    const gaps = await this.#scan(({ frame, whole }) => {
      if (whole) this.#take(frame);
      else this.#torn.push([frame.at, frame.length]);
    });
    this.#torn.push(...gaps);
  }

  /** Reads frames up to the end; returns the stretches between them that are none. */
  async #scan(onFrame: (reading: FrameReading) => void): Promise<[number, number][]> {
    const gaps: [number, number][] = [];
    this.#unfinished = false;
    for (let want = BLOCK; ;) {
      const { size } = fstatSync(this.#fd);
      if (size <= this.#parsed) return gaps;
      const base = this.#parsed;
      const buffer = await readAt(this.#fd, base, Math.min(want, size - base));
      const atEnd = base + buffer.byteLength >= size;
      let start = 0;
      want = BLOCK;
      while (start < buffer.byteLength) {
        const reading = readFrame(buffer, start, base);
        const torn =
          reading.is === "frame" && !reading.whole ? tornAt(buffer, start, reading, base) : undefined;
        if (reading.is === "frame" && torn === undefined) {
          onFrame(reading);
          start += reading.frame.length;
          continue;
        }
        if (reading.is === "cut" && !atEnd) {
          want = Math.max(BLOCK, reading.length ?? 0);
          break;
        }
        const next = torn ?? nextFrame(buffer, start + 1, base);
        if (next === -1 && reading.is === "cut") {
          // Being written, or torn: a frame behind it will tell.
          this.#parsed = base + start;
          this.#unfinished = true;
          return gaps;
        }
        const end = next === -1 ? endOfGap(buffer, start, atEnd) : next;
        if (!isBlank(buffer, start, end)) gaps.push([base + start, end - start]);
        start = end;
      }
      this.#parsed = base + start;
      if (atEnd) return gaps;
    }
  }

  #take(frame: Frame): void {
    const { meta } = frame;
    if (this.state.sealed !== undefined) return;
    if (meta.w === this.#appending?.tag) this.#appending.at = frame.at;
    this.state.apply(frame, this.threadId);
    if (this.state.threadId !== undefined && this.state.threadId !== this.threadId) {
      throw new StoredDataError(
        "CHECKPOINT_DAMAGED",
        `The log ${JSON.stringify(this.name.path)} belongs to another thread. Restore it from a backup.`,
        { threadId: this.threadId },
      );
    }
  }
}

/** The next place where a frame can really be read, or -1: a marker may stand in what is left of a torn one. */
function nextFrame(buffer: Buffer, from: number, base: number): number {
  for (let at = nextMarker(buffer, from); at !== -1; at = nextMarker(buffer, at + 1)) {
    if (readFrame(buffer, at, base).is !== "damaged") return at;
  }
  return -1;
}

/**
 * Where the next frame begins inside of what a frame claims to be: it was torn, and others went on behind it. Undefined
 * where there is none: its data was altered in place.
 */
function tornAt(
  buffer: Buffer,
  start: number,
  { frame }: { frame: Frame },
  base: number,
): number | undefined {
  const next = nextFrame(buffer, start + 1, base);
  return next !== -1 && next < start + frame.length ? next : undefined;
}

/** Keeps what may be the beginning of a marker that the next block completes. */
function endOfGap(buffer: Buffer, start: number, atEnd: boolean): number {
  return atEnd ? buffer.byteLength : Math.max(start + 1, buffer.byteLength - 16);
}

function isBlank(buffer: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (buffer[at] !== 0x0a) return false;
  return true;
}

/** Places that stand close together, to be read in one go; in the order given. */
function* adjacent(places: readonly Location[]): Generator<Location[]> {
  let run: Location[] = [];
  for (const place of places) {
    const last = run.at(-1);
    const close = last !== undefined && place.at >= last.at && place.at - (last.at + last.length) < 4096;
    if (last !== undefined && !close) {
      yield run;
      run = [];
    }
    run.push(place);
  }
  if (run.length > 0) yield run;
}
