import { parseArgs } from "node:util";

import { parseDuration } from "../render/units.js";
import { UsageError } from "./errors.js";
import type { CommandSpec } from "./spec.js";

/** The arguments and options of one call, checked against what the command takes. */
export class Call {
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;
  readonly #args: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
  readonly wantsHelp: boolean;

  constructor(spec: CommandSpec, argv: readonly string[]) {
    const { values, positionals } = spec.passesOn === true ? passedOn(argv) : parse(spec, argv);
    this.#values = values;
    this.wantsHelp = values["help"] === true;
    const args = new Map<string, string>();
    const named = spec.args.filter(({ rest }) => rest !== true);
    named.forEach(({ name, optional = false }, at) => {
      const given = positionals[at];
      if (given !== undefined) args.set(name, given);
      else if (!optional && !this.wantsHelp) throw new UsageError(`${spec.name} needs ${name}.`);
    });
    this.#args = args;
    this.rest = positionals.slice(named.length);
    const takesRest = spec.args.some(({ rest }) => rest === true);
    // Not repeated in the message: it may be a connection string.
    if (this.rest.length > 0 && !takesRest && !this.wantsHelp)
      throw new UsageError(
        `${spec.name} takes at most ${named.length} argument${named.length === 1 ? "" : "s"}, and was given ${positionals.length}.`,
      );
  }

  arg(name: string): string {
    const value = this.#args.get(name);
    if (value === undefined) throw new UsageError(`${name} is missing.`);
    return value;
  }

  optionalArg(name: string): string | undefined {
    return this.#args.get(name);
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** One of a few words. */
  choice<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = words.find((word) => word === value);
    if (found === undefined) throw new UsageError(`--${name} takes one of: ${words.join(", ")}.`);
    return found;
  }

  /** A whole number, `least` or more. */
  count(name: string, least = 0): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < least)
      throw new UsageError(`--${name} takes a whole number, ${least} or more.`);
    return number;
  }

  /** A length of time in milliseconds, such as `90s`, `15m`, `12h`, `30d`. */
  duration(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const milliseconds = parseDuration(value);
    if (milliseconds === undefined)
      throw new UsageError(`--${name} takes a length of time such as 90s, 15m, 12h or 30d.`);
    return milliseconds;
  }
}

interface Parsed {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
}

function passedOn(argv: readonly string[]): Parsed {
  const [first, ...rest] = argv;
  const isHelp = rest.length === 0 && (first === "--help" || first === "-h");
  return { values: { help: isHelp }, positionals: first === "--" ? rest : [...argv] };
}

function parse(spec: CommandSpec, argv: readonly string[]): Parsed {
  const options: Record<string, { type: "string" | "boolean"; short?: string }> = {
    help: { type: "boolean", short: "h" },
  };
  for (const [name, { value, short }] of Object.entries(spec.options))
    options[name] = {
      type: value === undefined ? "boolean" : "string",
      ...(short === undefined ? {} : { short }),
    };
  try {
    const { values, positionals } = parseArgs({ args: [...argv], allowPositionals: true, options });
    return { values, positionals };
  } catch (error) {
    throw new UsageError(firstSentence(error), { cause: error });
  }
}

/** What Node adds on how to write an argument that starts with a dash repeats the argument. */
function firstSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(/\n|(?<=\w'?)\. /)[0]!.replace(/\.?$/, ".");
}
