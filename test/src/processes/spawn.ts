import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A process of a test, and what it printed in the end: one JSON value. */
export interface TestProcess<T> {
  child: ChildProcess;
  result: Promise<T>;
}

/** Starts a script of this folder, or one by its whole address, with one JSON argument. */
export function start<T>(script: string, job: unknown): TestProcess<T> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, JSON.stringify(job)], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  const result = new Promise<T>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(JSON.parse(output) as T);
      else reject(new Error(`${script} ended with ${String(code ?? signal)}: ${errors}`));
    });
  });
  // Whoever waits for it hears of a failure; nobody may wait yet.
  result.catch(() => {});
  return { child, result };
}
