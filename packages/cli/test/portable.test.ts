import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { INTERRUPT } from "@langchain/langgraph-checkpoint";
import { isPackSaver } from "../src/stores/store.js";
import { checkpoint, idOf } from "@langgraph-savers/test/checkpoints";
import { beforeAll, describe, expect, it } from "vitest";

import { json, langgraphSavers, type Ran } from "./support/command.js";
import { putThread, runThread, tuplesOf } from "./support/histories.js";
import { newStore, opened, scratch } from "./support/stores.js";

const folder = scratch();
const THREADS = ["ran", "put", "rich \u2028\n\u0000 ünïcode", "__proto__"];
let url = "";
let file = "";
let exported: Ran | undefined;

/** What JSON has no words for, and keys that objects have already. */
const rich = {
  date: new Date(1e12),
  big: 2n ** 70n,
  numbers: [NaN, -0, Infinity],
  bytes: new Uint8Array([0, 255, 7]),
  floats: new Float64Array([1.5, -2]),
  map: new Map<unknown, unknown>([["a", new Set([1])]]),
  error: new RangeError("too far"),
  nothing: undefined,
  send: new Send("node", { k: [1n] }),
  messages: [
    new HumanMessage({ content: "hi\u2029", id: "1" }),
    new AIMessage({
      content: "",
      id: "2",
      tool_calls: [{ name: "f", args: { x: 1 }, id: "c", type: "tool_call" }],
    }),
    new ToolMessage({ content: "done", tool_call_id: "c", id: "3" }),
  ],
  lc: { lc: 1, type: "constructor", id: ["not", "a", "class"] },
  constructor: "a channel",
};

beforeAll(async () => {
  url = newStore("file", folder);
  file = join(folder, "all.jsonl.gz");
  await opened(url, async (_, saver) => {
    await runThread(saver, "ran");
    await putThread(saver, "put");
    for (const [at, id] of THREADS.slice(2).entries()) {
      const state = checkpoint(idOf(at), JSON.parse('{"__proto__": 1}') as Record<string, unknown>);
      Object.assign(state.channel_values, rich);
      Object.assign(state.channel_versions, Object.fromEntries(Object.keys(rich).map((name) => [name, 2])));
      const config = { configurable: { thread_id: id, checkpoint_ns: "" } };
      const metadata = { source: "loop", step: 1, parents: {}, extra: { when: new Date(5) } } as const;
      const stored = await saver.put(config, state, metadata, state.channel_versions);
      const putWrites = saver.putWrites.bind(saver) as (...args: unknown[]) => Promise<void>;
      await putWrites(
        stored,
        [
          [INTERRUPT, rich.date],
          ["bytes", rich.bytes],
        ],
        "task 2",
        "~first",
      );
      await putWrites(stored, [["big", rich.big]], "task 1", "~second");
    }
  });
  exported = await langgraphSavers(["export", url, "-o", file]);
});

const lines = () => gunzipSync(readFileSync(file)).toString().split("\n");

describe("export and import", () => {
  it("says how much it has written", () => {
    expect(exported).toMatchObject({
      code: 0,
      err: expect.stringMatching(/Exported 4 threads, \d+ checkpoints/),
    });
  });

  it.each(["file", "mongodb", "dynamodb"] as const)("lose nothing on the way to %s", async (kind) => {
    const target = newStore(kind, folder);
    const report = await json<{ copied: number; problems: unknown[] }>(["import", target, file]);
    expect(report).toMatchObject({ copied: THREADS.length, problems: [] });
    await opened(url, (_, from) =>
      opened(target, async (__, to) => {
        for (const id of THREADS) expect(await tuplesOf(to, id)).toEqual(await tuplesOf(from, id));
        const tuple = (await to.getTuple({ configurable: { thread_id: "__proto__" } }))!;
        expect(isPackSaver(to) && to.taskWrites(tuple)).toMatchObject([
          { taskId: "task 2", taskPath: "~first", writes: [{ idx: -3 }, { idx: 1, channel: "bytes" }] },
          { taskId: "task 1", taskPath: "~second", writes: [{ idx: 0 }] },
        ]);
      }),
    );
  });

  it("is JSON lines with a header, oldest checkpoints first, and of the threads asked for", async () => {
    const { out } = await langgraphSavers(["export", url, "put"]);
    const [header, thread, ...others] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(header).toMatchObject({ format: "langgraph-savers", version: 1, source: url });
    expect(thread).toEqual({ thread: "put", checkpoints: [0, 1, 2].map((at) => ["", idOf(at)]) });
    expect(others.map((line) => Object.keys(line)[0])).toEqual([
      "checkpoint",
      "checkpoint",
      "checkpoint",
      "threadEnd",
      "end",
    ]);
    expect(await langgraphSavers(["export", url, "nobody"])).toMatchObject({ code: 1 });
  });

  it("comes by the standard input, and adds only what is not there yet", async () => {
    const target = newStore("file", folder);
    await opened(target, async (_, saver) => putThread(saver, "put"));
    const input = lines().join("\n");
    expect(await json(["import", target, "-"], { input })).toMatchObject({
      copied: 3,
      same: 1,
      problems: [],
    });
    expect(await json(["import", target], { input })).toMatchObject({ copied: 0, same: 4, problems: [] });
  });

  it("a thread that has gone another way is left alone, and the others are imported", async () => {
    const target = newStore("file", folder);
    await opened(target, (_, saver) => runThread(saver, "ran"));
    const { code, out } = await langgraphSavers(["import", target, file]);
    expect(code).toBe(1);
    expect(out).toMatch(/✗ ran: the target has \d+ checkpoints of this thread that the source has not/);
    expect(out).toContain("--merge");
    expect(out).toContain("Copied 3 threads");
    expect(await json(["import", target, file, "--merge"])).toMatchObject({
      copied: 1,
      same: 3,
      problems: [],
    });
  });
});

describe("a file that is not what was exported", () => {
  const changes: Record<string, [change: (lines: string[]) => string[], words: string]> = {
    "was cut at a line": [(all) => all.slice(0, 2), "a checkpoint was expected"],
    "was cut within a line": [(all) => [...all.slice(0, 2), all[2]!.slice(0, 50)], "it is not JSON"],
    "lacks its end": [(all) => all.slice(0, -2), "it was cut"],
    "lacks a line": [(all) => all.toSpliced(-4, 1), "does not match"],
    "was edited": [
      (all) => all.with(2, all[2]!.replace("item 0", "item X").replace("2026", "2027")),
      "does not match",
    ],
    "is something else": [() => ['{"hello": 1}'], "header of an export"],
    "is from a newer release": [
      (all) => all.with(0, all[0]!.replace('"version":1', '"version":9')),
      "Update",
    ],
    "is empty": [() => [""], "header of an export"],
  };

  it.each(Object.entries(changes))("because it %s is refused", async (_, [change, words]) => {
    const target = newStore("file", folder);
    const path = join(folder, "changed.jsonl");
    writeFileSync(path, change(lines()).join("\n"));
    const { code, err } = await langgraphSavers(["import", target, path]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(words) });
  });

  it("is not left behind by an export that fails", async () => {
    const output = join(folder, "half.jsonl");
    expect(await langgraphSavers(["export", url, "put", "nobody", "-o", output])).toMatchObject({ code: 1 });
    expect([existsSync(output), existsSync(`${output}.unfinished`)]).toEqual([false, false]);
    expect(await langgraphSavers(["export", url, "-o", join(folder, "no", "such", "folder")])).toMatchObject({
      code: 2,
    });
  });
});
