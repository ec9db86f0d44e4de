import type { Frame } from "./frame.js";

export type Stretch = [at: number, length: number];

/** The stretches of a log that count for nothing, as its own frames tell: torn ones, and those that a replay repeats. */
export class LeftOut {
  readonly #stretches: Stretch[] = [];

  /** `isSound`: a frame that was neither torn nor kept by halves. */
  constructor(frames: readonly Frame[], isSound: (frame: Frame) => boolean) {
    /** Frames that were repeated, and where. */
    const repeated = new Map<string, number>();
    let end = 0;
    for (const frame of frames) {
      const { at, length, meta } = frame;
      this.#stretches.push(...(meta.torn ?? []));
      if (meta.again !== undefined && isSound(frame)) {
        const [from, to] = meta.instead ?? [at, at];
        if (meta.instead !== undefined && (end > to || repeated.has(meta.again))) {
          this.#stretches.push([at, length]);
        } else {
          // One that began and was left out itself has repeated nothing.
          for (const [tag, where] of repeated) if (where >= from) repeated.delete(tag);
          if (!repeated.has(meta.again)) repeated.set(meta.again, at);
          if (to > from) this.#stretches.push([from, to - from]);
        }
      }
      end = at + length;
    }
    this.#stretches.sort(([a], [b]) => a - b);
  }

  /** Whether all of a stretch, but for blanks, is left out: it may be in several of those told of. */
  has(at: number, length: number, isBlank: (from: number, to: number) => boolean): boolean {
    if (this.#stretches.length === 0) return false;
    const end = at + length;
    let from = at;
    for (const [start, size] of this.#stretches) {
      if (start >= end) break;
      if (start > from && !isBlank(from, start)) return false;
      from = Math.max(from, start + size);
    }
    return from >= end || isBlank(from, end);
  }
}
