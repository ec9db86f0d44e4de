import type { Readable, Writable } from "node:stream";

import { wrap, type Style } from "@langgraph-savers/command/terminal";

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

const WIDEST_TEXT = 120;

/** Sentences behind a sign. A screen cuts no word at its edge; for a file or a pipe each text stays one line. */
export function printSentences(screen: Screen, sign: string, ...sentences: readonly string[]): void {
  const width = screen.isTTY ? Math.min(screen.columns, WIDEST_TEXT) - 2 : Infinity;
  const lines = sentences.flatMap((each) => (screen.isTTY ? wrap(each, width) : each.split("\n")));
  lines.forEach((line, at) => print(screen, `${at === 0 ? sign : " "} ${line}`));
}

/** For scripts: a document that stands alone on the standard output. */
export function printJson(io: Io, value: unknown): void {
  print(io.out, JSON.stringify(value, undefined, 2));
}
