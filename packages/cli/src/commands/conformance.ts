import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { installedFolder } from "@langgraph-savers/command/modules";

import { FAILED } from "../command/exit-codes.js";
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
  details: [
    "A target is a module that creates savers over empty storage, or one of the kit's own names, such as file. The " +
      'kit makes and removes that storage itself; it does not take a store. Put "--" before its options.',
  ],
  examples: [
    "conformance ./my-saver.ts",
    'conformance -- ./my-saver.ts --only "put.*"',
    "conformance -- --list",
  ],
  async run(call, io) {
    const folder = await packageFolder(installedFolder(io.folder, KIT));
    const { bin } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      bin: Record<string, string>;
    };
    const [command = ""] = Object.values(bin);
    const child = spawn(process.execPath, [join(folder, command), ...call.rest], {
      cwd: io.folder,
      env: io.env,
      stdio: ["inherit", "pipe", "pipe"],
    });
    child.stdout.pipe(io.out.stream, { end: false });
    child.stderr.pipe(io.err.stream, { end: false });
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code ?? FAILED));
    });
  },
};

/** From the folder of the module that `import` finds up to the one of its package. */
async function packageFolder(folder: string): Promise<string> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (text !== undefined && (JSON.parse(text) as { name?: string }).name === KIT) return folder;
  return packageFolder(dirname(folder));
}
