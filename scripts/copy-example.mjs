// `npm run example NAME FOLDER`: copies an example to a folder of your own, with the versions that it was tested with.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { endChildrenOnSignal, run } from "./child.mjs";
import { buildFor, exampleNames, ownPackages } from "./examples.mjs";
import { environment, install } from "./set-up.mjs";

/** The version of a package that was never released, so that no registry has it. */
const UNRELEASED = "0.0.0";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const names = exampleNames(root);
const [name, folder] = process.argv.slice(2);
if (name === undefined || folder === undefined || !names.includes(name)) {
  console.log(
    `npm run example NAME FOLDER\n\nNAME is one of:\n${names.map((each) => `  ${each}`).join("\n")}`,
  );
  process.exit(1);
}
// npm runs scripts at the root, and tells where it was called.
const target = resolve(process.env["INIT_CWD"] ?? ".", folder);
if (existsSync(target) && readdirSync(target).length > 0) {
  console.log(`${folder} is not empty. Name a folder that is, or that is not there.`);
  process.exit(1);
}

endChildrenOnSignal();
const source = join(root, "examples", name);
const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
const own = ownPackages(root, manifest.dependencies);
const unreleased = [...own.values()].filter(({ version }) => version === UNRELEASED);
const env = unreleased.length > 0 ? await setUp() : process.env;

const left = new Set(["node_modules", ".results", ".turbo", "checkpoints", "test", "vitest.config.ts"]);
cpSync(source, target, { recursive: true, filter: (path) => !left.has(path.slice(source.length + 1)) });
const packed = await pack();
const workspace = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
for (const dependencies of [manifest.dependencies, manifest.devDependencies ?? {}])
  for (const [dependency, version] of Object.entries(dependencies)) {
    if (version === "catalog:") dependencies[dependency] = catalogVersion(dependency);
    if (own.has(dependency)) dependencies[dependency] = `^${own.get(dependency)?.version}`;
  }
Object.assign(manifest.dependencies, packed);
delete manifest.devDependencies?.vitest;
manifest.name = name;
manifest.scripts = { start: manifest.scripts.start };
writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
const base = JSON.parse(readFileSync(join(root, "tsconfig.base.json"), "utf8"));
writeFileSync(
  join(target, "tsconfig.json"),
  `${JSON.stringify({ ...base, include: ["src"] }, undefined, 2)}\n`,
);
const readme = readFileSync(join(target, "README.md"), "utf8");
writeFileSync(join(target, "README.md"), ownReadme(readme));

console.log(`${name} is in ${target}.`);
if (unreleased.length > 0)
  console.log(
    "The packages that it uses are not released yet: they are with it, in packages/, as built here.",
  );
console.log(`\n  cd ${target}\n  npm install\n  npm start`);

/** Installs and builds here, so that there is something to pack. */
async function setUp() {
  console.log("Setting up (installs and builds on the first run)…");
  const installed = await install(root, environment());
  succeed(installed.result);
  succeed(await buildFor(root, String(name), installed.env));
  return installed.env;
}

/**
 * Packs what no registry has, as it would be published. Those that are needed only by others are named too: else npm
 * would look for them in the registry.
 */
async function pack() {
  /** @type {Record<string, string>} */
  const files = {};
  const destination = join(target, "packages");
  if (unreleased.length > 0) mkdirSync(destination);
  for (const each of unreleased) {
    succeed(await run("pnpm", ["pack", "--pack-destination", destination], { cwd: each.folder, env }));
    files[each.name] = `file:packages/${each.name.slice(1).replace("/", "-")}-${each.version}.tgz`;
  }
  return files;
}

/** @param {{ code: number, output: string }} result */
function succeed({ code, output }) {
  if (code === 0) return;
  console.log(output);
  process.exit(1);
}

/** @param {string} dependency */
function catalogVersion(dependency) {
  const line = workspace
    .split("\n")
    .find((each) => each.trim().replaceAll('"', "").startsWith(`${dependency}:`));
  return line?.split(":").at(-1)?.trim();
}

/**
 * How to run it there; without how to copy it, and without links to what is not there.
 *
 * @param {string} text
 */
function ownReadme(text) {
  return text
    .replaceAll(/^npm run example .*\n/gm, "")
    .replaceAll(/^(.*)npm run demo(?: [a-z][a-z-]+)?/gm, "$1npm start")
    .replaceAll(/\[([^\]]+)\]\(\.\.\/\.\.\/([^)]+)\)/g, "$1 (`$2` of langgraph-savers)")
    .replaceAll(/(?<=npm start[^\n#]*) +# at the root.*$/gm, "");
}
