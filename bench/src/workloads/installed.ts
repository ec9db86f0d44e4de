import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { bytesIn } from "../subjects/folder.js";

interface Manifest {
  name: string;
  files?: string[];
  dependencies?: Record<string, string>;
}

/** Comes with LangGraph, whichever saver is used. */
const WITH_LANGGRAPH = /^@langchain\/(core|langgraph|langgraph-checkpoint|langgraph-sdk)$/;

/** Bytes that installing the packages puts on the disk, with all that they depend on and without LangGraph's own. */
export function installedBytes(from: string, packages: readonly string[]): number {
  const seen = new Set<string>();
  let bytes = 0;
  const add = (name: string, parent: string): void => {
    const folder = folderOf(name, parent);
    if (folder === undefined || seen.has(folder)) return;
    seen.add(folder);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    bytes += packageBytes(folder, manifest);
    for (const dependency of Object.keys(manifest.dependencies ?? {}))
      if (!WITH_LANGGRAPH.test(dependency)) add(dependency, folder);
  };
  for (const name of packages) add(name, from);
  return bytes;
}

/** As Node looks for it; undefined for an optional one that is not there. */
function folderOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(candidate)) return realpathSync(candidate);
    if (dirname(folder) === folder) return undefined;
  }
}

/** A package of this repository is a folder with more than what is published of it. */
function packageBytes(folder: string, { name, files }: Manifest): number {
  const whole = !name.startsWith("@langgraph-savers/");
  const parts = whole || files === undefined ? ["."] : ["package.json", ...files];
  return parts.reduce((sum, part) => {
    const path = join(folder, part);
    if (!existsSync(path)) return sum;
    return sum + (statSync(path).isDirectory() ? bytesIn(path, ["node_modules"]) : statSync(path).size);
  }, 0);
}
