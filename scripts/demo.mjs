// `npm run demo [EXAMPLE]`: an example, on a machine that has nothing but Node and npm; without a name, the main job.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endChildrenOnSignal } from "./child.mjs";
import { buildFor, exampleNames } from "./examples.mjs";
import { environment, install } from "./set-up.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name = "approval-after-a-kill", ...args] = process.argv.slice(2);
const names = exampleNames(root);
if (!names.includes(name)) {
  console.log(`npm run demo EXAMPLE\n\nEXAMPLE is one of:\n${names.map((each) => `  ${each}`).join("\n")}`);
  process.exit(1);
}

endChildrenOnSignal();
console.log("Setting up (installs and builds on the first run)…");
const { env, result } = await install(root, environment());
const built = result.code === 0 ? await buildFor(root, name, env) : result;
if (built.code === 0) {
  console.log();
  const cwd = join(root, "examples", name);
  const shell = process.platform === "win32";
  const demo = spawn("pnpm", ["--silent", "start", ...args], { cwd, env, shell, stdio: "inherit" });
  demo.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.log(built.output);
  process.exitCode = 1;
}
