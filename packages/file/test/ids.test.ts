import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  codeOf,
  configOf,
  filesIn,
  idOf,
  logsIn,
  onlyLog,
  put,
  tupleAt,
  useBench,
  valuesAt,
} from "./support.js";

const IDS = {
  "the folder above": "..",
  "a way out": "../../../etc/cron.d/x",
  "an absolute path": "/etc/passwd",
  "a device of Windows": "COM1",
  "its lower case": "com1",
  "a drive": "C:\\Windows\\x",
  "a dot": ".",
  "NUL inside": "a\0b",
  "only NUL": "\0",
  "10,000 characters": "x".repeat(10_000),
  "10,001 characters": "x".repeat(10_001),
  "10,000 that take more bytes": "\u{1F600}".repeat(5_000),
  "one case": "Thread",
  "another case": "thread",
  "é composed": "caf\u00e9",
  "é decomposed": "cafe\u0301",
  "a prefix": "thread-1",
  "what it prefixes": "thread-10",
  "a trailing dot": "thread.",
  "a trailing space": "thread ",
  "a name of the saver's": "format.json",
  "a log's name": "thread~0123.0.log",
  "a hidden one": ".git",
  "an option": "-rf",
  "a line end": "a\nb",
  "a wildcard": "*",
  __proto__: "__proto__",
};

/** Everything below a folder but the root: names, kinds and contents. */
function snapshot(around: string): unknown[] {
  return readdirSync(around, { recursive: true, withFileTypes: true })
    .map((entry) => ({ path: join(entry.parentPath, entry.name), entry }))
    .filter(({ path }) => path !== join(around, "root") && !path.startsWith(join(around, "root/")))
    .map(({ path, entry }) => [path, lstatSync(path).mode, entry.isFile() ? readFileSync(path, "utf8") : ""])
    .toSorted(([a], [b]) => String(a).localeCompare(String(b)));
}

describe("thread ids", () => {
  const bench = useBench();

  it("are data: all are distinct, survive a new start, and none leaves the root", async () => {
    const outside = ["victim", "etc/passwd", "x"].map((name) => join(bench.around, name));
    for (const path of outside) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "not yours");
    }
    const before = snapshot(bench.around);
    const ids = [...Object.values(IDS), ...outside, "../victim", "../etc", "../x"];
    const saver = bench.open({ maxOpenFiles: 8 });
    for (const id of ids)
      expect(await saver.getTuple(configOf(id)), "reading creates nothing").toBeUndefined();
    expect(logsIn(bench.root)).toEqual([]);
    await Promise.all(ids.map((id, at) => put(saver, id, idOf(1), { at })));
    await saver.close();
    const again = bench.open();
    for (const [at, id] of ids.entries()) expect(await valuesAt(again, id)).toEqual({ at });
    const listed: string[] = [];
    for await (const { threadId } of again.listThreads()) listed.push(threadId);
    expect(listed.toSorted()).toEqual(ids.toSorted());
    await again.compact();
    await again.repair();
    expect(await again.verify()).toEqual({ intact: ids.length, problems: [] });
    for (const [at, id] of ids.entries()) {
      await again.deleteThread(id);
      expect(await again.getTuple(configOf(id))).toBeUndefined();
      for (const next of ids.slice(at + 1, at + 2))
        expect(await valuesAt(again, next)).toEqual({ at: at + 1 });
    }
    expect(snapshot(bench.around)).toEqual(before);
  });

  it("of a deleted thread stay nowhere", async () => {
    const saver = bench.open();
    await put(saver, "jane.doe@example.org", idOf(1), { text: "x" });
    await saver.deleteThread("jane.doe@example.org");
    for (const name of filesIn(bench.root)) {
      expect(name).not.toContain("jane");
      expect(readFileSync(join(bench.root, name), "latin1")).not.toContain("jane");
    }
  });

  it("are the only ones that a file is named after: namespaces, checkpoints, channels and tasks are not", async () => {
    const saver = bench.open();
    for (const [at, odd] of Object.values(IDS).entries()) {
      await put(saver, "t", `${idOf(at)}${odd}`, { [odd]: at }, { namespace: odd });
      await saver.putWrites(configOf("t", `${idOf(at)}${odd}`, odd), [[odd, at]], odd);
    }
    const hash = /^threads\/[0-9a-f]{2}\/t~[0-9a-f]{32}\.0\.log$/;
    expect(filesIn(bench.root)).toEqual(["format.json", expect.stringMatching(hash)]);
    const again = bench.open();
    for (const [at, odd] of Object.values(IDS).entries()) {
      const { checkpoint, pendingWrites } = await tupleAt(again, "t", `${idOf(at)}${odd}`, odd);
      expect(checkpoint.channel_values).toEqual(Object.fromEntries([[odd, at]]));
      expect(pendingWrites).toEqual([[odd, odd, at]]);
    }
  });
});

