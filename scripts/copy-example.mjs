// `pnpm example NAME FOLDER`: copies an example to a folder of your own, with the versions that it was tested with.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const examples = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, "examples", entry.name, "src")))
  .map(({ name }) => name);
const [name, folder] = process.argv.slice(2);
if (name === undefined || folder === undefined || !examples.includes(name)) {
  console.log(
    `pnpm example NAME FOLDER\n\nNAME is one of:\n${examples.map((each) => `  ${each}`).join("\n")}`,
  );
  process.exit(1);
}
const target = resolve(folder);
if (existsSync(target) && readdirSync(target).length > 0) {
  console.log(`${folder} is not empty. Name a folder that is, or that is not there.`);
  process.exit(1);
}

const source = join(root, "examples", name);
const left = new Set(["node_modules", ".results", ".turbo", "test", "vitest.config.ts"]);
cpSync(source, target, { recursive: true, filter: (path) => !left.has(path.slice(source.length + 1)) });

const workspace = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
const manifest = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
for (const dependencies of [manifest.dependencies, manifest.devDependencies ?? {}])
  for (const [dependency, version] of Object.entries(dependencies)) {
    if (version === "catalog:") dependencies[dependency] = catalogVersion(dependency);
    if (String(version).startsWith("workspace:")) dependencies[dependency] = `^${ownVersion(dependency)}`;
  }
delete manifest.devDependencies?.vitest;
manifest.name = name;
manifest.scripts = { start: manifest.scripts.start };
writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
const base = JSON.parse(readFileSync(join(root, "tsconfig.base.json"), "utf8"));
const own = { ...base, include: ["src"] };
writeFileSync(join(target, "tsconfig.json"), `${JSON.stringify(own, undefined, 2)}\n`);
console.log(`${name} is in ${folder}. Next: cd ${folder} && npm install && npm start`);

/** @param {string} dependency */
function catalogVersion(dependency) {
  const line = workspace
    .split("\n")
    .find((each) => each.trim().replaceAll('"', "").startsWith(`${dependency}:`));
  return line?.split(":").at(-1)?.trim();
}

/** @param {string} dependency */
function ownVersion(dependency) {
  const folderName = dependency.split("/")[1];
  return JSON.parse(readFileSync(join(root, "packages", folderName, "package.json"), "utf8")).version;
}
