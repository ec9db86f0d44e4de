import type { Call } from "./call.js";
import type { Io } from "./io.js";

export interface ArgSpec {
  /** In capitals, as `--help` shows it. */
  name: string;
  about: string;
  optional?: boolean;
  /** Takes all that are left. */
  rest?: boolean;
}

export interface OptionSpec {
  /** What stands for the value in `--help`; an option without one is a switch. */
  value?: string;
  short?: string;
  about: string;
}

export interface CommandSpec {
  name: string;
  /** One line, for the list of commands. */
  summary: string;
  args: readonly ArgSpec[];
  options: Readonly<Record<string, OptionSpec>>;
  /** All that is behind its name is another program's to understand; but `--help` alone is its own. */
  passesOn?: boolean;
  /** Paragraphs for `--help`. */
  details?: readonly string[];
  /** Command lines without the program's name. */
  examples: readonly string[];
  run(call: Call, io: Io): Promise<number>;
}

export const STORE: ArgSpec = { name: "STORE", about: "The store: a URL, or the path of a module" };
export const THREAD: ArgSpec = { name: "THREAD", about: "The thread's id" };
export const JSON_OPTION = { json: { about: "JSON for scripts" } } as const;
export const NAMESPACE_OPTION = {
  ns: { value: "NAMESPACE", about: "The checkpoint namespace of a subgraph; default: the graph itself" },
} as const;
/** Of commands that show values. */
export const VALUE_OPTIONS = {
  full: { about: "Values in full, however long" },
  all: { about: "Also the channels that LangGraph keeps for itself" },
} as const;
export const YES_OPTION = { yes: { short: "y", about: "Do it without asking" } } as const;
