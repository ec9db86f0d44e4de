import { CommandError, UsageError } from "./errors.js";
import type { Io } from "./io.js";

/** Nothing is destroyed unless the user said `--yes`, or says yes now. */
export async function confirm(io: Io, yes: boolean, what: string): Promise<void> {
  if (yes) return;
  if (io.ask === undefined) throw new UsageError(`${what} Nobody can be asked here: pass --yes to do it.`);
  const answer = await io.ask(`${what} Go on? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("Nothing was done.");
}
