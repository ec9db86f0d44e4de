import { setTimeout } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { start } from "./spawn.js";
import type { OpenModule, SharedStore } from "./stress.js";

export interface LeaseJob {
  openModule: string;
  place: unknown;
  turns: number;
  ttlMs: number;
}

export interface LeaseReport {
  tokens: number[];
  lost: number;
  problems: string[];
}

interface LeaseFigures {
  held: number;
  lost: number;
  pauses: number;
  /** What the thread counts: one for each turn that ended well, and at most one more for each that was lost at its end. */
  counted: number;
  /** Checkpoints that share their parent with another: two holders at once. */
  forks: number;
  problems: string[];
}

const PROCESSES = 8;
const TTL_MS = 1_000;

/** Eight processes compete for one lease; some are paused for longer than it lasts, at any moment. */
async function compete(store: SharedStore, turns: number): Promise<LeaseFigures> {
  const { place, destroy } = await store.create();
  const { open } = (await import(store.openModule)) as OpenModule;
  const saver = await open(place);
  try {
    await saver.setup();
    const job: LeaseJob = {
      openModule: store.openModule,
      place,
      turns: Math.ceil(turns / PROCESSES),
      ttlMs: TTL_MS,
    };
    const processes = Array.from({ length: PROCESSES }, () => start<LeaseReport>("contender.mjs", job));
    const all = Promise.all(processes.map(({ result }) => result));
    const over = new AbortController();
    const ended = all.finally(() => over.abort());
    ended.catch(() => {});
    let pauses = 0;
    for (; !over.signal.aborted; pauses++) {
      await Promise.race([ended, setTimeout(200 + Math.random() * 300)]);
      const { child } = processes[pauses % PROCESSES]!;
      child.kill("SIGSTOP");
      await Promise.race([ended, setTimeout(TTL_MS * 1.3)]);
      child.kill("SIGCONT");
    }
    const reports = await all;
    const parents: string[] = [];
    let counted = 0;
    for await (const { parentConfig, checkpoint } of saver.list({ configurable: { thread_id: "t" } })) {
      parents.push(String(parentConfig?.configurable!["checkpoint_id"]));
      counted = Math.max(counted, Number(checkpoint.channel_values["count"]));
    }
    return {
      held: reports.reduce((sum, { tokens }) => sum + tokens.length, 0),
      lost: reports.reduce((sum, { lost }) => sum + lost, 0),
      pauses,
      counted,
      forks: parents.length - new Set(parents).size,
      problems: [
        ...reports.flatMap(({ problems }) => problems),
        ...repeated(reports.flatMap(({ tokens }) => tokens)).map(
          (token) => `the token ${token} was given twice`,
        ),
      ],
    };
  } finally {
    await saver.close();
    await destroy();
  }
}

function repeated(tokens: number[]): number[] {
  return tokens.filter((token, at) => tokens.indexOf(token) !== at);
}

/** As many turns as `SAVERS_LEASE_TURNS` says in `pnpm chaos:threads`. */
export function leaseSuite(store: SharedStore, usual: number): void {
  const long = process.env["SAVERS_LEASE_TURNS"];
  const turns = long === undefined ? usual : Number(long);
  describe(`${store.name}: leases`, () => {
    it(
      `${PROCESSES} processes compete ${turns} times: never two holders, and a paused one cannot write after its lease`,
      { timeout: 120_000 + turns * 500 },
      async () => {
        const figures = await compete(store, turns);
        if (long !== undefined) console.log(store.name, figures);
        const { held, lost, counted, forks, problems } = figures;
        expect(problems).toEqual([]);
        expect(forks).toBe(0);
        expect(held + lost).toBeGreaterThanOrEqual(turns);
        expect(counted).toBeGreaterThanOrEqual(held);
        expect(counted).toBeLessThanOrEqual(held + lost);
      },
    );
  });
}
