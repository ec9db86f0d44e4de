import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it, vi } from "vitest";

import type { FileSaver } from "../src/index.js";
import {
  codeOf,
  configOf,
  filesIn,
  idOf,
  logsIn,
  noise,
  put,
  tupleAt,
  useBench,
  valuesAt,
} from "./support.js";

/** What the disk is made to answer: only what cannot be had for real without a disk that fails. */
const faults = vi.hoisted(() => ({
  /** Decides for each sync of a file. */
  sync: undefined as (() => Error | undefined) | undefined,
  /** Decides for each write into a new file. */
  write: undefined as (() => Error | undefined) | undefined,
}));

vi.mock(import("../src/disk/files.js"), async (original) => {
  const real = await original();
  return {
    ...real,
    syncData: async (fd, here) => {
      const error = faults.sync?.();
      if (error !== undefined) throw error;
      await real.syncData(fd, here);
    },
    writeAll: async (fd, bytes, position) => {
      const error = faults.write?.();
      if (error !== undefined) throw error;
      await real.writeAll(fd, bytes, position);
    },
  };
});

function diskError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Fails the calls of these numbers, counted from 0. */
function failing(code: string, ...which: number[]): () => Error | undefined {
  let calls = 0;
  return () => (which.includes(calls++) ? diskError(code) : undefined);
}

/** Sets a limit of this very process; the soft one, which can be raised again. */
function limit(resource: "fsize" | "nofile", value: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(process.pid), `--${resource}=${value}:`]);
}

function softLimit(resource: "nofile"): number {
  const columns = ["--noheadings", "--raw", "--output=SOFT"];
  return Number(
    execFileSync("prlimit", ["--pid", String(process.pid), `--${resource}`, ...columns], {
      encoding: "utf8",
    }),
  );
}

/** Nobody but root may write where the permissions forbid it: as root, goes on as somebody else meanwhile. */
async function asNobody(folder: string, work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid!() === 0;
  if (isRoot) {
    for (const name of ["", ...readdirSync(folder, { recursive: true })])
      chownSync(join(folder, String(name)), 65_534, 65_534);
    process.seteuid!(65_534);
  }
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}

