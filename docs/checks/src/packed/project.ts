import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { publishable } from "../manifests.js";
import { ROOT } from "../markdown/pages.js";

const run = promisify(execFile);

/** What a user has beside the packages: their peers, and a compiler; at the versions of the workspace, which are at hand. */
const BESIDE = [
  "@aws-sdk/client-dynamodb",
  "@langchain/core",
  "@langchain/langgraph",
  "@langchain/langgraph-checkpoint",
  "@types/node",
  "mongodb",
  "typescript",
];

/** A project outside of the workspace that has installed the packages as they would be published. */
export async function projectWithPackages(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "savers-packed-"));
  const packed = await Promise.all(
    publishable().map(async ({ name, folder: from }) => {
      const { stdout } = await run("pnpm", ["pack", "--json", "--pack-destination", folder], { cwd: from });
      return [name, `file:${(JSON.parse(stdout) as { filename: string }).filename}`] as const;
    }),
  );
  const tarballs = Object.fromEntries(packed);
  const manifest = {
    name: "user",
    private: true,
    dependencies: { ...tarballs, ...Object.fromEntries(BESIDE.map((name) => [name, versionOf(name)])) },
    // None of them is published while this runs: those that need another one get it from its tarball.
    pnpm: { overrides: tarballs },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  for (const extension of ["mts", "cts"])
    cpSync(`${ROOT}docs/checks/packed/use.ts`, join(folder, `use.${extension}`));
  await inProject(folder, "pnpm", ["install", "--prefer-offline", "--ignore-scripts", "--ignore-workspace"]);
  return folder;
}

/** Runs a command there; its output, or an error with all of it. */
export async function inProject(
  folder: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    return (await run(command, args, { cwd: folder, env: { ...process.env, NO_COLOR: "1", ...env } })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}

function versionOf(name: string): string {
  const manifest = `${ROOT}docs/checks/node_modules/${name}/package.json`;
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
