// What `npm run demo` and `npm run example` know of the examples and of the packages that they use.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";

/** @typedef {{ name: string, version: string, dependencies?: Record<string, string> }} Manifest */

/**
 * Names of folders under `examples/`.
 *
 * @param {string} root
 */
export function exampleNames(root) {
  return readdirSync(join(root, "examples"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, "examples", entry.name, "src")))
    .map(({ name }) => name);
}

/**
 * Builds the packages that an example uses.
 *
 * @param {string} root
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
export function buildFor(root, name, env) {
  const filter = `--filter=@langgraph-savers/example-${name}^...`;
  const turbo = join(root, "node_modules", ".bin", "turbo");
  return run(turbo, ["run", "build", filter, "--output-logs=errors-only"], { cwd: root, env });
}

/**
 * The packages of this repository that some dependencies lead to, each after those that it needs itself.
 *
 * @param {string} root
 * @param {Record<string, string>} dependencies
 * @returns {Map<string, Manifest & { folder: string }>}
 */
export function ownPackages(root, dependencies, found = new Map()) {
  for (const name of Object.keys(dependencies)) {
    if (!name.startsWith("@langgraph-savers/") || found.has(name)) continue;
    const folder = join(root, "packages", name.slice(name.indexOf("/") + 1));
    /** @type {Manifest} */
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    ownPackages(root, manifest.dependencies ?? {}, found);
    found.set(name, { ...manifest, folder });
  }
  return found;
}
