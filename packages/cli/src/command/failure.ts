import { LoadError } from "@langgraph-savers/command/modules";
import { paints, printable } from "@langgraph-savers/command/terminal";

import { commands } from "../commands/index.js";
import { redacted, secretsIn } from "../stores/redact.js";
import { CommandError, NotFoundError, UsageError } from "./errors.js";
import { FAILED, NEGATIVE } from "./exit-codes.js";
import { PROGRAM } from "./help.js";
import { print, printSentences, type Io } from "./io.js";

/** Says what went wrong, without any secret that the arguments held, and gives the exit code. */
export async function fail(error: unknown, argv: readonly string[], io: Io): Promise<number> {
  const secrets = argv.flatMap(secretsIn);
  const paint = paints(io.err.colour);
  const clean = (text: string) => printable(redacted(text, secrets));
  printSentences(io.err, paint.red("✗"), clean(await describe(error)));
  if (error instanceof UsageError) print(io.err, `See ${PROGRAM} ${commandOf(argv)}--help.`);
  // For a bug report; what the store said is in the causes.
  if ((io.env["DEBUG"] ?? "") !== "" && error instanceof Error) {
    for (let at: unknown = error; at instanceof Error; at = at.cause)
      print(io.err, clean(at.stack ?? at.message));
  }
  return error instanceof NotFoundError ? NEGATIVE : FAILED;
}

async function describe(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  const isOurs = [UsageError, CommandError, NotFoundError, LoadError].some((kind) => error instanceof kind);
  if (isOurs) return error.message;
  // Not at the top: it loads LangChain, which most of what can go wrong does not need.
  const { isSaverError } = await import("@langgraph-savers/core");
  if (isSaverError(error)) return `${error.message.replace(/^\[@langgraph-savers\] /, "")} [${error.code}]`;
  return `${error.name}: ${error.message || "no message"}`;
}

function commandOf(argv: readonly string[]): string {
  const [first] = argv;
  return first !== undefined && Object.hasOwn(commands, first) ? `${first} ` : "";
}
