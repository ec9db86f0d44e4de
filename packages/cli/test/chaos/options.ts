import { parseArgs } from "node:util";

import type { Kind } from "../support/urls.js";

export interface ChaosOptions {
  threads: number;
  kills: number;
  sources: Kind[];
  targets: Kind[];
}

const SOURCES = ["official-sqlite", "official-mongodb"] as const;
const TARGETS = ["file", "mongodb", "dynamodb"] as const;

/** `pnpm chaos:copy --threads 1000 --kills 3 --from official-sqlite --to file`. */
export function chaosOptions(argv: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: argv.filter((each) => each !== "--"),
    options: {
      threads: { type: "string", default: "1000" },
      kills: { type: "string", default: "3" },
      from: { type: "string", multiple: true },
      to: { type: "string", multiple: true },
    },
  });
  return {
    threads: number("threads", values.threads),
    kills: number("kills", values.kills),
    sources: chosen("from", values.from, SOURCES),
    targets: chosen("to", values.to, TARGETS),
  };
}

function number(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`--${name} takes a whole number above 0.`);
}

function chosen(name: string, asked: readonly string[] | undefined, kinds: readonly Kind[]): Kind[] {
  const unknown = asked?.find((each) => !kinds.includes(each as Kind));
  if (unknown !== undefined) throw new Error(`--${name} takes one of: ${kinds.join(", ")}.`);
  return (asked as Kind[] | undefined) ?? [...kinds];
}
