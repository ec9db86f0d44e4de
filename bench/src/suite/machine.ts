import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, release, totalmem, type as systemName } from "node:os";
import { dirname, join } from "node:path";

export function machine(): Record<string, string> {
  const processors = cpus();
  return {
    cpu: `${processors.length} × ${processors[0]?.model.trim() ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${systemName()} ${release().split("-")[0]}`,
    node: process.version,
  };
}

const PACKAGES = [
  "@langchain/core",
  "@langchain/langgraph",
  "@langchain/langgraph-checkpoint",
  "@langchain/langgraph-checkpoint-sqlite",
  "@langchain/langgraph-checkpoint-mongodb",
  "@dlcaio/langgraph-checkpoint-dynamodb",
  "mongodb",
  "mongodb6",
  "@aws-sdk/client-dynamodb",
];

export function versions(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const found: Record<string, string> = {};
  for (const name of PACKAGES) {
    const folders = require.resolve.paths(name) ?? [];
    for (const folder of folders) {
      try {
        const manifest = readFileSync(join(dirname(join(folder, name, "x")), "package.json"), "utf8");
        found[name] = (JSON.parse(manifest) as { version: string }).version;
        break;
      } catch {
        // Not in this folder, or not installed at all: then it is not in the results either.
      }
    }
  }
  return found;
}
