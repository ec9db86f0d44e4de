import { Call } from "./command/call.js";
import { UsageError } from "./command/errors.js";
import { OK } from "./command/exit-codes.js";
import { fail } from "./command/failure.js";
import { commandHelp, programHelp } from "./command/help.js";
import { print, type Io } from "./command/io.js";
import { version } from "./command/version.js";
import { commands } from "./commands/index.js";

/** Carries out a command line, and gives its exit code. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    return fail(error, argv, io);
  }
}

async function dispatch([name, ...rest]: readonly string[], io: Io): Promise<number> {
  if (name === "--version" || name === "-v") {
    print(io.out, version);
    return OK;
  }
  // `help threads` is `threads --help`.
  const asked = name === "help" || name === "--help" || name === "-h" ? rest[0] : name;
  if (asked === undefined) {
    const screen = name === undefined ? io.err : io.out;
    print(
      screen,
      programHelp(Object.entries(commands).map(([each, { summary }]) => ({ name: each, summary }))),
    );
    if (name === undefined) throw new UsageError("Name a command.");
    return OK;
  }
  if (!Object.hasOwn(commands, asked))
    throw new UsageError(
      `There is no command "${asked.slice(0, 40)}". There are: ${Object.keys(commands).join(", ")}.`,
    );
  const spec = await commands[asked as keyof typeof commands].load();
  const call = new Call(spec, asked === name ? rest : ["--help"]);
  if (call.wantsHelp) {
    print(io.out, commandHelp(spec));
    return OK;
  }
  return spec.run(call, io);
}
