import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { build } from "esbuild";

import type { ChildReport, ChildTask } from "./task.js";

const run = promisify(execFile);
/** Inside the package: the bundle leaves all packages out, and finds them from there. */
const CACHE = fileURLToPath(new URL("../../.cache/", import.meta.url));

let bundled: Promise<string> | undefined;

export async function runChild(task: ChildTask): Promise<ChildReport> {
  bundled ??= bundle();
  const args = ["--no-warnings", await bundled, JSON.stringify(task)];
  try {
    return JSON.parse((await run(process.execPath, args)).stdout) as ChildReport;
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    const reason = /^\w*Error: .*$/m.exec(stderr)?.[0] ?? "it said nothing";
    throw new Error(`the process for ${task.subject} failed: ${reason}`, { cause: error });
  }
}

async function bundle(): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL("main.ts", import.meta.url))],
    outdir: CACHE,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
  });
  return join(CACHE, "main.mjs");
}
