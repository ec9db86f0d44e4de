import { randomBytes } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";

import { StoredDataError } from "@langgraph-savers/core";

import { hasCode } from "../disk/errors.js";
import { appendWhole, openLog, readAt, readSmall, syncData } from "../disk/files.js";
import type { LogName } from "../disk/root.js";
import {
  decodeBody,
  encodeFrame,
  nextMarker,
  readFrame,
  type Frame,
  type FrameContent,
  type FrameMeta,
  type Location,
  type Reading,
} from "./frame.js";
import { LeftOut, type Stretch } from "./left-out.js";
import { LogState, VOID, type Effect } from "./log-state.js";
import { OneAtATime } from "./one-at-a-time.js";
import { Syncer } from "./syncer.js";

const BLOCK = 8 * 1024 * 1024;
/** Above this, chunks are read without holding up the event loop. */
const SMALL_READ = 256 * 1024;

/** Tells this process's frames from those of others. */
const WRITER = randomBytes(6).toString("base64url");
let frames = 0;

type FrameReading = Extract<Reading, { is: "frame" }>;

/** A frame being appended, where it was read back, and what it did. */
interface Appending {
  tag: string;
  at: number | undefined;
  effect: Effect;
}

/** Where a frame was appended, its bytes where they were asked for, and what it did. */
export interface Appended {
  at: number;
  frame: Buffer | undefined;
  effect: Effect;
}

/** One open log: its frames read so far, and the only way to add to it. */
export class ThreadLog {
  readonly name: LogName;
  readonly threadId: string;
  state = new LogState();
  /** Why an fsync failed: since then nobody knows what the file holds, and nothing may be added to it. */
  #syncFailure: { error: unknown } | undefined;
  readonly #fd: number;
  readonly #syncer = new Syncer((here) => this.#syncNow(here));
  /** All before it has been read. */
  #parsed = 0;
  /** The last line is not whole: a frame that is being written, or was torn. */
  #unfinished = false;
  /** All before it is durable. */
  #synced = 0;
  /** Stretches of killed writers that no frame tells of yet. */
  #torn: Stretch[] = [];
  #appending: Appending | undefined;
  readonly #queue = new OneAtATime();

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

