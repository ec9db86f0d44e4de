import { parseArgs } from "node:util";

import { type ReporterName, reporters } from "../reporters/index.js";
import { UsageError } from "./usage-error.js";

/** A reporter, and the file it writes; without one it has the screen. */
interface ReporterRequest {
  name: ReporterName;
  file: string | undefined;
}

export interface RunOptions {
  targets: string[];
  only: string[];
  reporters: ReporterRequest[];
  badge: string | undefined;
  timeoutScale: number;
}

export type Command =
  | { action: "help" }
  | { action: "version" }
  | { action: "list"; only: string[] }
  | ({ action: "run" } & RunOptions);

/** What the arguments ask for, or a `UsageError` that says what is wrong with them. */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help === true) return { action: "help" };
  if (values.version === true) return { action: "version" };
  const only = values.only ?? [];
  if (values.list === true) return { action: "list", only };
  if (positionals.length === 0)
    throw new UsageError("Name a target: the path of a module, or a built-in one.");
  return {
    action: "run",
    targets: positionals,
    only,
    reporters: reporterRequests(values.reporter ?? [], values.output),
    badge: values.badge,
    timeoutScale: timeoutScale(values["timeout-scale"]),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        reporter: { type: "string", multiple: true, short: "r" },
        output: { type: "string", short: "o" },
        only: { type: "string", multiple: true },
        list: { type: "boolean" },
        "timeout-scale": { type: "string" },
        badge: { type: "string" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function reporterRequests(asked: readonly string[], output: string | undefined): ReporterRequest[] {
  const requests = asked.map(reporterRequest);
  if (output !== undefined) {
    const [free, ...others] = requests.filter(({ file }) => file === undefined);
    if (free === undefined || others.length > 0)
      throw new UsageError(
        "--output names the file of one reporter. With several, write each as --reporter html=report.html.",
      );
    free.file = output;
  }
  const onScreen = requests.filter(({ name, file }) => file === undefined && name !== "terminal");
  if (onScreen.length > 1)
    throw new UsageError(
      `Only one of ${onScreen.map(({ name }) => name).join(" and ")} can be printed. Give the other a file: --reporter ${onScreen[1]?.name}=FILE`,
    );
  // Who asks for files only still wants to read how it went.
  const screenIsFree = requests.every(({ file }) => file !== undefined);
  return screenIsFree ? [{ name: "terminal", file: undefined }, ...requests] : requests;
}

function reporterRequest(asked: string): ReporterRequest {
  const [, name = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(asked) ?? [];
  if (!isReporterName(name))
    throw new UsageError(`There is no reporter "${name}". There are: ${Object.keys(reporters).join(", ")}`);
  if (file === "") throw new UsageError(`--reporter ${name}= names no file.`);
  return { name, file };
}

function isReporterName(name: string): name is ReporterName {
  return Object.hasOwn(reporters, name);
}

function timeoutScale(asked: string | undefined): number {
  if (asked === undefined) return 1;
  const scale = Number(asked);
  if (asked.trim() === "" || !Number.isFinite(scale) || scale <= 0)
    throw new UsageError(`--timeout-scale takes a number above 0, not "${asked}".`);
  return scale;
}
