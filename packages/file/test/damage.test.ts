import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";

import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { isSaverError, withThreadLease } from "@langgraph-savers/core";
import { describe, expect, it, vi } from "vitest";

import type { FileSaver } from "../src/index.js";
import {
  codeOf,
  configOf,
  idOf,
  logsIn,
  noise,
  onlyLog,
  put,
  randomFrom,
  tupleAt,
  useBench,
  valuesAt,
  type Bench,
} from "./support.js";

// Hundreds of logs are written and none has to outlive the test: what is on the disk matters here, not when.
vi.mock(import("../src/disk/files.js"), async (original) => ({
  ...(await original()),
  syncData: () => Promise.resolve(),
  syncFolder: () => Promise.resolve(),
}));

const THREAD = "damaged";
const CHECKPOINTS = 7;
/** Put and deleted again. */
const GONE = idOf(90);

/**
 * Checkpoints that share chunks, some with writes, some put under a lease, and their tuples; one more was deleted, and a
 * register changed. The log is closed.
 */
async function history(bench: Bench): Promise<{ log: Buffer; tuples: CheckpointTuple[] }> {
  const saver = bench.open();
  await saver.setup();
  const large = noise(9000, 1);
  const step = async (at: number): Promise<void> => {
    const values = { large, own: noise(2500, at + 10), small: at };
    const parent = at === 0 ? {} : { parent: idOf(at - 1), carried: ["large"] };
    await put(saver, THREAD, idOf(at), values, { ...parent, step: at });
    if (at % 2 === 1) await saver.putWrites(configOf(THREAD, idOf(at)), [["out", noise(1500, at)]], "task");
  };
  for (const at of [0, 1, 2]) await step(at);
  await saver.store.setRegister(THREAD, "plain", "first", undefined);
  await put(saver, THREAD, GONE, { own: noise(2500, 90) });
  await step(3);
  await withThreadLease(saver, THREAD, async () => {
    await step(4);
    await step(5);
  });
  await saver.deleteCheckpoints(THREAD, [GONE]);
  await saver.store.setRegister(THREAD, "plain", "second", "first");
  await step(6);
  const tuples: CheckpointTuple[] = [];
  for (let at = 0; at < CHECKPOINTS; at += 1) tuples.push(await tupleAt(saver, THREAD, idOf(at)));
  await saver.close();
  return { log: readFileSync(onlyLog(bench.root)), tuples };
}

interface Line {
  kind: string;
  id?: string;
  at: number;
  length: number;
  text: string;
}

function framesOf(log: Buffer): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < log.byteLength;) {
    const end = log.indexOf("\n", at) + 1;
    const text = log.toString("latin1", at, end);
    const { kind, id } = JSON.parse(text) as { kind: string; id?: string };
    lines.push({ kind, ...(id === undefined ? {} : { id }), at, length: end - at, text });
    at = end;
  }
  return lines;
}

function refsOf({ text }: Line): string[] {
  return (JSON.parse(text) as { refs: string[] }).refs;
}

/** Where the data of the first such chunk of a put begins; the record's body comes before those of all chunks. */
function chunkIn({ at, text }: Line, isWanted: (hash: string) => boolean): number {
  const { chunks, data } = JSON.parse(text) as { chunks: [hash: string][]; data: string[] };
  const body = data[chunks.findIndex(([hash]) => isWanted(hash)) + 1]!;
  return at + text.indexOf(body);
}

type Outcome = "intact" | "damaged" | "absent";

/** What becomes of each checkpoint; a state that was never stored fails the test. Writes may be missing where told. */
async function outcomes(
  saver: FileSaver,
  tuples: CheckpointTuple[],
  label: string,
  withoutWrites: readonly string[] = [],
): Promise<Outcome[]> {
  const found: Outcome[] = [];
  for (const tuple of tuples) {
    const { id } = tuple.checkpoint;
    const read = await saver.getTuple(configOf(THREAD, id)).catch((error: unknown) => {
      if (isSaverError(error) && error.code === "CHECKPOINT_DAMAGED") return "damaged" as const;
      throw error;
    });
    if (read === undefined || read === "damaged") {
      found.push(read ?? "absent");
      continue;
    }
    const bare = read.pendingWrites?.length === 0 && withoutWrites.includes(id);
    expect(read, label).toEqual(bare ? { ...tuple, pendingWrites: [] } : tuple);
    found.push("intact");
  }
  return found;
}

/**
 * Repairs, and returns the ids that are left; all of them are what was stored, but for writes that were given up. A
 * deletion may be given up too, where told.
 */
