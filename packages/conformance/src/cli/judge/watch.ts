import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import type { Assignment, JudgeMessage } from "./messages.js";

/** How a judging process ended. */
export type Ending =
  | Extract<JudgeMessage, { type: "done" }>
  | Extract<JudgeMessage, { type: "refused" }>
  /** It ended before it was done, in words: `exit code 1`. */
  | { type: "died"; how: string };

export interface Watcher {
  onMessage(message: JudgeMessage): void;
  /** What the saver printed. */
  onOutput(text: string): void;
}

/**
 * Seconds without a sign of life, at a scale of 1, after which a process counts as blocked. A saver over a synchronous
 * driver may block for long on a slow disk and still be right; most scenarios may take a third of this.
 */
const BLOCKED_AFTER_S = 60;
/** The same while it loads: a slow disk under LangGraph and a compiler is no fault of the saver's. */
const NOT_LOADED_AFTER_S = 90;

const LAST_WORDS_MS = 1000;

/** Runs an assignment in a process of its own, and ends that process whatever the saver does to it. */
export async function watchJudge(assignment: Assignment, watcher: Watcher): Promise<Ending> {
  const child = fork(fileURLToPath(new URL("judge.mjs", import.meta.url)), [], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const endWithUs = () => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  try {
    return await followed(child, assignment, watcher);
  } finally {
    process.removeListener("exit", endWithUs);
  }
}

function followed(child: ChildProcess, assignment: Assignment, watcher: Watcher): Promise<Ending> {
  return new Promise((resolve) => {
    let ending: Ending | undefined;
    let silentSeconds = 0;
    // Counted in ticks, not read off the clock: a laptop that slept for an hour has not heard from it either.
    let patience = NOT_LOADED_AFTER_S;
    const watchdog = setInterval(() => {
      silentSeconds += 1;
      if (silentSeconds < patience) return;
      ending ??= { type: "died", how: `it blocked the event loop for ${patience} s` };
      child.kill("SIGKILL");
    }, 1000);

    child.on("message", (message: JudgeMessage) => {
      silentSeconds = 0;
      if (message.type === "done" || message.type === "refused") ending ??= message;
      else watcher.onMessage(message);
      if (message.type === "loaded")
        patience = Math.max(2, Math.ceil(BLOCKED_AFTER_S * assignment.timeoutScale));
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8");
      stream?.on("data", (text: string) => watcher.onOutput(text));
    }
    child.on("error", (error) => {
      ending ??= { type: "died", how: error.message };
      // One that could not be started has no end to wait for.
      if (child.pid === undefined) {
        clearInterval(watchdog);
        resolve(ending);
      }
    });
    child.on("exit", (code, signal) => {
      clearInterval(watchdog);
      ending ??= { type: "died", how: signal === null ? `exit code ${code}` : `signal ${signal}` };
      const settled = ending;
      // What it printed last comes in after its end. A server that it started may hold the pipes open for ever.
      const late = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, LAST_WORDS_MS);
      child.once("close", () => {
        clearTimeout(late);
        resolve(settled);
      });
    });
    // Where it cannot be told it has ended, and `exit` says how.
    child.send(assignment, () => {});
  });
}
