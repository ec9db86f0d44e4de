import { PassThrough, Readable, Writable } from "node:stream";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import type { Io, Screen } from "../../src/command/io.js";
import { run } from "../../src/run.js";

export const PACKAGE = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface World {
  columns?: number;
  colour?: boolean;
  /** A terminal on the error stream, where progress is drawn. */
  tty?: boolean;
  /** What the person at the terminal answers; without it there is none. */
  answer?: string;
  input?: string;
  env?: NodeJS.ProcessEnv;
  folder?: string;
  now?: Date;
  signal?: AbortSignal;
}

/** A command line, in this process. */
export async function langgraphSavers(argv: readonly string[], world: World = {}): Promise<Ran> {
  const { columns = 80, colour = false, tty = false } = world;
  const texts = { out: "", err: "" };
  const screen = (name: "out" | "err", isTTY: boolean): Screen => ({
    columns,
    colour,
    isTTY,
    stream: new Writable({
      write(chunk: Buffer, _, done) {
        texts[name] += chunk.toString();
        done();
      },
    }),
  });
  const { answer, signal = new AbortController().signal } = world;
  const io: Io = {
    out: screen("out", false),
    err: screen("err", tty),
    input: world.input === undefined ? new PassThrough().end() : Readable.from([Buffer.from(world.input)]),
    env: world.env ?? {},
    folder: world.folder ?? PACKAGE,
    now: () => world.now ?? new Date(),
    ...(answer === undefined
      ? {}
      : {
          ask: async (question) => {
            texts.err += question;
            return answer;
          },
        }),
    untilInterrupted: (work) => work(signal),
  };
  const code = await run(argv, io);
  return { code, ...texts };
}

/** What a command printed for scripts. */
export async function json<T>(argv: readonly string[], world: World = {}): Promise<T> {
  const { out, err } = await langgraphSavers([...argv, "--json"], world);
  try {
    return JSON.parse(out) as T;
  } catch (error) {
    throw new Error(`${argv.join(" ")} printed no JSON.\n${out}${err}`, { cause: error });
  }
}
