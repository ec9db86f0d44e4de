import { readFileSync, statSync, writeFileSync } from "node:fs";

import { withThreadLease, type CheckpointStore, type CommitResult } from "@langgraph-savers/core";
import { describe, expect, it } from "vitest";

import {
  append,
  codeOf,
  configOf,
  idOf,
  linesOf,
  logsIn,
  onlyLog,
  put,
  seal,
  useBench,
  valuesAt,
  type Bench,
} from "./support.js";

const THREAD = "a thread with registers";

/** A checkpoint that only who has the register may put. */
async function commit(store: CheckpointStore, checkpointId: string, token: string): Promise<CommitResult> {
  const key = { threadId: THREAD, namespace: "", checkpointId };
  const record = { ...key, createdAt: Date.now(), labels: {}, chunks: [], body: Buffer.from("body") };
  return store.putCheckpoint(record, [], { registers: { holder: token } });
}

async function storeOf(bench: Bench): Promise<CheckpointStore> {
  const saver = bench.open();
  await saver.setup();
  return saver.store;
}

async function idsOf(store: CheckpointStore): Promise<string[]> {
  const { items } = await store.listCheckpoints({ threadId: THREAD, limit: 100 });
  return items.map(({ checkpointId }) => checkpointId!).toReversed();
}

/** Puts the frames of a log through `change`; the log is one of closed savers. */
function rewrite(log: string, change: (lines: string[]) => string[]): void {
  const lines = readFileSync(log, "latin1").split("\n");
  writeFileSync(log, change(lines).join("\n"), "latin1");
}

/** A line in which nothing can be read any more. */
const unreadable = (line: string): string => "x".repeat(line.length);

describe("registers in the log", () => {
  const bench = useBench();

  it("survive compaction, repair and the deletion of the thread, of which nothing else is left", async () => {
    const saver = bench.open();
    await put(saver, THREAD, idOf(1), { text: "secret" });
    const { store } = saver;
    await store.setRegister(THREAD, "holder", "first", undefined);
    await store.setRegister(THREAD, "gone", "x", undefined);
    await store.setRegister(THREAD, "gone", undefined, "x");
    await saver.compact(THREAD);
    await saver.repair(THREAD);
    expect(await store.setRegister(THREAD, "holder", "second", "first")).toBe(true);
    await saver.deleteThread(THREAD);
    await saver.compact(THREAD);
    const reader = await storeOf(bench);
    expect(await reader.getRegister(THREAD, "holder")).toBe("second");
    expect(await reader.getRegister(THREAD, "gone")).toBeUndefined();
    expect(await reader.setRegister(THREAD, "holder", undefined, "second")).toBe(true);
    const left = readFileSync(onlyLog(bench.root), "utf8");
    expect(left).not.toContain(THREAD);
    expect(left).not.toContain(idOf(1));
    expect(onlyLog(bench.root)).not.toContain("thread-with");
    expect(await bench.open().verify()).toEqual({ intact: 0, problems: [] });
  });

  it.each(["compact", "delete"] as const)("are carried by whoever finishes a killed %s", async (why) => {
    const store = await storeOf(bench);
    await store.setRegister(THREAD, "holder", "mine", undefined);
    await commit(store, "a", "mine");
    seal(onlyLog(bench.root), why);
    // Behind the seal, and so never.
    append(onlyLog(bench.root), { kind: "register", name: "holder", value: "late", expected: "mine" });
    const next = await storeOf(bench);
    expect(await next.getRegister(THREAD, "holder")).toBe("mine");
    expect(await commit(store, "b", "mine")).toMatchObject({ committed: true });
    expect(await idsOf(next)).toEqual(why === "compact" ? ["a", "b"] : ["b"]);
    expect(await next.setRegister(THREAD, "holder", "next", "mine")).toBe(true);
    expect(await commit(store, "c", "mine")).toMatchObject({ committed: false, fenced: true });
  });

  it("what was appended behind a change that it had not seen is void, for all who read, for ever", async () => {
    const [one, two] = [await storeOf(bench), await storeOf(bench)];
    await one.setRegister(THREAD, "holder", "mine", undefined);
    const log = onlyLog(bench.root);
    append(log, { kind: "register", name: "holder", value: "yours", expected: "mine" });
    const ref = { ns: "", refs: [], chunks: [], registers: { holder: "mine" } };
    append(log, { kind: "put", id: "late", ...ref });
    append(log, { kind: "register", name: "holder", value: "mine again", expected: "mine" });
    for (const store of [one, two, await storeOf(bench)]) {
      expect(await idsOf(store)).toEqual([]);
      expect(await store.getRegister(THREAD, "holder")).toBe("yours");
    }
    await bench.open().compact(THREAD);
    expect(linesOf(onlyLog(bench.root)).map(({ kind }) => kind)).toEqual(["start", "register", "copied"]);
  });

  it("what is void takes no space after the next collection", async () => {
    const store = await storeOf(bench);
    await store.setRegister(THREAD, "holder", "mine", undefined);
    await commit(store, "kept", "mine");
    const log = onlyLog(bench.root);
    const late = { ns: "", refs: [], chunks: [], registers: { holder: "yours" } };
    for (let at = 0; at < 8; at += 1)
      append(log, { kind: "put", id: `late ${at}`, ...late }, [Buffer.alloc(2000)]);
    expect(statSync(log).size).toBeGreaterThan(16_000);
    expect(await store.collectChunks(THREAD, Date.now())).toEqual({ chunks: 0, bytes: 0 });
    expect(statSync(onlyLog(bench.root)).size).toBeLessThan(2000);
    expect(await store.getRegister(THREAD, "holder")).toBe("mine");
    expect(await idsOf(store)).toEqual(["kept"]);
  });

  it("a lease on a thread of which nothing was ever put leaves no thread", async () => {
    const saver = bench.open();
    await withThreadLease(saver, "leased", () => {});
    expect(await saver.exists("leased")).toBe(false);
    for await (const { threadId } of saver.listThreads()) expect(threadId).toBeUndefined();
    expect(logsIn(bench.root)).toHaveLength(1);
  });
});

