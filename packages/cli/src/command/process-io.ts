import { createInterface } from "node:readline/promises";

import { styleOf } from "@langgraph-savers/command/terminal";

import { INTERRUPTED } from "./exit-codes.js";
import type { Io, Screen } from "./io.js";

const TERMINATED = 143;

/** The world of a real process. */
export function processIo(): Io {
  let soft: AbortController | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      // The second time nobody wants to wait for good order.
      if (soft === undefined || soft.signal.aborted)
        process.exit(signal === "SIGINT" ? INTERRUPTED : TERMINATED);
      soft.abort();
    });
  }
  // `langgraph-savers threads … | head`: whoever read has read enough.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY;
  return {
    out: screenOf(process.stdout),
    err: screenOf(process.stderr),
    input: process.stdin,
    env: process.env,
    folder: process.cwd(),
    now: () => new Date(),
    ...(isInteractive ? { ask } : {}),
    async untilInterrupted(work) {
      soft = new AbortController();
      try {
        return await work(soft.signal);
      } finally {
        soft = undefined;
      }
    },
  };
}

function screenOf(stream: NodeJS.WriteStream): Screen {
  return { ...styleOf(stream, process.env), stream, isTTY: stream.isTTY };
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}