describe("symbolic links inside the root", () => {
  const bench = useBench();
  const outside = (): string => join(bench.around, "outside");

  /** Puts a link to `outside` where `path` was: what every call says to it, and whether all stayed as it was. */
  async function throughLink(
    path: string,
    isFolder: boolean,
  ): Promise<{ codes: string[]; untouched: boolean }> {
    rmSync(path, { recursive: true });
    symlinkSync(outside(), path, isFolder ? "dir" : "file");
    const before = JSON.stringify(snapshot(bench.around));
    const codes = new Set<string>();
    for (const saver of [bench.open(), bench.open({ durability: "group" })]) {
      codes.add(await codeOf(saver.getTuple(configOf("t"))));
      codes.add(await codeOf(put(saver, "t", idOf(2), {})));
      codes.add(await codeOf(saver.deleteThread("t")));
      codes.add(await codeOf(saver.compact()));
    }
    const untouched = JSON.stringify(snapshot(bench.around)) === before && lstatSync(path).isSymbolicLink();
    return { codes: [...codes], untouched };
  }
  const refused = { codes: ["SETUP_MISMATCH"], untouched: true };

  it.each(["threads", "tmp", "journals"])("the folder %s", async (name) => {
    await put(bench.open(), "t", idOf(1), {});
    mkdirSync(outside());
    writeFileSync(join(outside(), "file"), "not yours");
    expect(await throughLink(join(bench.root, name), true)).toEqual(refused);
  });

  it("the folder of a thread's log", async () => {
    await put(bench.open(), "t", idOf(1), {});
    mkdirSync(outside());
    expect(await throughLink(dirname(onlyLog(bench.root)), true)).toEqual(refused);
  });

  it("a log", async () => {
    await put(bench.open(), "t", idOf(1), {});
    writeFileSync(outside(), readFileSync(onlyLog(bench.root)));
    expect(await throughLink(onlyLog(bench.root), false)).toEqual(refused);
  });

  it("format.json", async () => {
    await put(bench.open(), "t", idOf(1), {});
    writeFileSync(outside(), '{"format":1}');
    expect(await throughLink(join(bench.root, "format.json"), false)).toEqual(refused);
  });

  it("put in place while a saver runs", async () => {
    const saver = bench.open({ maxOpenFiles: 1 });
    await put(saver, "t", idOf(1), {});
    const folder = dirname(onlyLog(bench.root));
    // Only one file stays open, so that the next call looks for the log again.
    await put(saver, "other", idOf(1), {});
    mkdirSync(outside());
    rmSync(folder, { recursive: true });
    symlinkSync(outside(), folder, "dir");
    expect(await codeOf(put(saver, "t", idOf(2), {}))).toBe("SETUP_MISMATCH");
    expect(readdirSync(outside())).toEqual([]);
  });

  it("a newer log that is a link takes nothing of the real one", async () => {
    await put(bench.open(), "t", idOf(1), { text: "kept" });
    const log = onlyLog(bench.root);
    writeFileSync(outside(), "not yours");
    symlinkSync(outside(), log.replace(".0.log", ".1.log"));
    expect(await codeOf(bench.open().getTuple(configOf("t")))).toBe("SETUP_MISMATCH");
    expect(existsSync(log)).toBe(true);
    rmSync(log.replace(".0.log", ".1.log"));
    expect(await valuesAt(bench.open(), "t")).toEqual({ text: "kept" });
  });

  it("a stale one among the temporary files or journals is not followed", async () => {
    await bench.open().setup();
    writeFileSync(outside(), "not yours");
    symlinkSync(outside(), join(bench.root, "tmp", "link"));
    symlinkSync(outside(), join(bench.root, "journals", "99999999-00.journal"));
    await put(bench.open(), "t", idOf(1), {});
    expect(readFileSync(outside(), "utf8")).toBe("not yours");
  });
});

describe("permissions", () => {
  const bench = useBench();

  async function modesWith(options: {
    fileMode?: number;
    folderMode?: number;
  }): Promise<{ files: number[]; folders: number[] }> {
    const saver = bench.open({ durability: "group", ...options });
    await put(saver, "t", idOf(1), { text: "x" });
    await saver.compact();
    const entries = readdirSync(bench.root, { recursive: true, withFileTypes: true });
    const modesOf = (folders: boolean): number[] => [
      ...new Set(
        entries
          .filter((entry) => entry.isDirectory() === folders)
          .map((entry) => lstatSync(join(entry.parentPath, entry.name)).mode & 0o7777),
      ),
    ];
    const rootMode = lstatSync(bench.root).mode & 0o7777;
    return { files: modesOf(false), folders: [...new Set([rootMode, ...modesOf(true)])] };
  }

  it("are the owner's alone: files 0600, folders 0700", async () => {
    expect(await modesWith({})).toEqual({ files: [0o600], folders: [0o700] });
  });

  it("are what the options say, whatever the umask", async () => {
    expect(await modesWith({ fileMode: 0o664, folderMode: 0o2775 })).toEqual({
      files: [0o664],
      folders: [0o2775],
    });
  });

  it("of a folder that was there before stay as they are", async () => {
    mkdirSync(bench.root);
    chmodSync(bench.root, 0o755);
    await bench.open().setup();
    expect(lstatSync(bench.root).mode & 0o777).toBe(0o755);
  });

  it.each([
    { durability: "always" as never },
    { maxOpenFiles: 0 },
    { maxOpenFiles: 1.5 },
    { fileMode: -1 },
    { folderMode: 0o10000 },
    { fileMode: "600" as never },
    { encrpytion: { keys: [] } } as never,
    null as never,
  ])("bad options are refused before anything is made: %j", (options) => {
    expect(() => bench.open(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    expect(existsSync(bench.root)).toBe(false);
  });

  it.each(["", "a\0b", undefined as never, 7 as never])("a bad path is refused: %j", (path) => {
    expect(() => bench.open({}, path ?? null)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });

  it.each([{}, [], 1.5])("a bad thread id for compact and repair is refused: %j", async (id) => {
    const saver = bench.open();
    expect(await codeOf(saver.compact(id as never))).toBe("INVALID_INPUT");
    expect(await codeOf(saver.repair(id as never))).toBe("INVALID_INPUT");
    expect(existsSync(bench.root)).toBe(false);
  });
});
