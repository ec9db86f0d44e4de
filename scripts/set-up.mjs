import { run } from "./child.mjs";
import { bringPnpm } from "./pnpm.mjs";

/**
 * What every command of the workspace runs with.
 *
 * @returns {NodeJS.ProcessEnv}
 */
export function environment() {
  return {
    ...process.env,
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    TURBO_PRINT_VERSION_DISABLED: "1",
    // Never a remote cache, also on a machine that is logged in to one.
    TURBO_CACHE: "local:rw",
    // Turbo does not hash the Node that runs it, yet another Node must not be given this one's results.
    SAVERS_NODE_VERSION: process.version,
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
    npm_config_audit: "false",
  };
}

/**
 * Brings the pinned pnpm and installs from the lockfile.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} base
 * @returns {Promise<{ env: NodeJS.ProcessEnv, result: { code: number, output: string } }>} env: with that pnpm on PATH
 */
export async function install(root, base) {
  const env = await bringPnpm(root, base);
  const args = ["install", "--frozen-lockfile", "--config.confirmModulesPurge=false"];
  return { env, result: await run("pnpm", args, { cwd: root, env }) };
}
