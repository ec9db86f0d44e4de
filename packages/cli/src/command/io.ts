import type { Readable, Writable } from "node:stream";

import type { Style } from "@langgraph-savers/command/terminal";

/** A stream that somebody may be looking at. */
export interface Screen extends Style {
  stream: Writable;
  isTTY: boolean;
}

/** All that a command has to do with the world around it, apart from the stores. */
export interface Io {
  /** Results. */
  out: Screen;
  /** Progress, questions and complaints. */
  err: Screen;
  input: Readable;
  env: NodeJS.ProcessEnv;
  /** Paths and packages are looked up from here. */
  folder: string;
  now(): Date;
  /** Puts a question to the person at the terminal; absent where there is none. */
  ask?: (question: string) => Promise<string>;
  /** Runs work that ends early and in good order when the user wants it to: `signal` tells. */
  untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export function print(screen: Screen, text: string): void {
  screen.stream.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** For scripts: a document that stands alone on the standard output. */
export function printJson(io: Io, value: unknown): void {
  print(io.out, JSON.stringify(value, undefined, 2));
}
