import { appendFileSync, copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";

import { isSaverError } from "@langgraph-savers/core";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { FileSaver } from "../src/index.js";
import { encodeFrame, type FrameMeta } from "../src/log/frame.js";
import {
  configOf,
  idOf,
  linesOf,
  logsIn,
  noise,
  onlyLog,
  put,
  randomFrom,
  seal,
  useBench,
  valuesAt,
} from "./support.js";

const HOUR = 60 * 60_000;

describe("compact", () => {
  const bench = useBench();
  afterEach(() => {
    vi.useRealTimers();
  });
  const size = (): number => statSync(onlyLog(bench.root)).size;

  it("gives the space of records that were replaced back at once", async () => {
    const saver = bench.open({ durability: "none", compression: "none" });
    // Short enough to stand in the record itself.
    for (let round = 0; round < 200; round += 1) await put(saver, "t", idOf(1), { text: noise(900, round) });
    const before = size();
    await saver.compact("t");
    expect(size()).toBeLessThan(before / 50);
    expect(await valuesAt(saver, "t")).toEqual({ text: noise(900, 199) });
    expect(await valuesAt(bench.open(), "t", idOf(1))).toEqual({ text: noise(900, 199) });
  });

  it("gives the space of chunks back after the hour for which a writer may still rely on them", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const saver = bench.open({ durability: "none" });
    for (let round = 0; round < 200; round += 1)
      await put(saver, "t", idOf(1), { text: noise(20_000, round) });
    const before = size();
    await saver.compact("t");
    expect(size(), "young chunks stay").toBeGreaterThan(before * 0.9);
    vi.setSystemTime(Date.now() + HOUR - 60_000);
    await saver.compact("t");
    expect(size(), "a minute before").toBeGreaterThan(before * 0.9);
    vi.setSystemTime(Date.now() + 120_000);
    await saver.compact("t");
    expect(size()).toBeLessThan(before / 50);
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: noise(20_000, 199) });
    expect(await saver.verify()).toEqual({ intact: 1, problems: [] });
  });

  it("a writer that knows a chunk which is gone by then stores it again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const writer = bench.open();
    await put(writer, "t", idOf(1), { text: noise(20_000, 1) });
    await put(writer, "t", idOf(1), { text: "short" });
    vi.setSystemTime(Date.now() + 2 * HOUR);
    await bench.open().compact("t");
    expect(size()).toBeLessThan(5000);
    await put(writer, "t", idOf(2), { text: noise(20_000, 1) });
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: noise(20_000, 1) });
  });

  it("keeps everything that is live: parents, steps, namespaces, writes, large values", async () => {
    const saver = bench.open();
    for (let at = 0; at < 6; at += 1) {
      const parent = at < 2 ? {} : { parent: idOf(at - 2), carried: ["large"] };
      const values = { large: noise(300_000, 1), at };
      await put(saver, "t", idOf(at), values, { ...parent, step: at, namespace: at % 2 === 0 ? "" : "n|m" });
      await saver.putWrites(
        configOf("t", idOf(at), at % 2 === 0 ? "" : "n|m"),
        [
          ["out", at],
          ["__interrupt__", at],
        ],
        "k",
      );
    }
    await saver.putWrites(configOf("t", idOf(50)), [["early", 1]], "before its checkpoint");
    const read = async (from: FileSaver): Promise<unknown[]> => {
      const tuples: unknown[] = [];
      for await (const tuple of from.list(configOf("t"))) tuples.push(tuple);
      for await (const tuple of from.list({ configurable: { thread_id: "t" } })) tuples.push(tuple);
      return tuples;
    };
    const before = await read(saver);
    expect(before.length).toBeGreaterThanOrEqual(6);
    for (let round = 0; round < 3; round += 1) await saver.compact();
    expect(await read(saver)).toEqual(before);
    expect(await read(bench.open())).toEqual(before);
    await put(saver, "t", idOf(50), { late: true });
    const late = await bench.open().getTuple(configOf("t", idOf(50)));
    expect(late!.pendingWrites).toEqual([["before its checkpoint", "early", 1]]);
    expect(logsIn(bench.root)).toHaveLength(1);
    expect(linesOf(onlyLog(bench.root)).length).toBeGreaterThan(10);
  });

  it("a pruned thread's log shrinks: records at once, chunks when the hour is over, and only by whoever asks", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const saver = bench.open({ durability: "none" });
    for (let at = 0; at < 60; at += 1)
      await put(saver, "t", idOf(at), { large: noise(20_000, at), small: noise(800, at) }, { step: at });
    await saver.store.setRegister("t", "holder", "kept", undefined);
    const before = size();
    const report = await saver.prune(["t"], { keepLast: 2 });
    expect(report).toMatchObject({ deleted: 58, kept: 2 });
    expect(size(), "chunks of what was deleted just now stay").toBeGreaterThan(before * 0.8);
    const pruned = size();
    expect(await saver.store.collectChunks("t", Date.now() - HOUR)).toEqual({ chunks: 0, bytes: 0 });
    expect(size(), "nothing to give back: not written anew").toBe(pruned);
    vi.setSystemTime(Date.now() + HOUR + 1);
    const { chunks, bytes } = await bench.open().store.collectChunks("t", Date.now() - HOUR);
    expect(chunks).toBeGreaterThan(58);
    expect(bytes).toBeGreaterThan(58 * 14_000);
    expect(size()).toBeLessThan(before / 20);
    const reader = bench.open();
    expect(await valuesAt(reader, "t")).toEqual({ large: noise(20_000, 59), small: noise(800, 59) });
    expect(await reader.verify()).toEqual({ intact: 2, problems: [] });
    expect(await reader.store.getRegister("t", "holder")).toBe("kept");
  });

  it("a pruned thread without chunks gives its lines back at once", async () => {
    const saver = bench.open({ durability: "none" });
    for (let at = 0; at < 60; at += 1) await put(saver, "t", idOf(at), { at }, { step: at });
    const before = size();
    await saver.prune(["t"], { keepLast: 1 });
    expect(size()).toBeLessThan(before / 10);
    expect(await valuesAt(saver, "t")).toEqual({ at: 59 });
  });

  it("an unknown thread is none to compact", async () => {
    const saver = bench.open();
    await saver.compact("unknown");
    await saver.repair("unknown");
    expect(logsIn(bench.root)).toEqual([]);
  });
});