async function repaired(
  saver: FileSaver,
  tuples: CheckpointTuple[],
  label: string,
  undeleted = false,
): Promise<string[]> {
  await saver.repair(THREAD);
  const left: string[] = [];
  const returned: unknown[] = [];
  for await (const tuple of saver.list(configOf(THREAD))) {
    if (undeleted && tuple.checkpoint.id === GONE) {
      returned.push(tuple.checkpoint.channel_values);
      await saver.deleteCheckpoints(THREAD, [GONE]);
      continue;
    }
    const stored = tuples.find(({ checkpoint }) => checkpoint.id === tuple.checkpoint.id)!;
    const bare = tuple.pendingWrites!.length === 0;
    expect(tuple, label).toEqual(bare ? { ...stored, pendingWrites: [] } : stored);
    left.push(tuple.checkpoint.id);
  }
  expect(returned, label).toEqual(returned.map(() => ({ own: noise(2500, 90) })));
  expect(await saver.verify(THREAD), label).toEqual({ intact: left.length, problems: [] });
  return left.toReversed();
}

const all = Array.from({ length: CHECKPOINTS }, (_, at) => idOf(at));
const except = (...gone: number[]): string[] => all.filter((id) => !gone.map(idOf).includes(id));

function flip(log: Buffer, at: number, count = 1): Buffer {
  const bytes = Buffer.from(log);
  for (let i = at; i < at + count; i += 1) bytes[i]! ^= 0x41;
  return bytes;
}

