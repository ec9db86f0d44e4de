import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { rounded } from "../suite/numbers.js";
import { outcome, type Outcome } from "../suite/results.js";
import type { Workload } from "../suite/workload.js";
import type { SubjectId } from "../subjects/registry.js";
import { installedBytes } from "./installed.js";

const HERE = fileURLToPath(new URL("../../", import.meta.url));

/** Shipped anyway, whichever saver is used. */
const LANGCHAIN = ["@langchain/core", "@langchain/langgraph", "@langchain/langgraph-checkpoint"];

interface Package {
  name: string;
  exported: string;
  /** What a user installs beside it. */
  driver: string[];
  /** What a user installs for an option only, and bundlers then leave out. */
  optional?: string[];
  /** A native driver cannot be bundled. */
  bundles: boolean;
}

const PACKAGES: Partial<Record<SubjectId, Package>> = {
  "file-sync": { name: "@langgraph-savers/file", exported: "FileSaver", driver: [], bundles: true },
  "sqlite-full": {
    name: "@langchain/langgraph-checkpoint-sqlite",
    exported: "SqliteSaver",
    driver: [],
    bundles: false,
  },
  mongodb: {
    name: "@langgraph-savers/mongodb",
    exported: "MongoDBSaver",
    driver: ["mongodb"],
    bundles: true,
  },
  "mongodb-official": {
    name: "@langchain/langgraph-checkpoint-mongodb",
    exported: "MongoDBSaver",
    driver: [],
    bundles: true,
  },
  dynamodb: {
    name: "@langgraph-savers/dynamodb",
    exported: "DynamoDBSaver",
    driver: ["@aws-sdk/client-dynamodb"],
    optional: ["@aws-sdk/client-s3"],
    bundles: true,
  },
  "dynamodb-dlcaio": {
    name: "@dlcaio/langgraph-checkpoint-dynamodb",
    exported: "DynamoDBSaver",
    driver: [],
    bundles: true,
  },
};

/** What the package itself costs: to load, to install, to ship in a function. */
export const footprint: Workload = {
  id: "footprint",
  title: "Import, install and bundle",
  about: () =>
    "Import: a new process that has loaded LangGraph's checkpoint package imports the saver's. Installed: the package and " +
    "its driver. Bundled: by esbuild, for Node, without what only an option needs.",
  step: "process",
  main: "import",
  takes: ({ id }) => PACKAGES[id] !== undefined,
  seconds: { file: 8, mongodb: 12, dynamodb: 20 },
  async run({ subjects, scale, progress }) {
    const outcomes = subjects.map(({ id }) => outcome(id));
    for (const result of outcomes) await sizes(result, PACKAGES[result.subject]!);
    const processes = scale === "full" ? 9 : 3;
    for (let at = 0; at < processes; at++) {
      for (const { subject, measures } of outcomes)
        (measures.import ??= []).push(rounded(importTime(PACKAGES[subject]!.name)));
      progress((at + 1) / processes, "");
    }
    return outcomes;
  },
};

async function sizes(
  { measures }: Outcome,
  { name, exported, driver, optional = [], bundles }: Package,
): Promise<void> {
  measures.install = [installedBytes(HERE, [name, ...driver])];
  if (!bundles) return;
  measures.bundle = [await bundledBytes(name, exported, [...LANGCHAIN, ...optional])];
  const drivers = ["mongodb", "@aws-sdk/*", "@smithy/*"];
  measures.bundleOwn = [await bundledBytes(name, exported, [...LANGCHAIN, ...drivers])];
}

async function bundledBytes(name: string, exported: string, external: string[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${exported} } from "${name}";`, resolveDir: HERE },
    // A native add-on that the driver can do without.
    external: [
      ...external,
      "*.node",
      "kerberos",
      "snappy",
      "@mongodb-js/zstd",
      "mongodb-client-encryption",
      "socks",
    ],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
  return outputFiles.reduce((sum, { contents }) => sum + contents.byteLength, 0);
}

function importTime(name: string): number {
  const script =
    'await import("@langchain/langgraph-checkpoint"); const start = performance.now(); ' +
    `await import("${name}"); console.log(performance.now() - start);`;
  return Number(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: HERE, encoding: "utf8" }),
  );
}
