import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";

/**
 * Finds the pnpm that package.json pins: the one on PATH if its version is exactly that, else the one that npm
 * fetches into its own cache. (Corepack is no option: it is not part of every Node.)
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<NodeJS.ProcessEnv>} an environment in which `pnpm` is that version, also for turbo and
 *   publint, which call it themselves
 */
export async function bringPnpm(root, env) {
  const version = pinnedVersion(root);
  const onPath = await run("pnpm", ["--version"], {
    cwd: root,
    // Else another pnpm would download the pinned one and answer with that version.
    env: { ...env, npm_config_manage_package_manager_versions: "false" },
  });
  if (onPath.code === 0 && onPath.stdout.trim() === version) return env;

  // npm exec puts the fetched package first on PATH; asking once is faster than one npm exec per step.
  const args = ["exec", "--yes", `--package=pnpm@${version}`, "--", "node", "-p", "process.env.PATH"];
  const fetched = await run("npm", args, { cwd: root, env });
  const path = fetched.stdout.trim().split("\n").at(-1);
  if (fetched.code !== 0 || !path) throw new Error(`npm could not bring pnpm ${version}\n${fetched.output}`);
  const others = Object.entries(env).filter(([name]) => name.toUpperCase() !== "PATH");
  return { ...Object.fromEntries(others), PATH: path };
}

/** @param {string} root */
function pinnedVersion(root) {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const version = /^pnpm@(\d+\.\d+\.\d+)/.exec(packageManager ?? "")?.[1];
  if (version === undefined) throw new Error('package.json must pin "packageManager": "pnpm@x.y.z"');
  return version;
}
