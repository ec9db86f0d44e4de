import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  codeOf,
  configOf,
  idOf,
  linesOf,
  logsIn,
  noise,
  onlyLog,
  put,
  useBench,
  valuesAt,
} from "./support.js";

describe("the format of a log", () => {
  const bench = useBench();

  it("every line is valid JSON and shows ids, parents, steps and sizes", async () => {
    const saver = bench.open();
    await put(saver, "chat 7", idOf(1), { text: noise(9000, 1) }, { step: 4 });
    await put(saver, "chat 7", idOf(2), { text: "short" }, { parent: idOf(1), namespace: "sub|a", step: 5 });
    await saver.putWrites(configOf("chat 7", idOf(2), "sub|a"), [["out", "x"]], "task 1");
    const [start, first, second, writes] = linesOf(onlyLog(bench.root));
    expect(start).toMatchObject({ kind: "start", thread: "chat 7" });
    expect(first).toMatchObject({ kind: "put", ns: "", id: idOf(1), source: "loop", step: 4 });
    expect(second).toMatchObject({ kind: "put", ns: "sub|a", id: idOf(2), parent: idOf(1), step: 5 });
    expect(writes).toMatchObject({ kind: "writes", ns: "sub|a", id: idOf(2), task: "task 1" });
    for (const line of [first!, second!, writes!]) {
      const { sizes, data } = line as { sizes: number[]; data: string[] };
      expect(sizes).toEqual(data.map((text) => text.length));
      expect(line["at"]).toBeGreaterThan(Date.parse("2026-01-01"));
    }
    expect((first as { sizes: number[] }).sizes.length, "the value's chunks are counted").toBeGreaterThan(1);
  });

  it("whatever the ids are, they are data and not syntax", async () => {
    const saver = bench.open();
    const odd = '\n"}\u2028{"lgs":1,"len":"000000000001';
    await put(saver, odd, `${idOf(1)}${odd}`, { [odd]: odd }, { namespace: odd });
    await put(saver, odd, idOf(2), { text: "after" });
    expect(linesOf(onlyLog(bench.root))).toHaveLength(3);
    const again = bench.open();
    expect(await valuesAt(again, odd, `${idOf(1)}${odd}`, odd)).toEqual({ [odd]: odd });
    expect(await valuesAt(again, odd, idOf(2))).toEqual({ text: "after" });
  });

  it(
    "a torn frame takes nothing of what is put behind it, wherever it was torn",
    { timeout: 60_000 },
    async () => {
      const saver = bench.open({ durability: "none" });
      await put(saver, "t", idOf(1), { text: "first" });
      await put(saver, "t", idOf(2), { text: noise(1500, 2) });
      await saver.close();
      const path = onlyLog(bench.root);
      const whole = readFileSync(path);
      const lastAt = whole.lastIndexOf("\n", whole.byteLength - 2) + 1;
      const frame = whole.subarray(lastAt);
      const cuts = Array.from({ length: 22 }, (_, at) => 1 + at * 6);
      for (let cut = 133; cut < frame.byteLength - 1; cut += 211) cuts.push(cut);
      // The last byte is a line end, which must not come with what follows.
      for (const cut of [...cuts, frame.byteLength - 1]) {
        writeFileSync(path, whole.subarray(0, lastAt + cut));
        const writer = bench.open({ durability: "none" });
        const reader = bench.open({ durability: "none" });
        // One has the torn frame in front of it from the start, the other sees it grow.
        expect(await valuesAt(reader, "t", idOf(1))).toEqual({ text: "first" });
        await put(writer, "t", idOf(3), { text: noise(cut, 3) });
        await put(reader, "t", idOf(4), { text: "fourth" });
        for (const saverOf of [writer, reader, bench.open()]) {
          expect(await valuesAt(saverOf, "t", idOf(3)), `cut at ${cut}`).toEqual({ text: noise(cut, 3) });
          expect(await valuesAt(saverOf, "t"), `cut at ${cut}`).toEqual({ text: "fourth" });
          expect(await saverOf.getTuple(configOf("t", idOf(2))), `cut at ${cut}`).toBeUndefined();
          await saverOf.close();
        }
        const behind = readFileSync(path, "utf8")
          .slice(lastAt + cut)
          .split("\n")
          .filter((line) => line.trim() !== "");
        expect(behind.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([idOf(3), idOf(4)]);
      }
    },
  );

  it("what a foreign hand added between frames is passed over", async () => {
    const saver = bench.open();
    await put(saver, "t", idOf(1), { text: "first" });
    appendFileSync(onlyLog(bench.root), "not a frame\n\n\0\0\0\0");
    await put(saver, "t", idOf(2), { text: "second" });
    const again = bench.open();
    expect(await valuesAt(again, "t", idOf(1))).toEqual({ text: "first" });
    expect(await valuesAt(again, "t")).toEqual({ text: "second" });
    expect(await again.verify()).toEqual({ intact: 2, problems: [] });
  });
});

describe("the format of a directory", () => {
  const bench = useBench();

  it("holds one log per thread and nothing that a closed saver no longer needs", async () => {
    const saver = bench.open({ durability: "group" });
    await put(saver, "a", idOf(1), { text: "a" });
    await put(saver, "b", idOf(1), { text: "b" });
    expect(readdirSync(join(bench.root, "journals"))).toHaveLength(1);
    await saver.close();
    expect(readdirSync(join(bench.root, "journals"))).toEqual([]);
    expect(readdirSync(join(bench.root, "tmp"))).toEqual([]);
    expect(logsIn(bench.root)).toHaveLength(2);
    expect(readdirSync(bench.root).toSorted()).toEqual(["format.json", "journals", "threads", "tmp"]);
    expect(JSON.parse(readFileSync(join(bench.root, "format.json"), "utf8"))).toMatchObject({ format: 1 });
  });

  it("a newer format is refused, and left as it is", async () => {
    await put(bench.open(), "t", idOf(1), { text: "kept" });
    const path = join(bench.root, "format.json");
    const newer = '{"format":2}\n';
    writeFileSync(path, newer);
    const saver = bench.open();
    expect(await codeOf(saver.getTuple(configOf("t")))).toBe("FORMAT_TOO_NEW");
    expect(await codeOf(put(saver, "t", idOf(2), {}))).toBe("FORMAT_TOO_NEW");
    expect(readFileSync(path, "utf8")).toBe(newer);
    writeFileSync(path, '{"format":1}\n');
    expect(await valuesAt(saver, "t")).toEqual({ text: "kept" });
  });

  it.each(["", "{", "[]", "null", '"1"', '{"format":"1"}', '{"format":0}'])(
    "a format.json that says %j is not taken for one of the saver",
    async (text) => {
      mkdirSync(bench.root);
      writeFileSync(join(bench.root, "format.json"), text);
      expect(await codeOf(bench.open().getTuple(configOf("t")))).toBe("SETUP_MISMATCH");
      expect(readFileSync(join(bench.root, "format.json"), "utf8")).toBe(text);
    },
  );

  it("temporary files of killed processes go, young ones stay", async () => {
    await put(bench.open(), "t", idOf(1), {});
    const [stale, young] = ["stale", "young"].map((name) => join(bench.root, "tmp", name)) as [
      string,
      string,
    ];
    writeFileSync(stale, "left over");
    writeFileSync(young, "being written");
    const twoHoursAgo = Date.now() / 1000 - 7200;
    utimesSync(stale, twoHoursAgo, twoHoursAgo);
    await bench.open().setup();
    expect(existsSync(stale)).toBe(false);
    expect(existsSync(young)).toBe(true);
  });
});
