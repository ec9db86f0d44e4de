// The storm's processes. What a storm costs is their starts, so they are one bundled file without anything to resolve, and
// some are always started ahead.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

const AHEAD = 3;

/**
 * @typedef {{ child: import("node:child_process").ChildProcess, ready: Promise<void>, over: Promise<void> }} Player
 *   `over`: it has ended, and all that it told has arrived
 */

/** Starts processes, and gives them their parts. */
export class Troupe {
  #script = "";
  /** @type {Player[]} */
  #waiting = [];
  /** @type {(message: import("./history.mjs").Message) => void} */
  #onMessage;

  /** @param {(message: import("./history.mjs").Message) => void} onMessage */
  constructor(onMessage) {
    this.#onMessage = onMessage;
  }

  /** @param {string} folder for the bundle */
  async prepare(folder) {
    await build({
      config: false,
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      entry: { player: fileURLToPath(new URL("player.mjs", import.meta.url)) },
      outDir: folder,
      format: "esm",
      platform: "node",
      fixedExtension: true,
      deps: { alwaysBundle: [/./], onlyBundle: false },
      dts: false,
      tsconfig: false,
      clean: false,
      logLevel: "error",
    });
    this.#script = join(folder, "player.mjs");
    this.#startAhead();
  }

  /**
   * A process that plays this part from now on.
   *
   * @param {import("./history.mjs").Part} part
   */
  async cast(part) {
    const player = /** @type {Player} */ (this.#waiting.shift());
    this.#startAhead();
    await Promise.race([player.ready, player.over]);
    player.child.stdin?.write(`${JSON.stringify(part)}\n`);
    return player;
  }

  async dismiss() {
    const waiting = this.#waiting.splice(0);
    for (const { child } of waiting) child.kill("SIGKILL");
    await Promise.all(waiting.map(({ over }) => over));
  }

  #startAhead() {
    while (this.#waiting.length < AHEAD) this.#waiting.push(this.#start());
  }

  /** @returns {Player} */
  #start() {
    const child = spawn(process.execPath, [this.#script], { stdio: ["pipe", "pipe", "inherit"] });
    // A part given to one that is killed at the same time.
    child.stdin.on("error", () => {});
    const lines = createInterface({ input: child.stdout });
    /** @type {Promise<void>} */
    const ready = new Promise((resolve) => {
      lines.on("line", (line) => {
        if (line === "ready") resolve();
        else this.#onMessage(JSON.parse(line));
      });
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const drained = new Promise((resolve) => lines.once("close", resolve));
    return { child, ready, over: Promise.all([ended, drained]).then(() => {}) };
  }
}
