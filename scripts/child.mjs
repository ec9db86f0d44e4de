import { spawn } from "node:child_process";

const windows = process.platform === "win32";
const GRACE_MS = 10_000;
/** No step takes this long; a test that spins without ever yielding is out of reach of vitest's own timeouts. */
const LIMIT_MS = 45 * 60_000;

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
let interrupted = false;

/**
 * Runs a command to its end and keeps its output, so that the caller decides how much of it to show.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, stdout: string, output: string }>} output: stdout and stderr as they came
 */
export function run(command, args, { cwd, env }) {
  // After a Ctrl-C nothing new may start: the promise stays open and the process ends by its signal handler.
  if (interrupted) return new Promise(() => {});
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, so that a signal reaches the grandchildren too.
      detached: !windows,
      // npm and pnpm are .cmd files on Windows, which only a shell starts.
      shell: windows,
    });
    running.add(child);
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      output += `\nEnded after ${LIMIT_MS / 60_000} minutes without a result.\n`;
      end(child, "SIGTERM");
      setTimeout(() => end(child, "SIGKILL"), GRACE_MS).unref();
    }, LIMIT_MS);
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.on("error", (error) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code: 1, stdout, output: `${output}${error.message}\n` });
    });
    child.on("close", (code) => {
      clearTimeout(limit);
      running.delete(child);
      // turbo ends with 0 when it is told to end.
      if (!interrupted) resolve({ code: late ? 1 : (code ?? 1), stdout, output });
    });
  });
}

/** Makes Ctrl-C, a termination and a closed terminal end every child before this process ends. */
export function endChildrenOnSignal() {
  for (const [signal, code] of /** @type {const} */ ([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])) {
    process.on(signal, () => {
      // npm forwards the signal that the terminal has already sent: one is enough.
      if (interrupted) return;
      interrupted = true;
      console.log("\nInterrupted.");
      for (const child of running) {
        child.once("close", () => process.exit(code));
        end(child, "SIGTERM");
      }
      if (running.size === 0) process.exit(code);
      setTimeout(() => {
        for (const child of running) end(child, "SIGKILL");
        process.exit(code);
      }, GRACE_MS);
    });
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function end(child, signal) {
  try {
    if (windows || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It ended by itself in the meantime.
  }
}
