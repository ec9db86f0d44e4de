import { spawn } from "node:child_process";

/** Runs a program with its output on the screen, and gives its exit code; another than those expected is an error. */
export function run(
  program: string,
  args: readonly string[],
  { folder, expected = [0] }: { folder: string; expected?: readonly number[] },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== null && expected.includes(code)) resolve(code);
      else reject(new Error(`${program} ${args[0]} ended with ${code}`));
    });
  });
}
