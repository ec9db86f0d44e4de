import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

import type { CheckpointStore } from "@langgraph-savers/core";
import { describe, expect, it } from "vitest";

import type { FileSaver } from "../src/index.js";
import {
  append,
  codeOf,
  configOf,
  filesIn,
  idOf,
  linesOf,
  logsIn,
  noise,
  onlyLog,
  put,
  tupleAt,
  useBench,
  valuesAt,
} from "./support.js";

/** A process id that no process has: the writer is gone. */
const DEAD = 2 ** 22 + 1;

describe('durability "group"', () => {
  const bench = useBench();
  const copy = (): string => join(bench.around, "after power loss");

  /** The directory as a power loss leaves it at its worst: the journal is there, and of each log only the first frame. */
  function losePower({ pid = DEAD, keep = 1 } = {}): void {
    cpSync(bench.root, copy(), { recursive: true });
    for (const log of logsIn(copy())) {
      const lines = readFileSync(log, "latin1").split("\n");
      truncateSync(log, lines.slice(0, keep).join("\n").length + 1);
    }
    const journals = join(copy(), "journals");
    for (const name of readdirSync(journals))
      renameSync(join(journals, name), join(journals, name.replace(/^\d+/, String(pid))));
  }

  it("every acknowledged put and write comes back from the journal, in its order", async () => {
    const saver = bench.open({ durability: "group" });
    for (let round = 0; round < 3; round += 1) {
      for (const thread of ["a", "b"]) {
        for (let at = 0; at < 5; at += 1)
          await put(saver, thread, idOf(at), {
            text: `${thread} ${at} in round ${round}`,
            large: noise(3000, at),
          });
        await saver.putWrites(configOf(thread, idOf(round)), [["out", round]], "task");
      }
    }
    losePower();
    const again = bench.open({}, copy());
    for (const thread of ["a", "b"]) {
      for (let at = 0; at < 5; at += 1) {
        const { checkpoint, pendingWrites } = await tupleAt(again, thread, idOf(at));
        const expected = { text: `${thread} ${at} in round 2`, large: noise(3000, at) };
        expect(checkpoint.channel_values).toEqual(expected);
        expect(pendingWrites).toEqual(at < 3 ? [["task", "out", at]] : []);
      }
    }
    expect(await again.verify()).toEqual({ intact: 10, problems: [] });
    expect(filesIn(join(copy(), "journals")), "a journal that was replayed is gone").toEqual([]);
  });

  it("without the journal the same loss would show", async () => {
    const saver = bench.open({ durability: "group" });
    await put(saver, "a", idOf(1), { text: "kept by the journal" });
    losePower();
    for (const name of filesIn(join(copy(), "journals"))) writeFileSync(join(copy(), "journals", name), "");
    expect(await bench.open({}, copy()).getTuple(configOf("a"))).toBeUndefined();
  });

  it("what a log has kept is not appended again", async () => {
    const saver = bench.open({ durability: "group" });
    for (let at = 0; at < 5; at += 1) await put(saver, "a", idOf(at), { at });
    losePower({ keep: 100 });
    const before = readFileSync(onlyLog(copy()));
    await bench.open({}, copy()).setup();
    expect(readFileSync(onlyLog(copy())).equals(before)).toBe(true);
  });

  it("a replay is never repeated over what was put since, also where another process has the writer's number", async () => {
    const saver = bench.open({ durability: "group" });
    await put(saver, "a", idOf(1), { text: "old" });
    losePower({ pid: process.pid });
    const second = bench.open({ durability: "sync" }, copy());
    await put(second, "a", idOf(1), { text: "new" });
    await second.close();
    expect(await valuesAt(bench.open({}, copy()), "a")).toEqual({ text: "new" });
  });

  it("a thread that was deleted does not come back", async () => {
    const saver = bench.open({ durability: "group" });
    await put(saver, "gone", idOf(1), { text: "secret" });
    await put(saver, "stays", idOf(1), { text: "kept" });
    await saver.deleteThread("gone");
    losePower();
    const again = bench.open({}, copy());
    expect(await again.getTuple(configOf("gone"))).toBeUndefined();
    expect(await valuesAt(again, "stays")).toEqual({ text: "kept" });
  });

  it("nor when the power loss has brought its old log back, without the seal", async () => {
    const saver = bench.open({ durability: "group" });
    await put(saver, "gone", idOf(1), { text: "secret" });
    const path = onlyLog(bench.root);
    const old = readFileSync(path);
    await saver.deleteThread("gone");
    losePower({ keep: 100 });
    const firstFrame = old.subarray(0, old.indexOf("\n") + 1);
    writeFileSync(path.replace(bench.root, copy()), firstFrame);
    const again = bench.open({}, copy());
    expect(await again.getTuple(configOf("gone"))).toBeUndefined();
    await put(again, "gone", idOf(2), { text: "new" });
    expect(await again.getTuple(configOf("gone", idOf(1)))).toBeUndefined();
    expect(existsSync(join(copy(), "threads", basename(path)))).toBe(false);
  });

  async function commit(store: CheckpointStore, at: number, text: string, token?: string): Promise<void> {
    const key = { threadId: "a", namespace: "", checkpointId: idOf(at) };
    const record = { ...key, createdAt: Date.now(), labels: {}, chunks: [], body: Buffer.from(text) };
    const condition = token === undefined ? {} : { registers: { holder: token } };
    expect(await store.putCheckpoint(record, [], condition)).toMatchObject({ committed: true });
  }

  /** By checkpoint, what a saver finds, and the register. */
  async function found({ store }: FileSaver): Promise<unknown> {
    const { items } = await store.listCheckpoints({ threadId: "a", limit: 10 });
    const bodies = items.map(({ checkpoint }) => Buffer.from(checkpoint!.body).toString());
    return { bodies, holder: await store.getRegister("a", "holder") };
  }

  /** Registers that change, what was put under them, and a deletion. */
  async function history(): Promise<void> {
    const saver = bench.open({ durability: "group" });
    await saver.setup();
    const { store } = saver;
    await commit(store, 1, "deleted");
    await store.setRegister("a", "holder", "first", undefined);
    await commit(store, 2, "under the first", "first");
    await store.deleteCheckpoints("a", [{ namespace: "", checkpointId: idOf(1) }]);
    await store.setRegister("a", "holder", "second", "first");
    await commit(store, 3, "under the second", "second");
    await store.setRegister("a", "holder", "first", "second");
    await commit(store, 4, "under the first again", "first");
  }

  const HISTORY = {
    bodies: ["under the first again", "under the second", "under the first"],
    holder: "first",
  };

  async function reopened(): Promise<FileSaver> {
    const saver = bench.open({}, copy());
    await saver.setup();
    return saver;
  }

  /** Of the only log after the power loss, some lines too. */
  function lose(which: (line: string, at: number) => boolean): void {
    const log = onlyLog(copy());
    const lines = readFileSync(log, "latin1").split("\n");
    const left = lines.map((line, at) => (which(line, at) ? "\0".repeat(line.length) : line));
    expect(left).not.toEqual(lines);
    writeFileSync(log, left.join("\n"), "latin1");
  }

  const repeated = (): number => linesOf(onlyLog(copy())).filter(({ again }) => again !== undefined).length;

  it("registers, what was put under them, and deletions come back in their order", async () => {
    await history();
    losePower();
    expect(await found(await reopened())).toEqual(HISTORY);
  });

  it("so do they when only one of their lines is lost, whichever", async () => {
    await history();
    const { length } = linesOf(onlyLog(bench.root));
    for (let lost = 1; lost < length; lost += 1) {
      losePower({ keep: 100 });
      lose((_, at) => at === lost);
      const saver = await reopened();
      expect(await found(saver), `without line ${lost}`).toEqual(HISTORY);
      await saver.close();
      rmSync(copy(), { recursive: true });
    }
    expect(length).toBe(9);
  });

  it("what only the log has is repeated in its place: a deletion takes all of a checkpoint, or nothing", async () => {
    const saver = bench.open({ durability: "group" });
    await saver.putWrites(configOf("a", idOf(2)), [["out", 1]], "task");
    await put(saver, "a", idOf(1), { text: "lost" });
    await put(saver, "a", idOf(2), { text: "deleted" });
    append(onlyLog(bench.root), { kind: "delete", keys: [["", idOf(2)]] }, []);
    losePower({ keep: 100 });
    lose((line) => line.includes(`"id":"${idOf(1)}"`));
    const again = await reopened();
    expect(await valuesAt(again, "a")).toEqual({ text: "lost" });
    expect(await again.getTuple(configOf("a", idOf(2)))).toBeUndefined();
  });

  it("nor does it let through what a lost change of a register had made void", async () => {
    const saver = bench.open({ durability: "group" });
    await saver.setup();
    await saver.store.setRegister("a", "holder", "first", undefined);
    await saver.store.setRegister("a", "holder", "second", "first");
    const registers = { holder: "first" };
    append(onlyLog(bench.root), { kind: "put", ns: "", id: idOf(9), refs: [], chunks: [], registers });
    losePower({ keep: 100 });
    lose((line) => line.includes('"value":"second"'));
    // One has read the log as the loss left it, before it knew of a journal.
    const [journals, hidden] = [join(copy(), "journals"), join(bench.around, "hidden")];
    renameSync(journals, hidden);
    const before = await reopened();
    expect(await found(before)).toEqual({ bodies: [""], holder: "first" });
    cpSync(hidden, journals, { recursive: true });
    for (const reader of [await reopened(), before, await reopened()])
      expect(await found(reader)).toEqual({ bodies: [], holder: "second" });
  });

  it("a replay counts once, though another process began it too and comes late", async () => {
    await history();
    losePower();
    const journals = join(copy(), "journals");
    const kept = join(bench.around, "kept journals");
    cpSync(journals, kept, { recursive: true });
    const next = await reopened();
    const once = repeated();
    await commit(next.store, 3, "newer");
    await next.store.deleteCheckpoints("a", [{ namespace: "", checkpointId: idOf(2) }]);
    await next.store.setRegister("a", "holder", undefined, "first");
    cpSync(kept, journals, { recursive: true });
    for (const saver of [await reopened(), next])
      expect(await found(saver)).toEqual({ bodies: ["under the first again", "newer"], holder: undefined });
    expect(once).toBe(8);
    expect(repeated(), "it was appended a second time, and is void").toBe(16);
  });

  it("two journals of one log are replayed in the order of the log", async () => {
    const one = bench.open({ durability: "group" });
    const two = bench.open({ durability: "group" });
    for (let round = 0; round < 10; round += 1)
      await put(round % 2 === 0 ? one : two, "a", idOf(round % 3), { round });
    losePower();
    const again = bench.open({}, copy());
    expect(await valuesAt(again, "a", idOf(0))).toEqual({ round: 9 });
    expect(await valuesAt(again, "a", idOf(1))).toEqual({ round: 7 });
    expect(await valuesAt(again, "a", idOf(2))).toEqual({ round: 8 });
  });

  it("more than the journal can hold: it starts over and nothing is lost", async () => {
    const saver = bench.open({ durability: "group", compression: "none" });
    // 40 puts of 300 KB are 12 MB and more: the journal takes 8.
    const texts = Array.from({ length: 40 }, (_, at) => noise(300_000, at));
    await Promise.all(texts.map((text, at) => put(saver, `t${at % 8}`, idOf(at), { text })));
    expect(filesIn(join(bench.root, "journals"))).toHaveLength(1);
    const written = logsIn(bench.root).reduce((sum, log) => sum + statSync(log).size, 0);
    expect(written).toBeGreaterThan(12 * 1024 * 1024);
    for (const at of texts.keys()) await put(saver, `t${at % 8}`, idOf(100 + at), { at });
    cpSync(bench.root, copy(), { recursive: true });
    for (const root of [bench.root, copy()]) {
      const again = bench.open({}, root);
      for (const [at, text] of texts.entries()) {
        const values = await valuesAt(again, `t${at % 8}`, idOf(at));
        expect(values["text"] === text).toBe(true);
        expect(await valuesAt(again, `t${at % 8}`, idOf(100 + at))).toEqual({ at });
      }
    }
  });

  it("a file among the journals that is none is left alone", async () => {
    await bench.open().setup();
    const names = ["notes.txt", `${DEAD}-zz.journal`];
    for (const name of names) writeFileSync(join(bench.root, "journals", name), "mine");
    writeFileSync(join(bench.root, "journals", `${DEAD}-00ff.journal`), noise(500, 1));
    await put(bench.open(), "t", idOf(1), { text: "works" });
    expect(filesIn(join(bench.root, "journals"))).toEqual(names.toSorted());
  });

  it("a call after close is refused", async () => {
    const saver = bench.open({ durability: "group" });
    await put(saver, "t", idOf(1), {});
    await saver.close();
    expect(await codeOf(put(saver, "t", idOf(2), {}))).toBe("SAVER_CLOSED");
  });
});