describe("a failing disk", () => {
  const bench = useBench();
  afterEach(() => {
    faults.sync = undefined;
    faults.write = undefined;
  });

  /** Puts until one is refused; returns its code and the ids that were acknowledged. */
  async function putUntilRefused(
    saver: FileSaver,
    text: (at: number) => string,
  ): Promise<{ code: string; stored: number[] }> {
    const stored: number[] = [];
    for (let at = 0; at < 200; at += 1) {
      const refusal = await put(saver, "t", idOf(at), { text: text(at) }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal !== undefined) return { code: await codeOf(Promise.reject(refusal)), stored };
      stored.push(at);
    }
    throw new Error("no put was refused");
  }

  it.each(["sync", "none"] as const)(
    'full, with durability "%s": STORAGE_FULL, all that was stored is read, and work goes on',
    async (durability) => {
      const saver = bench.open({ durability });
      const text = (at: number): string => noise(3000, at);
      await saver.setup();
      limit("fsize", 40_000);
      let outcome: { code: string; stored: number[] };
      try {
        outcome = await putUntilRefused(saver, text);
        expect(await codeOf(put(saver, "t", idOf(900), { text: text(900) }))).toBe("STORAGE_FULL");
        for (const at of outcome.stored)
          expect(await valuesAt(saver, "t", idOf(at))).toEqual({ text: text(at) });
      } finally {
        limit("fsize", "unlimited");
      }
      expect(outcome.code).toBe("STORAGE_FULL");
      expect(outcome.stored.length).toBeGreaterThan(5);
      await put(saver, "t", idOf(901), { text: "goes on" });
      for (const reader of [saver, bench.open()]) {
        for (const at of outcome.stored)
          expect(await valuesAt(reader, "t", idOf(at))).toEqual({ text: text(at) });
        expect(await valuesAt(reader, "t")).toEqual({ text: "goes on" });
        expect(await reader.verify()).toEqual({ intact: outcome.stored.length + 1, problems: [] });
      }
    },
  );

  it("full while a thread is compacted: the old log stays in use for reading, and is replaced later", async () => {
    const saver = bench.open();
    await put(saver, "t", idOf(1), { text: "first" });
    faults.write = () => diskError("ENOSPC");
    expect(await codeOf(saver.compact("t"))).toBe("STORAGE_FULL");
    expect(await codeOf(put(saver, "new", idOf(1), {}))).toBe("STORAGE_FULL");
    expect(await valuesAt(saver, "t")).toEqual({ text: "first" });
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: "first" });
    expect(readdirSync(join(bench.root, "tmp"))).toEqual([]);
    faults.write = undefined;
    await put(saver, "t", idOf(2), { text: "second" });
    await put(saver, "new", idOf(1), { text: "new" });
    expect(await valuesAt(bench.open(), "t", idOf(1))).toEqual({ text: "first" });
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: "second" });
    expect(logsIn(bench.root)).toHaveLength(2);
  });

  it("a directory that may not be written: ACCESS_DENIED, and work goes on when it may", async () => {
    await put(bench.open(), "t", idOf(1), { text: "first" });
    await asNobody(bench.around, async () => {
      const files = filesIn(bench.root).map((name) => join(bench.root, name));
      const folders = [...new Set(files.map((file) => join(file, ".."))), join(bench.root, "tmp")];
      for (const file of files) chmodSync(file, 0o400);
      for (const folder of folders) chmodSync(folder, 0o500);
      const saver = bench.open();
      expect(await codeOf(put(saver, "t", idOf(2), { text: "second" }))).toBe("ACCESS_DENIED");
      expect(await codeOf(put(saver, "new", idOf(1), {}))).toBe("ACCESS_DENIED");
      for (const file of files) chmodSync(file, 0o600);
      for (const folder of folders) chmodSync(folder, 0o700);
      expect(await valuesAt(saver, "t")).toEqual({ text: "first" });
      await put(saver, "t", idOf(2), { text: "second" });
      expect(await valuesAt(saver, "t")).toEqual({ text: "second" });
      await saver.close();
    });
  });

  it("a place where no directory can be made: a coded error, and work goes on when it can", async () => {
    writeFileSync(bench.root, "a file");
    const saver = bench.open();
    expect(await codeOf(put(saver, "t", idOf(1), {}))).toBe("SETUP_MISMATCH");
    rmSync(bench.root);
    await put(saver, "t", idOf(1), { text: "first" });
    expect(await valuesAt(saver, "t")).toEqual({ text: "first" });
  });

  it("a directory that is not there is made, with those above it", async () => {
    const deep = join(bench.root, "a", "b");
    await put(bench.open({}, deep), "t", idOf(1), { text: "first" });
    expect(await valuesAt(bench.open({}, deep), "t")).toEqual({ text: "first" });
  });

  it.each(["sync", "group"] as const)(
    'a directory taken away under a saver with durability "%s": refused, never taken for empty',
    async (durability) => {
      const saver = bench.open({ durability });
      await put(saver, "t", idOf(1), { text: "first" });
      await put(saver, "u", idOf(1), { text: "u" });
      const elsewhere = join(bench.around, "elsewhere");
      renameSync(bench.root, elsewhere);
      expect(await codeOf(put(saver, "new", idOf(1), {}))).toBe("BACKEND_UNAVAILABLE");
      expect(await codeOf(saver.getTuple(configOf("never used")))).toBe("BACKEND_UNAVAILABLE");
      expect(await codeOf(saver.verify())).toBe("BACKEND_UNAVAILABLE");
      renameSync(elsewhere, bench.root);
      await put(saver, "t", idOf(2), { text: "second" });
      expect(await valuesAt(bench.open(), "t")).toEqual({ text: "second" });
      expect(await valuesAt(saver, "u")).toEqual({ text: "u" });
    },
  );

  it("a directory removed under a saver: no put is acknowledged into nowhere", async () => {
    const saver = bench.open();
    await put(saver, "t", idOf(1), { text: "first" });
    rmSync(bench.root, { recursive: true });
    expect(await codeOf(put(saver, "t", idOf(2), { text: "second" }))).toBe("BACKEND_UNAVAILABLE");
    expect(await codeOf(put(saver, "t", idOf(3), { text: "third" }))).toBe("BACKEND_UNAVAILABLE");
    // Whoever sets it up again makes it usable for all.
    await bench.open().setup();
    await put(saver, "t", idOf(4), { text: "fourth" });
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: "fourth" });
  });

  it("too many open files: BACKEND_UNAVAILABLE, and work goes on when there are less", async () => {
    const saver = bench.open();
    for (let at = 0; at < 10; at += 1) await put(saver, `t${at}`, idOf(1), { at });
    const mine: number[] = [];
    const before = softLimit("nofile");
    // The limit is on a file's number, not on how many there are.
    limit("nofile", Math.max(...readdirSync("/proc/self/fd").map(Number)) + 40);
    try {
      for (;;) {
        try {
          mine.push(openSync("/dev/null", "r"));
        } catch {
          break;
        }
      }
      // Idle logs make room for the one that is asked for.
      expect(await valuesAt(saver, "t0")).toEqual({ at: 0 });
      const fresh = bench.open();
      expect(await codeOf(fresh.getTuple(configOf("t1")))).toBe("BACKEND_UNAVAILABLE");
      expect(await codeOf(put(fresh, "new", idOf(1), {}))).toBe("BACKEND_UNAVAILABLE");
      for (const fd of mine.splice(0)) closeSync(fd);
      await put(fresh, "new", idOf(1), { text: "goes on" });
      for (let at = 0; at < 10; at += 1) expect(await valuesAt(fresh, `t${at}`)).toEqual({ at });
    } finally {
      for (const fd of mine) closeSync(fd);
      await saver.close();
      limit("nofile", before);
    }
  });

  it("a failed fsync: the put is refused, the next goes to a new log, nothing stored is lost", async () => {
    const saver = bench.open();
    await put(saver, "t", idOf(1), { text: "first" });
    const [old] = logsIn(bench.root);
    faults.sync = failing("EIO", 0);
    expect(await codeOf(put(saver, "t", idOf(2), { text: "second" }))).toBe("BACKEND_UNAVAILABLE");
    expect(await valuesAt(saver, "t", idOf(1))).toEqual({ text: "first" });
    expect(logsIn(bench.root), "reading changes nothing").toEqual([old]);
    await put(saver, "t", idOf(3), { text: "third" });
    expect(logsIn(bench.root)).toEqual([old!.replace(".0.log", ".1.log")]);
    for (const reader of [saver, bench.open()]) {
      expect(await valuesAt(reader, "t", idOf(1))).toEqual({ text: "first" });
      expect(await valuesAt(reader, "t")).toEqual({ text: "third" });
      expect((await reader.verify()).problems).toEqual([]);
    }
  });

  it("a failed fsync is not asked again: all who wait behind it are refused", async () => {
    const saver = bench.open();
    await put(saver, "t", idOf(1), {});
    // Only the first sync fails: the kernel reports a lost page once, and says yes from then on.
    faults.sync = failing("EIO", 0);
    const results = await Promise.allSettled([2, 3, 4, 5].map((at) => put(saver, "t", idOf(at), { at })));
    const log = logsIn(bench.root)[0]!;
    const refused = results.filter(({ status }) => status === "rejected").length;
    expect(refused).toBeGreaterThan(0);
    // Whoever was acknowledged went to the copy.
    expect(refused === 4 || log.endsWith(".1.log")).toBe(true);
    const stored = [2, 3, 4, 5].filter((_, which) => results[which]!.status === "fulfilled");
    for (const at of stored) expect(await valuesAt(bench.open(), "t", idOf(at))).toEqual({ at });
  });

  it("an fsync that goes on failing refuses every put, and reading goes on", async () => {
    const saver = bench.open();
    await put(saver, "t", idOf(1), { text: "first" });
    faults.sync = () => diskError("EIO");
    for (let at = 2; at < 6; at += 1) {
      expect(await codeOf(put(saver, "t", idOf(at), {}))).toBe("BACKEND_UNAVAILABLE");
      expect(await valuesAt(saver, "t", idOf(1))).toEqual({ text: "first" });
    }
    const before = readdirSync("/proc/self/fd").length;
    for (let at = 6; at < 26; at += 1) await codeOf(put(saver, "t", idOf(at), {}));
    expect(readdirSync("/proc/self/fd").length - before, "files left open").toBeLessThanOrEqual(1);
    faults.sync = undefined;
    await put(saver, "t", idOf(90), { text: "goes on" });
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: "goes on" });
    expect(await valuesAt(bench.open(), "t", idOf(1))).toEqual({ text: "first" });
  });

  it("a failed fsync of the journal: the put is refused, the next goes to a new journal", async () => {
    const saver = bench.open({ durability: "group" });
    await put(saver, "t", idOf(1), { text: "first" });
    const [journal] = filesIn(join(bench.root, "journals"));
    faults.sync = failing("EIO", 0);
    expect(await codeOf(put(saver, "t", idOf(2), { text: "second" }))).toBe("BACKEND_UNAVAILABLE");
    await put(saver, "t", idOf(3), { text: "third" });
    const journals = filesIn(join(bench.root, "journals"));
    expect(journals).toHaveLength(1);
    expect(journals).not.toEqual([journal]);
    await saver.close();
    expect(filesIn(join(bench.root, "journals"))).toEqual([]);
    expect(await valuesAt(bench.open(), "t", idOf(1))).toEqual({ text: "first" });
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: "third" });
  });

  it("a log that cannot be synced when the saver is closed: its journal stays", async () => {
    const saver = bench.open({ durability: "group" });
    await put(saver, "t", idOf(1), { text: "first" });
    // The journal's own sync, then the log's.
    faults.sync = failing("EIO", 1);
    await saver.close();
    expect(filesIn(join(bench.root, "journals"))).toHaveLength(1);
    faults.sync = undefined;
    expect((await tupleAt(bench.open(), "t")).checkpoint.channel_values).toEqual({ text: "first" });
  });

  it("errors carry the file system's own as cause, and no value", async () => {
    const saver = bench.open();
    await put(saver, "t", idOf(1), {});
    faults.sync = () => diskError("EIO");
    const refusal = await put(saver, "t", idOf(2), { text: "a secret" }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "BACKEND_UNAVAILABLE", cause: { code: "EIO" } });
    expect(String(refusal)).not.toContain("secret");
    expect(String(refusal)).toContain("Check the disk");
  });
});