  /** Undefined where there is no such file. */
  static async openIfThere(name: LogName, threadId: string): Promise<ThreadLog | undefined> {
    try {
      return await ThreadLog.open(name, threadId);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  get poisoned(): boolean {
    return this.#syncFailure !== undefined;
  }

  /** Bytes read so far. */
  get size(): number {
    return this.#parsed;
  }

  /** False once the file was removed. */
  get linked(): boolean {
    return fstatSync(this.#fd).nlink > 0;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Whether other processes have added anything. */
  isBehind(): boolean {
    return fstatSync(this.#fd).size !== this.#parsed;
  }

  /** Takes in what other processes have added. */
  refresh(): Promise<void> {
    if (!this.isBehind()) return Promise.resolve();
    return this.#queue.run(() => this.#readOn());
  }

  /** Adds a frame. Undefined: the log takes no more, and the frame has to go to the next one. With `copy`, hands back its bytes. */
  append(
    content: FrameContent,
    bodies: readonly Uint8Array[],
    at = Date.now(),
    repeats: Pick<FrameMeta, "again" | "instead"> = {},
    copy = false,
  ): Promise<Appended | undefined> {
    return this.#queue.run(async () => {
      if (this.isBehind()) await this.#readOn();
      if (this.state.sealed !== undefined || this.poisoned) return undefined;
      const torn = [...this.#torn];
      const appending: Appending = {
        tag: `${WRITER}.${(frames += 1)}`,
        at: undefined,
        effect: {} as Effect,
      };
      this.#appending = appending;
      const meta: FrameMeta = Object.assign({}, content, { at, w: appending.tag, synced: this.#synced });
      if (torn.length > 0) meta.torn = torn;
      Object.assign(meta, repeats);
      // Twice, since nothing else tells whose log it is when the first frame is damaged.
      if (this.state.namings < 2 && isNaming(content)) meta.thread = this.threadId;
      // On a line of its own, so that tools which read by line find it behind a torn one; which a line end alone could
      // complete, after it was left out of what was read.
      if (torn.length > 0 || this.#unfinished)
        await appendWhole(this.#fd, Buffer.from(this.#unfinished ? " \n" : "\n"));
      const { bytes, place } = encodeFrame(meta, bodies);
      const frame = copy ? Buffer.from(bytes) : undefined;
      const appended = appendWhole(this.#fd, bytes);
      if (!(typeof appended === "boolean" ? appended : await appended))
        throw Object.assign(new Error("short write"), { code: "ENOSPC" });
      const { size, nlink } = fstatSync(this.#fd);
      if (size === this.#parsed + bytes.byteLength && repeats.instead === undefined) {
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
      if (torn.length > 0) this.#torn = this.#torn.filter((gap) => !torn.includes(gap));
      return { at: appending.at, frame, effect: appending.effect };
    });
  }

  /** Resolves when all that was appended before the call is durable. `alone`: see `Syncer`. */
  sync(alone = false): Promise<void> {
    return this.#syncer.sync(alone);
  }

  /** Resolves when all that was read is durable, whoever wrote it. */
  settle(): Promise<void> {
    return this.#synced >= this.#parsed ? Promise.resolve() : this.sync();
  }

  /** Whether the log has these bytes there: asked when a journal is replayed. */
  holds(at: number, frame: Buffer): boolean {
    return readSmall(this.#fd, at, frame.byteLength).equals(frame);
  }

  /** The bytes from there on. */
  readFrom(at: number): Promise<Buffer> {
    return readAt(this.#fd, at, Math.max(0, fstatSync(this.#fd).size - at));
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

  async #syncNow(here: boolean): Promise<void> {
    // The kernel may have thrown the pages away and would say yes the next time: never ask this file again.
    if (this.#syncFailure !== undefined) throw this.#syncFailure.error;
    const upTo = this.#parsed;
    try {
      await syncData(this.#fd, here);
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
    const leftOut = this.#leftOut(found);
    const lost: Stretch[] = [];
    for (const [at, length] of gaps) {
      if (leftOut(at, length)) continue;
      // A log has its first frame before it has its name.
      if (at === 0 || at + length <= this.#synced) lost.push([at, length]);
      else this.#torn.push([at, length]);
    }
    if (found.length === 0 && gaps.length === 0) lost.push([0, this.#parsed]);
    for (const { frame, whole, damaged } of found) {
      // In its place: what comes before it is judged by what was there then.
      while (lost.length > 0 && lost[0]![0] < frame.at) this.state.lose(lost.shift()!);
      const { at, length } = frame;
      // Whoever went on behind it has left it out: it must not come back once all around it is durable.
      if (leftOut(at, length)) {
        this.#found(frame, VOID);
        continue;
      }
      const durable = at + length <= this.#synced;
      // What a crash kept by halves was not acknowledged; what was durable is kept, and says so when it is read.
      if (durable || (whole && this.state.holds(frame))) this.#take(frame);
      else this.#torn.push([at, length]);
      if (durable) for (const body of damaged) this.state.damaged.add(body.at);
    }
    for (const region of lost) this.state.lose(region);
  }

  #leftOut(found: readonly FrameReading[]): (at: number, length: number) => boolean {
    const torn = new Set(
      found
        .filter(({ frame, whole }) => !whole && frame.at + frame.length > this.#synced)
        .map(({ frame }) => frame),
    );
    const stretches = new LeftOut(
      found.map(({ frame }) => frame),
      (frame) => !torn.has(frame),
    );
    const blank = (from: number, to: number): boolean =>
      isBlank(readSmall(this.#fd, from, to - from), 0, to - from);
    return (at, length) => stretches.has(at, length, blank);
  }

  async #readOn(): Promise<void> {
    let repeated = false;
    const gaps = await this.#scan(({ frame, whole }) => {
      if (whole && frame.meta.instead !== undefined) repeated = true;
      if (whole) this.#take(frame);
      else this.#torn.push([frame.at, frame.length]);
    });
    this.#torn.push(...gaps);
    if (!repeated) return;
    // What was read before counts for nothing.
    this.state = new LogState();
    this.#parsed = 0;
    this.#torn = [];
    await this.#load();
  }

  /** Reads frames up to the end; returns the stretches between them that are none. */
  async #scan(onFrame: (reading: FrameReading) => void): Promise<Stretch[]> {
    const gaps: Stretch[] = [];
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

  /** Where the frame being appended is, and what it did. */
  #found({ at, meta }: Frame, effect: Effect): void {
    if (this.#appending === undefined || meta.w !== this.#appending.tag) return;
    this.#appending.at = at;
    this.#appending.effect = effect;
  }

  #take(frame: Frame): void {
    if (this.state.sealed !== undefined) return;
    this.#found(frame, this.state.apply(frame, this.threadId));
    if (this.state.threadId !== undefined && this.state.threadId !== this.threadId) {
      throw new StoredDataError(
        "CHECKPOINT_DAMAGED",
        `The log ${JSON.stringify(this.name.path)} belongs to another thread. Restore it from a backup.`,
        { threadId: this.threadId },
      );
    }
  }
}

/** Whether a frame may say whose log it is: what a deleted thread leaves does not, until it holds something again. */
function isNaming({ kind }: FrameContent): boolean {
  return kind !== "seal" && kind !== "register";
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
  for (let at = start; at < end; at++) if (buffer[at] !== 0x0a && buffer[at] !== 0x20) return false;
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
