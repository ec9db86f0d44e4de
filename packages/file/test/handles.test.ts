import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { describe, expect, it, vi } from "vitest";

import { configOf, idOf, put, randomFrom, useBench, valuesAt } from "./support.js";

// Syncs are waited for as ever, but cost nothing: files are counted here, some thousand times.
vi.mock(import("../src/disk/files.js"), async (original) => ({
  ...(await original()),
  syncData: () => setImmediate(),
  syncFolder: () => setImmediate(),
}));

const THREADS = 200;
const LIMIT = 8;

function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}

describe.each(["sync", "group", "none"] as const)('open files with durability "%s"', (durability) => {
  const bench = useBench();

  it("stay bounded, whatever the number of threads in use at once", { timeout: 60_000 }, async () => {
    const saver = bench.open({ durability, maxOpenFiles: LIMIT });
    await saver.setup();
    const before = openFiles();
    let most = 0;
    const watch = <T>(call: Promise<T>): Promise<T> =>
      call.finally(() => {
        most = Math.max(most, openFiles());
      });
    const every = Array.from({ length: THREADS }, (_, at) => `thread ${at}`);
    await Promise.all(every.map((thread) => watch(put(saver, thread, idOf(0), { thread }))));
    const random = randomFrom(5);
    const latest = new Map(every.map((thread) => [thread, 0]));
    await Promise.all(
      Array.from({ length: 400 }, async (_, round) => {
        const thread = every[Math.floor(random() * THREADS)]!;
        if (round % 2 === 0) return watch(saver.getTuple(configOf(thread)));
        latest.set(thread, Math.max(latest.get(thread)!, round));
        return watch(put(saver, thread, idOf(round), { round }));
      }),
    );
    await Promise.all([
      watch(saver.compact()),
      ...every.map((thread) => watch(saver.getTuple(configOf(thread)))),
    ]);
    // A log that is being made or replaced has up to four files: itself, its copy, the temporary one and the folder.
    expect(most - before).toBeLessThanOrEqual(LIMIT * 4);
    const journals = durability === "group" ? 1 : 0;
    expect(openFiles() - before - journals, "at rest").toBeLessThanOrEqual(LIMIT);
    for (const [thread, round] of latest)
      expect(await valuesAt(saver, thread)).toEqual(round === 0 ? { thread } : { round });
    await saver.close();
    expect(openFiles() - before, "closed").toBeLessThanOrEqual(0);
  });

  it("a put that is under way when the saver is closed leaves none, and no journal", async () => {
    const before = openFiles();
    const saver = bench.open({ durability });
    const putting = put(saver, "t", idOf(0), { x: 1 });
    await saver.close();
    await putting;
    expect(openFiles()).toBe(before);
    expect(readdirSync(join(bench.root, "journals"))).toEqual([]);
    expect(await valuesAt(bench.open(), "t")).toEqual({ x: 1 });
  });

  it("one is enough", async () => {
    const saver = bench.open({ durability, maxOpenFiles: 1 });
    const threads = ["a", "b", "c", "d"];
    await Promise.all(threads.map((thread) => put(saver, thread, idOf(1), { thread })));
    await saver.compact();
    for (const thread of threads) expect(await valuesAt(saver, thread)).toEqual({ thread });
    const listed: string[] = [];
    for await (const { threadId } of saver.listThreads()) listed.push(threadId);
    expect(listed).toEqual(threads);
  });
});
