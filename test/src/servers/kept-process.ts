import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A server for tests: where it listens, and how to end it. */
export interface TestServer {
  endpoint: string;
  stop(): Promise<void>;
}

const KEEPER = fileURLToPath(new URL("keeper.mjs", import.meta.url));
const START_MS = 60_000;

/** Starts a server in a process of its own, which cannot outlive this one, and waits until it answers over HTTP. */
export async function startKept(command: string, args: (port: number) => string[]): Promise<TestServer> {
  const port = await freePort();
  const keeper = spawn(process.execPath, [KEEPER, command, ...args(port)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [keeper.stdout, keeper.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output = (output + text).slice(-4000)));
  let exitCode: number | null | undefined;
  const exited = new Promise<void>((resolve) => {
    keeper.once("exit", (code) => {
      exitCode = code;
      resolve();
    });
  });
  const endpoint = `http://127.0.0.1:${port}`;
  for (const start = performance.now(); ;) {
    if (exitCode !== undefined) throw new Error(`${command} ended with code ${exitCode}\n${output}`);
    if (await answers(endpoint)) break;
    if (performance.now() - start > START_MS) throw new Error(`${command} does not answer\n${output}`);
    await sleep(50);
  }
  return {
    endpoint,
    stop: async () => {
      keeper.stdin.end();
      await exited;
    },
  };
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(2000) });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