describe("a replacement that was cut short", () => {
  const bench = useBench();

  it.each(["getTuple", "put"] as const)(
    "a sealed log without a successor is replaced by the next %s",
    async (call) => {
      const saver = bench.open();
      await put(saver, "t", idOf(1), { text: noise(5000, 1) });
      const old = onlyLog(bench.root);
      seal(old, "compact");
      // What a writer appended behind the seal without having seen it is void.
      const late: FrameMeta = {
        kind: "put",
        ns: "",
        id: idOf(9),
        refs: [],
        chunks: [],
        at: 1,
        w: "late.1",
        synced: 0,
      };
      appendFileSync(old, encodeFrame(late, [new Uint8Array(8)]).bytes);
      const next = call === "put" ? saver : bench.open();
      if (call === "put") await put(next, "t", idOf(2), { text: "second" });
      expect(await valuesAt(next, "t", idOf(1))).toEqual({ text: noise(5000, 1) });
      expect(await next.getTuple(configOf("t", idOf(9)))).toBeUndefined();
      expect(logsIn(bench.root)).toEqual([old.replace(".0.log", ".1.log")]);
      expect(await bench.open().verify()).toEqual({ intact: call === "put" ? 2 : 1, problems: [] });
    },
  );

  it("a deletion that got no further than its seal is finished", async () => {
    await put(bench.open(), "t", idOf(1), { text: "secret" });
    seal(onlyLog(bench.root), "delete");
    expect(await bench.open().getTuple(configOf("t"))).toBeUndefined();
    expect(readFileSync(onlyLog(bench.root), "utf8")).not.toContain(idOf(1));
  });

  /** A directory whose collection, with deletions and registers in the log, was killed after so many of its steps. */
  const STAGES = ["deletion", "seal", "copy", "successor"] as const;
  it.each(STAGES)("a collection killed after its %s is finished, whoever comes next", async (stage) => {
    const saver = bench.open();
    const { store } = bench.open();
    for (let at = 0; at < 4; at += 1) await put(saver, "t", idOf(at), { text: noise(9000, at), at });
    await store.setRegister("t", "holder", "first", undefined);
    await saver.deleteCheckpoints("t", [idOf(0), idOf(1)]);
    await store.setRegister("t", "holder", "second", "first");
    const old = onlyLog(bench.root);
    const kept = `${bench.around}/kept.log`;
    const later = Date.now() + 1000;
    if (stage !== "deletion") seal(old, "compact", later);
    if (stage === "copy") writeFileSync(`${bench.root}/tmp/abandoned`, readFileSync(old).subarray(0, 5000));
    copyFileSync(old, kept);
    if (stage === "successor") {
      await bench.open().getTuple(configOf("t"));
      copyFileSync(kept, old);
    }
    expect(logsIn(bench.root)).toHaveLength(stage === "successor" ? 2 : 1);
    const next = bench.open();
    await put(next, "t", idOf(9), { text: "next" });
    const { chunks } = await next.store.collectChunks("t", later);
    expect(chunks).toSatisfy((count: number) => stage !== "deletion" || count > 1);
    for (const reader of [saver, next, bench.open()]) {
      expect(await reader.getTuple(configOf("t", idOf(1)))).toBeUndefined();
      expect(await valuesAt(reader, "t", idOf(2))).toEqual({ text: noise(9000, 2), at: 2 });
      expect(await valuesAt(reader, "t")).toEqual({ text: "next" });
      expect(await reader.store.getRegister("t", "holder")).toBe("second");
    }
    const log = onlyLog(bench.root);
    expect(log).toBe(old.replace(".0.log", ".1.log"));
    // As its seal says, and not after an hour.
    expect(statSync(log).size).toBeLessThan(statSync(kept).size * 0.7);
    expect(await bench.open().verify()).toEqual({ intact: 3, problems: [] });
  });

  it("an old log next to its successor is removed, and not read", async () => {
    const saver = bench.open();
    await put(saver, "t", idOf(1), { text: "first" });
    const old = onlyLog(bench.root);
    const kept = `${bench.around}/kept.log`;
    copyFileSync(old, kept);
    await saver.deleteThread("t");
    await put(saver, "t", idOf(2), { text: "second" });
    await saver.close();
    copyFileSync(kept, old);
    expect(logsIn(bench.root)).toHaveLength(2);
    const again = bench.open();
    expect(await valuesAt(again, "t")).toEqual({ text: "second" });
    expect(await again.getTuple(configOf("t", idOf(1)))).toBeUndefined();
    expect(existsSync(old)).toBe(false);
  });

  it("a seal that was torn is none", async () => {
    await put(bench.open(), "t", idOf(1), { text: "first" });
    const log = onlyLog(bench.root);
    const whole = readFileSync(log);
    seal(log, "delete");
    writeFileSync(log, readFileSync(log).subarray(0, -5));
    const saver = bench.open();
    expect(await valuesAt(saver, "t")).toEqual({ text: "first" });
    await put(saver, "t", idOf(2), { text: "second" });
    expect(await valuesAt(bench.open(), "t", idOf(1))).toEqual({ text: "first" });
    expect(onlyLog(bench.root)).toBe(log);
    expect(readFileSync(log).subarray(0, whole.byteLength).equals(whole)).toBe(true);
  });
});

