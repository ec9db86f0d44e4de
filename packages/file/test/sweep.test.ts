import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import type { FileSaver } from "../src/index.js";
import { configOf, idOf, linesOf, logsIn, onlyLog, put, seal, useBench, valuesAt } from "./support.js";

const HOUR = 60 * 60_000;

/** Makes a log look as if nothing had happened to it for so long. */
function rest(log: string, ms: number): void {
  const then = (Date.now() - ms) / 1000;
  utimesSync(log, then, then);
}

async function deleted(saver: FileSaver, thread: string): Promise<void> {
  await put(saver, thread, idOf(1), { text: "gone" });
  await saver.deleteThread(thread);
}

describe("what a deleted thread leaves", () => {
  const bench = useBench();

  it("goes after a day with the next compaction of all", async () => {
    const saver = bench.open();
    await put(saver, "kept", idOf(1), { text: "kept" });
    const kept = onlyLog(bench.root);
    await deleted(saver, "young");
    await deleted(saver, "old");
    const left = logsIn(bench.root).filter((log) => log !== kept);
    expect(left.map((log) => statSync(log).size).every((size) => size < 500)).toBe(true);
    rest(left[0]!, 25 * HOUR);
    rest(left[1]!, 23 * HOUR);
    rest(kept, 25 * HOUR);
    await saver.compact();
    expect(logsIn(bench.root).toSorted()).toEqual([kept.replace(".0.log", ".1.log"), left[1]!].toSorted());
    expect(await valuesAt(bench.open(), "kept")).toEqual({ text: "kept" });
  });

  it("goes with later deletions in the same folder", async () => {
    const saver = bench.open({ durability: "none" });
    await put(saver, "t", idOf(1), {});
    const folder = join(onlyLog(bench.root), "..");
    const names = Array.from({ length: 5000 }, (_, at) => `n${at}`);
    const neighbours = names.filter((name) =>
      folder.endsWith(createHash("sha256").update(name).digest("hex").slice(0, 2)),
    );
    const [first, second, third] = neighbours as [string, string, string];
    for (const thread of [first, second]) await deleted(saver, thread);
    await put(saver, third, idOf(1), {});
    const [one, two] = readdirSync(folder).filter((name) => name.startsWith("~")) as [string, string];
    rest(join(folder, one), 25 * HOUR);
    await saver.deleteThread(third);
    expect(readdirSync(folder)).not.toContain(one);
    expect(readdirSync(folder)).toContain(two);
    expect(await valuesAt(saver, "t")).toEqual({});
  });

  it("stays while it has a register, and goes when that was removed", async () => {
    const saver = bench.open();
    await deleted(saver, "t");
    await saver.store.setRegister("t", "holder", "x", undefined);
    rest(onlyLog(bench.root), 25 * HOUR);
    await saver.compact();
    expect(await saver.store.getRegister("t", "holder")).toBe("x");
    await saver.store.setRegister("t", "holder", undefined, "x");
    rest(onlyLog(bench.root), 25 * HOUR);
    await saver.compact();
    expect(logsIn(bench.root)).toEqual([]);
    expect(await saver.store.getRegister("t", "holder")).toBeUndefined();
  });

  it("so does a log in which there was never more than a register", async () => {
    const saver = bench.open();
    await saver.setup();
    await saver.store.setRegister("t", "holder", "x", undefined);
    await saver.store.setRegister("t", "holder", undefined, "x");
    rest(onlyLog(bench.root), 25 * HOUR);
    await saver.compact();
    expect(logsIn(bench.root)).toEqual([]);
  });

  it("those who have it open find the thread again, and each other", async () => {
    const [one, two, three] = [bench.open(), bench.open({ durability: "group" }), bench.open()];
    await deleted(one, "t");
    for (const saver of [one, two, three]) expect(await saver.getTuple(configOf("t"))).toBeUndefined();
    const generation = (await two.store.getCheckpoints([{ threadId: "t", namespace: "" }]))[0]!.generation;
    rest(onlyLog(bench.root), 25 * HOUR);
    await bench.open().compact();
    expect(logsIn(bench.root)).toEqual([]);
    expect(await one.getTuple(configOf("t"))).toBeUndefined();
    await Promise.all([two, three].map((saver, at) => put(saver, "t", idOf(at), { at })));
    for (const saver of [one, two, three, bench.open()]) {
      expect(await valuesAt(saver, "t", idOf(0))).toEqual({ at: 0 });
      expect(await valuesAt(saver, "t", idOf(1))).toEqual({ at: 1 });
    }
    const key = { threadId: "t", namespace: "", checkpointId: idOf(2) };
    const record = { ...key, createdAt: 1, labels: {}, chunks: [], body: Buffer.from("") };
    expect(await two.store.putCheckpoint(record, [], { generation })).toMatchObject({ committed: false });
    expect(onlyLog(bench.root)).toMatch(/t~[0-9a-f]+\.0\.log$/);
  });

  it("a sweep that was cut short is finished by the next who comes, or void where something was put before it", async () => {
    const saver = bench.open();
    await deleted(saver, "t");
    seal(onlyLog(bench.root), "sweep");
    expect(await bench.open().getTuple(configOf("t"))).toBeUndefined();
    expect(logsIn(bench.root)).toEqual([]);
    await put(saver, "t", idOf(2), { text: "second" });
    seal(onlyLog(bench.root), "sweep");
    for (const reader of [saver, bench.open()])
      expect(await valuesAt(reader, "t")).toEqual({ text: "second" });
    await put(saver, "t", idOf(3), { text: "third" });
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: "third" });
    expect(linesOf(onlyLog(bench.root)).map(({ kind }) => kind)).toEqual(["start", "put", "seal", "put"]);
  });

  it("a name that came back is not taken for the log that had it: by one who was about to replace it", async () => {
    const slow = bench.open();
    await put(slow, "t", idOf(1), { text: "first" });
    const first = onlyLog(bench.root);
    const other = bench.open();
    await other.deleteThread("t");
    rest(onlyLog(bench.root), 25 * HOUR);
    await other.compact();
    await put(other, "t", idOf(2), { text: "second" });
    expect(onlyLog(bench.root)).toBe(first);
    // It has the sealed log open, whose name is that of the new one.
    expect(await valuesAt(slow, "t")).toEqual({ text: "second" });
    await put(slow, "t", idOf(3), { text: "third" });
    expect(await valuesAt(bench.open(), "t", idOf(2))).toEqual({ text: "second" });
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: "third" });
  });

  it("nor by a journal that still has frames of that log", async () => {
    const journaled = bench.open({ durability: "group" });
    await put(journaled, "t", idOf(1), { text: "deleted" });
    const other = bench.open();
    await other.deleteThread("t");
    rest(onlyLog(bench.root), 25 * HOUR);
    await other.compact();
    await put(other, "t", idOf(2), { text: "new" });
    const copy = join(bench.around, "after a crash");
    cpSync(bench.root, copy, { recursive: true });
    for (const root of [bench.root, copy]) {
      const next = bench.open({}, root);
      expect(await next.getTuple(configOf("t", idOf(1)))).toBeUndefined();
      expect(await valuesAt(next, "t")).toEqual({ text: "new" });
    }
    expect(existsSync(onlyLog(copy))).toBe(true);
    expect(readFileSync(onlyLog(copy), "utf8")).not.toContain(idOf(1));
  });

  it("a thread deleted again is left as it is", async () => {
    const saver = bench.open();
    await deleted(saver, "t");
    const left = onlyLog(bench.root);
    const bytes = readFileSync(left);
    await saver.deleteThread("t");
    expect(onlyLog(bench.root)).toBe(left);
    expect(readFileSync(left).equals(bytes)).toBe(true);
  });
});