describe("a damaged log", () => {
  const bench = useBench();

  const damage = async (change: (log: Buffer, frames: Line[]) => Buffer) => {
    const { log, tuples } = await history(bench);
    writeFileSync(onlyLog(bench.root), change(log, framesOf(log)));
    return { saver: bench.open(), tuples };
  };
  const putOf = (frames: Line[], at: number): Line =>
    frames.find(({ kind, id }) => kind === "put" && id === idOf(at))!;

  it("in the head of a frame: the thread says so, a repair keeps all others", async () => {
    const { saver, tuples } = await damage((log, frames) => flip(log, putOf(frames, 3).at + 20));
    expect(await codeOf(saver.getTuple(configOf(THREAD)))).toBe("CHECKPOINT_DAMAGED");
    expect(await outcomes(saver, tuples, "")).toEqual(all.map(() => "damaged"));
    expect((await saver.verify()).problems).toMatchObject([{ threadId: THREAD, code: "CHECKPOINT_DAMAGED" }]);
    expect(await repaired(saver, tuples, "")).toEqual(except(3));
    expect(await valuesAt(bench.open(), THREAD)).toEqual(tuples.at(-1)!.checkpoint.channel_values);
  });

  it("in the readable part: the same", async () => {
    const { saver, tuples } = await damage((log, frames) => flip(log, putOf(frames, 5).at + 110));
    expect((await saver.verify()).problems).toMatchObject([{ threadId: THREAD, code: "CHECKPOINT_DAMAGED" }]);
    expect(await repaired(saver, tuples, "")).toEqual(except(5));
  });

  it("in a record's body: this one says so, the others are read as ever", async () => {
    const { saver, tuples } = await damage((log, frames) => {
      const { at, text } = putOf(frames, 2);
      return flip(log, at + text.indexOf('"data":["') + 15);
    });
    const expected = all.map((_, at) => (at === 2 ? "damaged" : "intact"));
    expect(await outcomes(saver, tuples, "")).toEqual(expected);
    expect((await saver.verify()).intact).toBe(CHECKPOINTS - 1);
    expect((await saver.verify()).problems).toMatchObject([{ threadId: THREAD, checkpointId: idOf(2) }]);
    expect(await repaired(saver, tuples, "")).toEqual(except(2));
  });

  it("in a chunk: those that hold it say so, and those that hold its neighbours do not", async () => {
    const { saver, tuples } = await damage((log, frames) =>
      flip(log, chunkIn(putOf(frames, 0), (hash) => !refsOf(putOf(frames, 1)).includes(hash)) + 20),
    );
    const expected = all.map((_, at) => (at === 0 ? "damaged" : "intact"));
    expect(await outcomes(saver, tuples, "")).toEqual(expected);
    expect(await repaired(saver, tuples, "")).toEqual(except(0));
  });

  it("in a chunk that all share: none is given out in part, and new ones can be put", async () => {
    const { saver, tuples } = await damage((log, frames) =>
      flip(log, chunkIn(putOf(frames, 0), (hash) => refsOf(putOf(frames, 1)).includes(hash)) + 20),
    );
    expect(await outcomes(saver, tuples, "")).toEqual(all.map(() => "damaged"));
    expect(await repaired(saver, tuples, "")).toEqual([]);
    const values = { large: noise(9000, 1) };
    await put(saver, THREAD, idOf(50), values);
    expect(await valuesAt(bench.open(), THREAD)).toEqual(values);
  });

  it("a writer that knew the chunk before the repair stores it again", async () => {
    const writer = bench.open();
    const values = { large: noise(9000, 1) };
    await put(writer, THREAD, idOf(1), values);
    await put(writer, THREAD, idOf(2), { small: 1 });
    await put(writer, THREAD, idOf(3), { small: 2 });
    const path = onlyLog(bench.root);
    const log = readFileSync(path);
    const [, first] = framesOf(log);
    writeFileSync(path, flip(log, first!.at + first!.text.indexOf('"data":["') + 2000));
    await bench.open().repair(THREAD);
    await put(writer, THREAD, idOf(4), values);
    expect(await valuesAt(bench.open(), THREAD, idOf(4))).toEqual(values);
    expect(await bench.open().verify()).toEqual({ intact: 3, problems: [] });
  });

  it("in a batch of writes: the checkpoint says so, a repair gives up the batch", async () => {
    const { saver, tuples } = await damage((log, frames) => {
      const { at, text } = frames.find(({ kind, id }) => kind === "writes" && id === idOf(3))!;
      return flip(log, at + text.indexOf('"data":["') + 15);
    });
    expect(await outcomes(saver, tuples, "")).toEqual(all.map((_, at) => (at === 3 ? "damaged" : "intact")));
    expect(await repaired(saver, tuples, "")).toEqual(all);
    expect((await tupleAt(saver, THREAD, idOf(3))).pendingWrites).toEqual([]);
    expect((await tupleAt(saver, THREAD, idOf(5))).pendingWrites).toEqual(tuples[5]!.pendingWrites);
  });

  it("in the first frame, which says whose it is: verify finds the thread all the same", async () => {
    const { saver, tuples } = await damage((log) => flip(log, 30));
    expect((await saver.verify()).problems).toMatchObject([{ threadId: THREAD, code: "CHECKPOINT_DAMAGED" }]);
    expect(await codeOf(saver.getTuple(configOf(THREAD)))).toBe("CHECKPOINT_DAMAGED");
    await saver.repair();
    expect(await repaired(saver, tuples, "")).toEqual(all);
  });

  it.each(["zeroed", "emptied"])("%s as a whole: it is never taken for a new thread", async (how) => {
    const { saver, tuples } = await damage((log) => Buffer.alloc(how === "zeroed" ? log.byteLength : 0));
    expect(await codeOf(saver.getTuple(configOf(THREAD)))).toBe("CHECKPOINT_DAMAGED");
    const { problems } = await saver.verify();
    expect(problems).toMatchObject([{ code: "CHECKPOINT_DAMAGED" }]);
    expect(problems[0]!.message).toContain(JSON.stringify(onlyLog(bench.root)));
    expect(await repaired(saver, tuples, "")).toEqual([]);
    await put(saver, THREAD, idOf(90), { text: "new" });
    expect(await valuesAt(bench.open(), THREAD)).toEqual({ text: "new" });
  });

  it("at its end: the last one is not there, or says so, and new ones can be put", async () => {
    const { log, tuples } = await history(bench);
    const path = onlyLog(bench.root);
    const last = framesOf(log).at(-1)!;
    for (const kept of [1, 60, 200, last.length - 1]) {
      writeFileSync(path, log);
      truncateSync(path, last.at + kept);
      const saver = bench.open();
      const found = await outcomes(saver, tuples, `cut after ${kept}`);
      expect(found.slice(0, -1)).toEqual(all.slice(1).map(() => "intact"));
      await put(saver, THREAD, idOf(60 + kept), { text: "next" });
      expect(await valuesAt(bench.open(), THREAD)).toEqual({ text: "next" });
    }
  });

  it("compacted before it is repaired: the damage is still known", async () => {
    const { saver, tuples } = await damage((log, frames) => {
      const two = flip(log, putOf(frames, 3).at + 20);
      const { at, text } = putOf(frames, 5);
      return flip(two, at + text.indexOf('"data":["') + 15);
    });
    await saver.compact();
    expect((await bench.open().verify()).problems).toMatchObject([{ threadId: THREAD }]);
    expect(await outcomes(bench.open(), tuples, "")).not.toContain("intact");
    expect(await repaired(bench.open(), tuples, "")).toEqual(except(3, 5));
  });

  it("damaged after a saver has read it: neither compaction nor repair takes it for intact", async () => {
    const { log, tuples } = await history(bench);
    const saver = bench.open({ cacheBytes: 0 });
    expect(await outcomes(saver, tuples, "")).toEqual(all.map(() => "intact"));
    const { at, text } = framesOf(log).find(({ id }) => id === idOf(2))!;
    writeFileSync(onlyLog(bench.root), flip(log, at + text.indexOf('"data":["') + 15));
    await saver.compact();
    expect(await outcomes(saver, tuples, "")).toEqual(all.map((_, i) => (i === 2 ? "damaged" : "intact")));
    expect(await repaired(saver, tuples, "")).toEqual(except(2));
  });

  it("a log just compacted: a damaged frame of it is not taken for a torn one", async () => {
    const { tuples } = await history(bench);
    const saver = bench.open();
    await saver.compact();
    await saver.close();
    const path = onlyLog(bench.root);
    const log = readFileSync(path);
    for (const { at, kind, text } of framesOf(log)) {
      if (kind !== "put") continue;
      writeFileSync(path, flip(log, at + text.indexOf('"data":["') + 15));
      const reader = bench.open();
      expect(await outcomes(reader, tuples, text.slice(0, 200))).not.toContain("absent");
      expect((await reader.verify()).problems).toHaveLength(1);
      await reader.close();
    }
  });

  it("of another thread, under a name that is not its own, is not given out", async () => {
    const { log } = await history(bench);
    const saver = bench.open();
    await put(saver, "other", idOf(1), { text: "other" });
    await saver.close();
    const other = logsIn(bench.root).find((path) => path.includes("other"))!;
    writeFileSync(other, log);
    expect(await codeOf(bench.open().getTuple(configOf("other")))).toBe("CHECKPOINT_DAMAGED");
  });

  it(
    "500 random damages: no wrong state, all that is intact after a repair",
    { timeout: 60_000 },
    async () => {
      const { log, tuples } = await history(bench);
      const random = randomFrom(20_260_101);
      const path = onlyLog(bench.root);
      const frames = framesOf(log);
      const within = (limit: number): number => Math.floor(random() * limit);
      let absent = 0;
      let kept = 0;
      let registers = 0;
      for (let round = 0; round < 500; round += 1) {
        const at = within(log.byteLength);
        const length = Math.min(log.byteLength - at, 1 + within([1, 8, 600, 9000][within(4)]!));
        const how = ["flip", "zero", "garble", "cut", "drop"][within(5)]!;
        const label = `round ${round}: ${how} ${length} bytes at ${at}`;
        let bytes: Buffer = Buffer.from(log);
        if (how === "flip") bytes = flip(log, at, length);
        else if (how === "zero") bytes.fill(0, at, at + length);
        else if (how === "garble") for (let i = at; i < at + length; i += 1) bytes[i] = within(256);
        else if (how === "cut") bytes = bytes.subarray(0, at);
        else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        const end = how === "cut" ? log.byteLength : at + length;
        const touched = frames.filter((frame) => frame.at < end && frame.at + frame.length > at);
        writeFileSync(path, bytes);
        const saver = bench.open({ durability: "none", cacheBytes: 0 });
        // Nothing is left behind it that would tell a damaged end from a torn one.
        const cutOff = touched.includes(frames.at(-1)!) ? touched.flatMap(({ id }) => id ?? []) : [];
        const found = await outcomes(saver, tuples, label, cutOff);
        const undeleted = touched.some(({ kind }) => kind === "delete");
        const gone = await saver.getTuple(configOf(THREAD, GONE)).catch(() => undefined);
        expect(cutOff.length > 0 && undeleted ? undefined : gone, label).toBeUndefined();
        const missing = all.filter((_, which) => found[which] === "absent");
        absent += missing.length;
        expect(cutOff, label).toEqual(expect.arrayContaining(missing));
        const reported = (await saver.verify(THREAD)).problems.length > 0;
        expect(reported, label).toBe(found.includes("damaged"));
        const left = await repaired(saver, tuples, label, undeleted);
        kept += left.length;
        const changed = touched.some(({ kind }) => kind === "register");
        const register = await saver.store.getRegister(THREAD, "plain");
        expect([undefined, "second", ...(changed ? ["first"] : [])], label).toContain(register);
        registers += register === "second" ? 1 : 0;
        // Chunks of a touched frame may be in any later checkpoint; the ones before it hold nothing of it.
        const first = touched.find(({ kind, id }) => kind === "put" && id !== GONE)?.id;
        const untouched = all.filter((id) => first === undefined || id < first);
        expect(left, label).toEqual(expect.arrayContaining(untouched));
        await saver.close();
        for (const successor of logsIn(bench.root)) if (successor !== path) rmSync(successor);
      }
      expect(absent).toBeGreaterThan(0);
      expect(kept).toBeGreaterThan(1000);
      expect(registers).toBeGreaterThan(100);
    },
  );
});
