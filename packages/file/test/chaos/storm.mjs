// Kills writers and compactors at random moments, then looks for anything that was lost, unreadable or wrong.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { FileSaver } from "@langgraph-savers/file";
import { digest, digestOfState, randomFrom } from "./history.mjs";

const WRITERS = ["sync", "group", "none", "sync"];
const COMPACTORS = 2;

/**
 * @typedef {{ kind: "put" | "writes", thread: string, ns: string, id: string, task?: string, digest: string }} Ack
 * @typedef {{ kills: number, acknowledged: number, checkpoints: number, lost: number, unreadable: number, foreign: number }} Figures
 */

/**
 * @param {{ kills: number, seed: number, onKill?: (done: number) => void }} options
 * @returns {Promise<Figures & { problems: string[] }>}
 */
export async function storm({ kills, seed, onKill }) {
  const root = mkdtempSync(join(tmpdir(), "langgraph-savers-chaos-"));
  const random = randomFrom(seed);
  /** @type {Ack[]} */
  const acks = [];
  /** @type {Set<Promise<void>>} */
  const drained = new Set();
  let spawned = 0;

  /** @param {number} place */
  const start = (place) => {
    const durability = WRITERS[place];
    spawned += 1;
    const args =
      durability === undefined
        ? ["compactor.mjs", root]
        : ["writer.mjs", root, `w${spawned}`, String(Math.floor(random() * 2 ** 31)), durability];
    const [script, ...rest] = args;
    const path = fileURLToPath(new URL(/** @type {string} */ (script), import.meta.url));
    const child = spawn(process.execPath, [path, ...rest], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout });
    /** @type {Promise<void>} */
    const ready = new Promise((resolve) => {
      lines.on("line", (line) => {
        if (line === "ready") resolve();
        else acks.push(JSON.parse(line));
      });
    });
    /** @type {Promise<void>} */
    const done = new Promise((resolve) => lines.on("close", () => resolve()));
    drained.add(done);
    const ended = new Promise((resolve) => child.on("exit", resolve));
    return { child, ready, ended };
  };

  const children = Array.from({ length: WRITERS.length + COMPACTORS }, (_, place) => start(place));
  try {
    for (let done = 0; done < kills;) {
      const place = Math.floor(random() * children.length);
      const { child, ready, ended } = /** @type {(typeof children)[number]} */ (children[place]);
      await Promise.race([ready, ended]);
      // The storm's own rhythm; what it hits is a matter of chance.
      await new Promise((resolve) => setTimeout(resolve, random() * 200));
      if (child.exitCode !== null) throw new Error(`a process ended by itself with ${child.exitCode}`);
      child.kill("SIGKILL");
      await ended;
      children[place] = start(place);
      done += 1;
      onKill?.(done);
    }
    for (const { child } of children) child.kill("SIGKILL");
    await Promise.all(children.map(({ ended }) => ended));
    await Promise.all(drained);
    return { kills, ...(await inspect(root, acks)) };
  } finally {
    for (const { child } of children) child.kill("SIGKILL");
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {Ack[]} acks
 */
async function inspect(root, acks) {
  const saver = new FileSaver(root);
  /** @type {string[]} */
  const problems = [];
  const figures = { acknowledged: acks.length, checkpoints: 0, lost: 0, unreadable: 0, foreign: 0 };
  /** @type {Map<string, { state: string, writes: Map<string, string> }>} */
  const found = new Map();
  for await (const { threadId } of saver.listThreads()) {
    try {
      for await (const tuple of saver.list({ configurable: { thread_id: threadId } })) {
        figures.checkpoints += 1;
        const values = tuple.checkpoint.channel_values;
        const state = digestOfState(values);
        if (state !== values["self"]) {
          figures.foreign += 1;
          problems.push(`${tuple.checkpoint.id} of ${threadId} holds a state that nobody put`);
        }
        const key = JSON.stringify([
          threadId,
          tuple.config.configurable?.["checkpoint_ns"],
          tuple.checkpoint.id,
        ]);
        const writes = new Map((tuple.pendingWrites ?? []).map(([task, , value]) => [task, digest(value)]));
        found.set(key, { state, writes });
      }
    } catch (error) {
      figures.unreadable += 1;
      problems.push(`${threadId}: ${String(error)}`);
    }
  }
  const put = new Set(acks.filter(({ kind }) => kind === "put").map(({ id }) => id));
  for (const { kind, thread, ns, id, task, digest: expected } of acks) {
    const there = found.get(JSON.stringify([thread, ns, id]));
    // Writes of a checkpoint that was never put have nobody to show them.
    if (kind === "writes" && !put.has(id) && there === undefined) continue;
    const actual = kind === "put" ? there?.state : there?.writes.get(/** @type {string} */ (task));
    if (actual === expected) continue;
    figures.lost += 1;
    problems.push(`${kind} of ${id} in ${thread}: expected ${expected}, found ${actual}`);
  }
  await saver.close();
  return { ...figures, problems };
}
