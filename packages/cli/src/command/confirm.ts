import { wrap } from "@langgraph-savers/command/terminal";

import { CommandError, UsageError } from "./errors.js";
import type { Io } from "./io.js";

/** Nothing is destroyed unless the user said `--yes`, or says yes now. */
export async function confirm(io: Io, yes: boolean, what: string): Promise<void> {
  if (yes) return;
  if (io.ask === undefined) throw new UsageError(`${what} Nobody can be asked here: pass --yes to do it.`);
  const question = wrap(`${what} Go on? [y/N]`, io.err.columns - 2).join("\n");
  const answer = await io.ask(`${question} `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("Nothing was done.");
}
