import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs the command of @langgraph-savers/cli, as you would in a terminal with `npx` in front. */
export async function langgraphSavers(...args: string[]): Promise<void> {
  const withoutSecrets = args.join(" ").replaceAll(/\/\/[^/@\s]*@/g, "//…@");
  console.log(`\n$ npx langgraph-savers ${withoutSecrets}`);
  // `npm start` and `pnpm start` have it on the PATH.
  const command = spawn("langgraph-savers", args, { stdio: "inherit", shell: process.platform === "win32" });
  const [code] = (await once(command, "exit")) as [number | null];
  if (code !== 0) process.exit(code ?? 1);
}
