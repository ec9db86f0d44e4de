import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

import { PACKAGE, type Ran } from "./command.js";

const MAIN = join(PACKAGE, "dist", "main.mjs");

/** The built command in a process of its own. */
export function spawned(
  argv: readonly string[],
  {
    folder = PACKAGE,
    env = {},
    input = "",
  }: { folder?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): { child: ChildProcess; ended: Promise<Ran & { signal: NodeJS.Signals | null }> } {
  const child = spawn(process.execPath, [MAIN, ...argv], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  const ended = new Promise<Ran & { signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: code ?? -1, signal, ...texts }));
  });
  return { child, ended };
}