describe("registers of a damaged log", () => {
  const bench = useBench();

  /** The holder changes from "a" to "b" to "c"; each puts under its own token, and "a" tries once more. */
  async function history(): Promise<string> {
    const store = await storeOf(bench);
    await store.setRegister(THREAD, "holder", "a", undefined);
    await commit(store, "1 of a", "a");
    const log = onlyLog(bench.root);
    append(log, { kind: "register", name: "holder", value: "b", expected: "a" });
    append(log, { kind: "put", ns: "", id: "late", refs: [], chunks: [], registers: { holder: "a" } });
    await commit(store, "2 of b", "b");
    await store.setRegister(THREAD, "holder", "c", "b");
    await commit(store, "3 of c", "c");
    await put(bench.open(), "another", idOf(1), {});
    return log;
  }

  it("are not known where a line is lost: nobody gets through, and no acknowledged commit is given up", async () => {
    const log = await history();
    rewrite(log, (lines) => lines.map((line) => (line.includes('"expected":"b"') ? unreadable(line) : line)));
    const store = await storeOf(bench);
    for (const call of [
      store.getRegister(THREAD, "holder"),
      store.setRegister(THREAD, "holder", "d", "b"),
      store.setRegister(THREAD, "holder", "d", undefined),
      commit(store, "4", "b"),
      store.deleteCheckpoints(THREAD, [{ namespace: "", checkpointId: "1 of a" }]),
      store.collectChunks(THREAD, Date.now()),
    ])
      expect(await codeOf(call)).toBe("CHECKPOINT_DAMAGED");
    const saver = bench.open();
    await saver.compact(THREAD);
    expect(await codeOf(store.getRegister(THREAD, "holder"))).toBe("CHECKPOINT_DAMAGED");
    await saver.repair(THREAD);
    // What was void before the damage stays so; what came after it was put by one who had the register then.
    expect(await idsOf(store)).toEqual(["1 of a", "2 of b", "3 of c"]);
    // Whoever had it, it is nobody's now.
    expect(await store.getRegister(THREAD, "holder")).toBeUndefined();
    for (const token of ["a", "b", "c"]) expect((await commit(store, "4", token)).fenced).toBe(true);
    expect(await store.setRegister(THREAD, "holder", "d", undefined)).toBe(true);
    expect((await commit(store, "4", "d")).committed).toBe(true);
    expect(await valuesAt(saver, "another")).toEqual({});
  });

  it("are as they were where only bodies are damaged", async () => {
    const log = await history();
    rewrite(log, (lines) =>
      lines.map((line) =>
        line.includes('"1 of a"') ? line.replace(/"data":\["..../, '"data":["????') : line,
      ),
    );
    const store = await storeOf(bench);
    expect(await store.getRegister(THREAD, "holder")).toBe("c");
    await bench.open().repair(THREAD);
    expect(await store.getRegister(THREAD, "holder")).toBe("c");
    expect(await idsOf(store)).toEqual(["2 of b", "3 of c"]);
    expect((await commit(store, "4", "b")).fenced).toBe(true);
    expect((await commit(store, "4", "c")).committed).toBe(true);
    expect(await bench.open().getTuple(configOf("another"))).toBeDefined();
  });
});
