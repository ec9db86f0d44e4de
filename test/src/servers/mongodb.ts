import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import { newerLibc } from "./newer-libc.js";

export { FAULT_KINDS, startFaultProxy, type Fault, type FaultProxy } from "./fault-proxy.js";
export { connectTo, HEADER_BYTES, messages, OP_MSG } from "./wire.js";

const SERVE = fileURLToPath(new URL("./serve-mongodb.mjs", import.meta.url));

export interface MongoServer {
  uri: string;
  /** Ends the server and removes its data. Where the server is not ours, does nothing. */
  stop(): Promise<void>;
}

export interface OwnMongoServer extends MongoServer {
  /** Ends the server as a power cut would end its process; the data stays. */
  kill(): Promise<void>;
  /** Starts it again on its data, under the same address. */
  restart(): Promise<void>;
  /** Stops its process where it is, until `resume`. */
  pause(): void;
  resume(): void;
}

/** The server that `MONGODB_URI` names, or one of our own. */
export async function startMongoServer(): Promise<MongoServer> {
  const uri = process.env["MONGODB_URI"];
  return uri ? { uri, stop: async () => {} } : startOwnMongoServer();
}

/** A server that may be killed: a `mongod` on the PATH, else MongoDB's code as the embedded engine. */
export async function startOwnMongoServer(): Promise<OwnMongoServer> {
  const folder = await mkdtemp(join(tmpdir(), "savers-mongodb-"));
  const mongod = onPath("mongod");
  let launch: string[];
  try {
    launch = mongod === undefined ? [...(await newerLibc()), process.execPath] : [process.execPath];
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw noServer(error);
  }
  let running = await serve(launch, folder, mongod, "");
  const { uri } = running;
  const port = /:(\d+)\//.exec(uri)?.[1] ?? "";
  return {
    uri,
    async kill() {
      process.kill(running.pid, "SIGKILL");
      await running.ended;
    },
    async restart() {
      running = await serve(launch, folder, mongod, port);
    },
    pause() {
      process.kill(running.pid, "SIGSTOP");
    },
    resume() {
      process.kill(running.pid, "SIGCONT");
    },
    async stop() {
      running.child.stdin!.end();
      await running.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  child: ChildProcess;
  uri: string;
  pid: number;
  ended: Promise<void>;
}

async function serve(launch: string[], folder: string, mongod = "", port: string): Promise<Running> {
  const [command, ...args] = [...launch, SERVE, folder, mongod, port];
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    // The engine makes its sockets under the folder for temporary files: they go with the rest.
    env: { ...process.env, TMPDIR: folder, NODE_OPTIONS: "" },
    // A Ctrl-C in the terminal reaches the test run, which then ends this one by closing its stdin.
    detached: true,
  });
  let output = "";
  const keep = (text: Buffer) => {
    output = (output + text.toString()).slice(-4000);
  };
  child.stderr.on("data", keep);
  const ended = new Promise<void>((resolve) => {
    child.once("close", (_, signal) => {
      // The engine is an alpha: a crash of its own must not look like a fault of what is tested.
      if (signal === "SIGSEGV" || signal === "SIGABRT")
        console.error(`The MongoDB server crashed (${signal}).`);
      resolve();
    });
    child.once("error", () => resolve());
  });
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n")) resolve(text);
    });
    child.once("error", reject);
    void ended.then(() => reject(noServer(output)));
  });
  return { child, ended, ...(JSON.parse(line) as { uri: string; pid: number }) };
}

function onPath(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}

function noServer(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `There is no MongoDB server for the tests (${reason.trim()}). Set MONGODB_URI, put mongod on the PATH, ` +
      "or run on Debian 12 or a system with glibc 2.38, where the tests bring one.",
    { cause },
  );
}
