import { once } from "node:events";
import type { Readable } from "node:stream";
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

export interface HolderJob {
  openModule: string;
  place: unknown;
  threadId: string;
  ttlMs: number;
}

/** What came of what a holder tried after its pause: `"stored"`, or the code of an error. */
export interface HolderReport {
  put: string;
  writes: string;
  end: string;
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

/** What else a process writes, such as warnings of Node, does not count. */
async function said(stream: Readable, word: string): Promise<void> {
  let text = "";
  while (!text.includes(word)) text += String((await once(stream, "data"))[0]);
}

/** A holder is paused until its lease has run out; meanwhile another one takes it, or nobody does. */
async function pauseHolder(store: SharedStore, isTaken: boolean): Promise<HolderReport & { stored: number }> {
  const { place, destroy } = await store.create();
  const { open } = (await import(store.openModule)) as OpenModule;
  const saver = await open(place);
  let end = () => true;
  const job: HolderJob = { openModule: store.openModule, place, threadId: "t", ttlMs: TTL_MS };
  try {
    await saver.setup();
    const { child, result } = start<HolderReport>("holder.mjs", job);
    end = () => child.kill("SIGKILL");
    await Promise.race([said(child.stderr!, "holding"), result]);
    child.kill("SIGSTOP");
    try {
      await setTimeout(TTL_MS * 1.2);
      if (isTaken) {
        const other = start<LeaseReport>("contender.mjs", { ...job, turns: 1 } satisfies LeaseJob &
          HolderJob);
        await other.result;
      }
    } finally {
      child.kill("SIGCONT");
    }
    const report = await result;
    return { ...report, stored: (await saver.threadInfo("t"))!.checkpoints };
  } finally {
    end();
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
    it.each([
      ["also when another has taken it", true, 2],
      ["also when nobody has taken it", false, 1],
    ])(
      "a process that was stopped until its lease ran out can store nothing more, %s",
      { timeout: 60_000 },
      async (_, isTaken, stored) => {
        const refused = { put: "LEASE_LOST", writes: "LEASE_LOST", end: "LEASE_LOST" };
        expect(await pauseHolder(store, isTaken)).toEqual({ ...refused, stored });
      },
    );

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
