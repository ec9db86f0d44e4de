// Kills writers and compactors at random moments, then looks for anything that was lost, unreadable or wrong.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomFrom } from "./history.mjs";
import { inspect } from "./inspect.mjs";
import { Troupe } from "./troupe.mjs";

/** @type {("sync" | "group" | "none")[]} */
const WRITERS = ["sync", "group", "none", "sync"];
const COMPACTORS = 2;
/** Between two bouts of kills, at most. */
const CALM_MS = 250;

/**
 * @param {{ kills: number, seed: number, onKill?: (done: number) => void }} options
 * @returns {Promise<import("./inspect.mjs").Figures & { kills: number, problems: string[] }>}
 */
export async function storm({ kills, seed, onKill }) {
  const folder = mkdtempSync(join(tmpdir(), "langgraph-savers-chaos-"));
  const root = join(folder, "root");
  const random = randomFrom(seed);
  /** @type {import("./history.mjs").Message[]} */
  const told = [];
  const troupe = new Troupe((message) => told.push(message));
  let named = 0;
  /** @param {number} place */
  const cast = (place) => {
    const durability = WRITERS[place];
    const part = { root, name: `w${(named += 1)}`, seed: Math.floor(random() * 2 ** 31) };
    return troupe.cast(durability === undefined ? part : { ...part, durability });
  };

  /** @type {import("./troupe.mjs").Player[]} */
  let players = [];
  try {
    await troupe.prepare(folder);
    players = await Promise.all(
      Array.from({ length: WRITERS.length + COMPACTORS }, (_, place) => cast(place)),
    );
    const killed = { done: 0 };
    while (killed.done < kills) {
      // The storm's own rhythm; what it hits is a matter of chance.
      await new Promise((resolve) => setTimeout(resolve, random() * CALM_MS));
      const places = new Set(
        Array.from({ length: 1 + Math.floor(random() * 3) }, () => Math.floor(random() * players.length)),
      );
      const hit = [...places].slice(0, kills - killed.done).map((place) => {
        const { child, over } = /** @type {import("./troupe.mjs").Player} */ (players[place]);
        if (child.exitCode !== null) throw new Error(`a process ended by itself with ${child.exitCode}`);
        child.kill("SIGKILL");
        return { place, over };
      });
      await Promise.all(
        hit.map(async ({ place, over }) => {
          await over;
          players[place] = await cast(place);
          killed.done += 1;
          onKill?.(killed.done);
        }),
      );
    }
    for (const { child } of players) child.kill("SIGKILL");
    await Promise.all(players.map(({ over }) => over));
    return { kills, ...(await inspect(root, told)) };
  } finally {
    for (const { child } of players) child.kill("SIGKILL");
    await troupe.dismiss();
    rmSync(folder, { recursive: true, force: true });
  }
}
