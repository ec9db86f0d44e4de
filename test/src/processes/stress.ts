import { describe, expect, it } from "vitest";

import type { StoreSaver } from "../../../packages/core/src/index.js";
import { start } from "./spawn.js";

/** How the processes of a test open the same store. */
export interface SharedStore {
  name: string;
  /** Address of a module that has `open`. */
  openModule: string;
  /** A place that is empty, as JSON, and how to be rid of it. */
  create(): Promise<{ place: unknown; destroy: () => Promise<void> }>;
}

export interface OpenModule {
  open(place: unknown): Promise<StoreSaver> | StoreSaver;
}

export interface Job {
  openModule: string;
  place: unknown;
  epoch: number;
  speed: number;
  seconds: number;
  seed: number;
  worker: number;
  /** Of each worker. */
  threads: string[][];
}

interface Report {
  counts: Record<string, number>;
  problems: string[];
}

const RUNNERS = 4;
const THREADS_EACH = 2;
/** An hour of grace in 9 seconds. */
const SPEED = 400;

interface StressFigures {
  runs: number;
  reads: number;
  /** Of threads, by those who run graphs in them. */
  deletions: number;
  operations: Record<string, number>;
  intact: number;
  problems: string[];
}

/** Graphs that run in four processes, while a fifth manages their threads; hours pass meanwhile. */
async function stress(store: SharedStore, seconds: number, seed: number): Promise<StressFigures> {
  const { place, destroy } = await store.create();
  const { open } = (await import(store.openModule)) as OpenModule;
  const saver = await open(place);
  try {
    const threads = Array.from({ length: RUNNERS }, (_, worker) =>
      Array.from({ length: THREADS_EACH }, (__, at) => `runner ${worker}, thread ${at}`),
    );
    await saver.setup();
    const job = {
      openModule: store.openModule,
      place,
      epoch: Date.now(),
      speed: SPEED,
      seconds,
      seed,
      threads,
    };
    const processes = [
      ...threads.map((_, worker) => start<Report>("runner.mjs", { ...job, worker })),
      start<Report>("manager.mjs", { ...job, worker: RUNNERS }),
    ];
    const reports = await Promise.all(processes.map(({ result }) => result));
    const verified = await saver.verify();
    const sum = (name: string) => reports.reduce((total, { counts }) => total + (counts[name] ?? 0), 0);
    return {
      runs: sum("runs"),
      reads: sum("reads"),
      deletions: sum("deletions"),
      operations: reports.at(-1)!.counts,
      intact: verified.intact,
      problems: [
        ...reports.flatMap(({ problems }) => problems),
        ...verified.problems.map(({ message }) => message),
      ],
    };
  } finally {
    await saver.close();
    await destroy();
  }
}

/** Short in `npm test`; as long as `SAVERS_STRESS_SECONDS` says in `pnpm chaos:threads`, which shows the figures. */
export function stressSuite(store: SharedStore): void {
  const long = process.env["SAVERS_STRESS_SECONDS"];
  const seconds = long === undefined ? 20 : Number(long);
  describe(`${store.name}: threads are managed beside four processes of running graphs`, () => {
    it(
      "no checkpoint is unreadable, no live value collected, no thread resurrected",
      { timeout: (seconds + 120) * 1000 },
      async () => {
        const figures = await stress(store, seconds, long === undefined ? 1 : Date.now());
        if (long !== undefined) console.log(store.name, figures);
        expect(figures.problems).toEqual([]);
        expect(figures.runs).toBeGreaterThan(20);
        expect(figures.deletions).toBeGreaterThan(0);
        for (const name of [
          "prune",
          "pruneAll",
          "sweep",
          "expire",
          "deleteCopy",
          "copyThread",
          "fork",
          "deleteCheckpoints",
          "deleteForRuns",
        ])
          expect(figures.operations, name).toHaveProperty(name);
      },
    );
  });
}
