import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { installedFolder } from "@langgraph-savers/command/modules";

import { version } from "../command/version.js";
import type { StoreKind } from "../stores/store.js";
import { bad, info, ok, warn, type Check } from "./check.js";

const PACKAGES: Record<StoreKind, readonly string[]> = {
  file: ["@langgraph-savers/file"],
  mongodb: ["@langgraph-savers/mongodb", "mongodb"],
  dynamodb: ["@langgraph-savers/dynamodb", "@aws-sdk/client-dynamodb"],
  "official-mongodb": ["@langchain/langgraph-checkpoint-mongodb"],
  "official-sqlite": ["@langchain/langgraph-checkpoint-sqlite"],
  module: [],
};
const OLDEST_NODE: readonly [number, number] = [20, 19];

/** Which versions work together here. */
export function* versionChecks(kind: StoreKind, folder: string): Generator<Check> {
  yield node();
  const names = [...PACKAGES[kind], "@langchain/langgraph-checkpoint", "@langchain/core"];
  const found = names.map((name) => [name, versionOf(folder, name)] as const);
  for (const [name, each] of found)
    if (each === undefined && PACKAGES[kind].includes(name))
      yield bad("packages", `${name} is not installed`, `Install it: npm install ${name}`);
  yield info(
    "packages",
    [["@langgraph-savers/cli", version] as const, ...found]
      .flatMap(([name, each]) => (each === undefined ? [] : [`${name}@${each}`]))
      .join(", "),
  );
  const own = found.find(([name]) => name.startsWith("@langgraph-savers/"))?.[1];
  if (own !== undefined && minorOf(own) !== minorOf(version))
    yield warn("versions", `the command is ${version}, the saver ${own}`, "Use the same release of both.");
}

function node(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return isOld
    ? bad("Node.js", process.version, `Update Node.js: ${OLDEST_NODE.join(".")} is the oldest that works.`)
    : ok("Node.js", process.version);
}

function minorOf(each: string): string {
  return each.split(".").slice(0, 2).join(".");
}

/** Read from its package.json, which is above the module that `import` finds. */
function versionOf(folder: string, name: string): string | undefined {
  let at: string;
  try {
    at = installedFolder(folder, name);
  } catch {
    return undefined;
  }
  for (; at !== dirname(at); at = dirname(at)) {
    try {
      const manifest = JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as {
        name?: string;
        version?: string;
      };
      if (manifest.name === name) return manifest.version;
    } catch {
      // Not here: further up.
    }
  }
  return undefined;
}
