import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { installedFolder } from "@langgraph-savers/command/modules";

import { FAILED, INTERRUPTED } from "../command/exit-codes.js";
import type { CommandSpec } from "../command/spec.js";

const KIT = "@langgraph-savers/conformance";

export const conformance: CommandSpec = {
  name: "conformance",
  summary: `Judges a saver by ${KIT}, which must be installed.`,
  args: [
    {
      name: "ARGUMENT",
      about: "All arguments are the kit's: targets and options",
      rest: true,
      optional: true,
    },
  ],
  options: {},
  passesOn: true,
  details: [
    "A target is a module that creates savers over empty storage, or one of the kit's own names, such as file. The " +
      'kit makes and removes that storage itself; it does not take a store. "conformance -- --help" lists its options.',
  ],
  examples: ["conformance ./my-saver.ts", 'conformance ./my-saver.ts --only "put.*"', "conformance --list"],
  async run(call, io) {
    const folder = await packageFolder(installedFolder(io.folder, KIT));
    const { bin } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      bin: Record<string, string>;
    };
    const [command = ""] = Object.values(bin);
    // The terminal is handed over too: the kit draws on it, and hears of Ctrl-C itself.
    return io.untilInterrupted(
      (signal) =>
        new Promise((resolve, reject) => {
          const child = spawn(process.execPath, [join(folder, command), ...call.rest], {
            cwd: io.folder,
            env: io.env,
            stdio: "inherit",
          });
          signal.addEventListener("abort", () => child.kill());
          child.on("error", reject);
          child.on("close", (code) => resolve(signal.aborted ? INTERRUPTED : (code ?? FAILED)));
        }),
    );
  },
};

/** From the folder of the module that `import` finds up to the one of its package. */
async function packageFolder(folder: string): Promise<string> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (text !== undefined && (JSON.parse(text) as { name?: string }).name === KIT) return folder;
  return packageFolder(dirname(folder));
}
