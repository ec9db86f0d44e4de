import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { run } from "./run.js";

export const packageRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const workspaceRoot = dirname(dirname(packageRoot));

const shared = ["@langchain/core", "@langchain/langgraph", "@langchain/langgraph-checkpoint"];
const official = {
  "@langchain/langgraph-checkpoint-mongodb": "1.4.1",
  "@langchain/langgraph-checkpoint-sqlite": "1.0.4",
};
const drivers = { mongodb: "7.8.0", "@aws-sdk/client-dynamodb": "3.1162.0" };
const own = ["core", "file", "mongodb", "dynamodb"];

export interface Project {
  folder: string;
  /** What is installed, as `name version`. */
  installed: string[];
  remove(): void;
}

/** A project as a user would have it: the official savers from the registry and ours as they would be published. */
export async function makeProject(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), "matrix-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const tarballs = await packOwn(folder);
    const versions = { ...Object.fromEntries(shared.map((name) => [name, versionOf(name)])), ...official };
    const manifest = {
      private: true,
      dependencies: { ...versions, ...drivers, ...tarballs },
      // Ours ask for each other by a version that the registry may not have yet.
      pnpm: { overrides: tarballs, onlyBuiltDependencies: ["better-sqlite3"] },
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    await run("pnpm", ["install", "--ignore-workspace", "--no-frozen-lockfile"], { folder });
    return {
      folder,
      installed: Object.entries(versions).map(([name, version]) => `${name} ${version}`),
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function packOwn(folder: string): Promise<Record<string, string>> {
  const tarballs: Record<string, string> = {};
  for (const name of own) {
    const source = join(workspaceRoot, "packages", name);
    if (!existsSync(source)) continue;
    const tarball = join(folder, `${name}.tgz`);
    await run("pnpm", ["pack", "--out", tarball], { folder: source });
    tarballs[`@langgraph-savers/${name}`] = `file:${tarball}`;
  }
  return tarballs;
}

function versionOf(name: string): string {
  const manifest = readFileSync(join(packageRoot, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
