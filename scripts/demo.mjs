// `npm run demo`: the main job on a machine that has nothing but Node and npm.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endChildrenOnSignal, run } from "./child.mjs";
import { environment, install } from "./set-up.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const example = join(root, "examples", "approval-after-a-kill");

endChildrenOnSignal();
console.log("Setting up (installs and builds on the first run)…");
const { env, result } = await install(root, environment());
const built = result.code === 0 ? await build() : result;
if (built.code === 0) {
  console.log();
  const demo = spawn("pnpm", ["--silent", "start"], { cwd: example, env, stdio: "inherit" });
  demo.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.log(built.output);
  process.exitCode = 1;
}

function build() {
  const args = ["run", "build", "--filter=@langgraph-savers/file", "--output-logs=errors-only"];
  return run(join(root, "node_modules", ".bin", "turbo"), args, { cwd: root, env });
}
