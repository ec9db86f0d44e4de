import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished } from "vitest";

/** An empty folder for what an example writes; gone when the test is over. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "langgraph-savers-example-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * What `pnpm start` of an example prints; it must end well and say nothing on standard error. `onOutput` is told of all
 * that was printed so far, each time there is more: to do what the example asks its user to do.
 */
export async function run(
  name: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
  onOutput: (output: string) => void = () => {},
): Promise<string> {
  const folder = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const binaries = join(folder, "node_modules", ".bin");
  const child = spawn(process.execPath, ["--import", "tsx", join(folder, "src", "main.ts"), ...args], {
    cwd: folder,
    env: { ...process.env, PATH: `${binaries}${delimiter}${process.env["PATH"]}`, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
    onOutput(output);
  });
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect({ code, errors }, output).toEqual({ code: 0, errors: "" });
  return output;
}