describe("two savers on one directory", () => {
  const bench = useBench();

  it(
    "one compacts and deletes while the other writes and reads: both see what a list in memory says",
    { timeout: 60_000 },
    async () => {
      const savers = [
        bench.open({ durability: "none" }),
        bench.open({ durability: "none", maxOpenFiles: 2 }),
      ];
      const random = randomFrom(11);
      const pick = (limit: number): number => Math.floor(random() * limit);
      const model = new Map<string, Map<string, string>>();
      const wrong: string[] = [];
      for (let round = 0; round < 600; round += 1) {
        const saver = savers[pick(2)]!;
        const thread = `t${pick(3)}`;
        const stored = model.get(thread) ?? new Map<string, string>();
        const what = pick(20);
        if (what === 0) {
          await saver.deleteThread(thread);
          stored.clear();
        } else if (what < 4) await saver.compact(thread);
        else if (what < 12) {
          const id = idOf(pick(6));
          const text = noise([20, 1500, 9000][pick(3)]!, pick(5));
          await put(saver, thread, id, { text });
          stored.set(id, text);
        } else {
          const id = idOf(pick(6));
          const tuple = await saver.getTuple(configOf(thread, id));
          const text = tuple?.checkpoint.channel_values["text"];
          if (text !== stored.get(id)) wrong.push(`round ${round}: ${thread} ${id}`);
        }
        model.set(thread, stored);
      }
      expect(wrong).toEqual([]);
      for (const saver of [...savers, bench.open()]) {
        for (const [thread, stored] of model)
          for (let at = 0; at < 6; at += 1)
            expect(
              (await saver.getTuple(configOf(thread, idOf(at))))?.checkpoint.channel_values["text"],
            ).toBe(stored.get(idOf(at)));
        expect((await saver.verify()).problems).toEqual([]);
      }
    },
  );

  it("writers at full speed under a compactor lose nothing", { timeout: 60_000 }, async () => {
    const [one, two, compactor] = [1, 2, 3].map(() => bench.open({ durability: "none" })) as [
      FileSaver,
      FileSaver,
      FileSaver,
    ];
    const work = { going: true };
    const stored: number[] = [];
    const write = async (saver: FileSaver, from: number): Promise<void> => {
      for (let at = from; work.going; at += 2) {
        await put(saver, "t", idOf(at), { text: noise(2000, at % 20), at });
        stored.push(at);
      }
    };
    const compact = async (): Promise<void> => {
      for (let round = 0; round < 20 || stored.length < 60; round += 1) await compactor.compact("t");
      work.going = false;
    };
    await Promise.all([write(one, 0), write(two, 1), compact()]);
    const reader = bench.open();
    for (const at of stored)
      expect(await valuesAt(reader, "t", idOf(at))).toEqual({ text: noise(2000, at % 20), at });
    expect(await reader.verify()).toEqual({ intact: stored.length, problems: [] });
    expect(logsIn(bench.root)).toHaveLength(1);
  });

  it("a thread deleted under a running writer: what is put afterwards is whole, or refused", async () => {
    const writer = bench.open({ durability: "none" });
    const other = bench.open({ durability: "none" });
    const large = noise(30_000, 1);
    let refused = 0;
    for (let at = 0; at < 120; at += 1) {
      const parent = at === 0 ? {} : { parent: idOf(at - 1), carried: ["large"] };
      const putting = put(writer, "t", idOf(at), { large, at }, parent).then(
        () => true,
        (error: unknown) => {
          if (!isSaverError(error) || error.code !== "THREAD_DELETED") throw error;
          refused += 1;
          return false;
        },
      );
      const deleting = at % 5 === 4 ? other.deleteThread("t") : Promise.resolve();
      await Promise.all([putting, deleting]);
      const tuple = await other.getTuple(configOf("t", idOf(at)));
      const allowed = at % 5 === 4 || !(await putting) ? [{ large, at }, undefined] : [{ large, at }];
      expect(allowed).toContainEqual(tuple?.checkpoint.channel_values);
    }
    expect(refused).toBeLessThan(120);
    expect((await bench.open().verify()).problems).toEqual([]);
  });
});
