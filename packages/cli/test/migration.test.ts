import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { Command } from "@langchain/langgraph";
import { beforeAll, describe, expect, it } from "vitest";

import { killCopy } from "./support/kill-copy.js";
import { json, langgraphSavers } from "./support/command.js";
import { buildGraph, putThread, runThread, tuplesOf } from "./support/histories.js";
import { newStore, opened, scratch, type Kind } from "./support/stores.js";

const THREADS = 60;
const FROM_GRAPHS = 4;
const AT_ONCE = 8;
/** Thousands of requests, on a machine that may have more to do. */
const PATIENCE_MS = 240_000;

const folder = scratch();

interface Report {
  copied: number;
  same: number;
  resumed: number;
  checkpoints: number;
  problems: unknown[];
}

/** Threads of real runs, and many more that were put by hand. */
async function fill(url: string): Promise<string[]> {
  const ids = Array.from({ length: THREADS }, (_, at) => `thread-${String(at).padStart(3, "0")}`);
  await opened(url, async (_, saver) => {
    for (const id of ids.slice(0, FROM_GRAPHS)) await runThread(saver, id);
    for (const id of ids.slice(FROM_GRAPHS)) await putThread(saver, id);
    await buildGraph(saver).invoke({ log: ["in"] }, { configurable: { thread_id: "waiting" } });
  });
  return [...ids, "waiting"];
}

describe.each<Kind>(["official-sqlite", "official-mongodb"])("copy from %s", (sourceKind) => {
  const source = { url: "", ids: [] as string[] };

  beforeAll(async () => {
    source.url = newStore(sourceKind, folder);
    source.ids = await fill(source.url);
    // Else whichever of its connections is collected last moves the log of the database into its file.
    if (sourceKind === "official-sqlite")
      await opened(source.url, async (_, saver) => {
        (saver as unknown as { db: { pragma(text: string): unknown } }).db.pragma("wal_checkpoint(TRUNCATE)");
      });
  }, PATIENCE_MS);

  it.each<Kind>(["file", "mongodb", "dynamodb"])(
    "to %s, killed and resumed on the way, leaves every tuple the same",
    async (targetKind) => {
      const target = newStore(targetKind, folder);
      const journal = join(folder, `${sourceKind}-${targetKind}.jsonl`);
      const before = await killCopy(source.url, target, journal, 5);
      const report = await json<Report>(["copy", source.url, target, "--journal", journal]);
      expect(report.problems).toEqual([]);
      // A line of the journal that the kill has cut may be one less.
      expect(report.resumed).toBeGreaterThanOrEqual(before - 1);
      expect(report.resumed + report.copied + report.same).toBe(source.ids.length);
      expect(report.resumed).toBeLessThan(source.ids.length);
      expect(existsSync(journal)).toBe(false);

      await opened(
        source.url,
        (_, from) =>
          opened(target, async (__, to) => {
            for (let at = 0; at < source.ids.length; at += AT_ONCE)
              await Promise.all(
                source.ids.slice(at, at + AT_ONCE).map(async (id) => {
                  expect(await tuplesOf(to, id), id).toEqual(await tuplesOf(from, id));
                }),
              );
          }),
        "read",
      );
    },
    PATIENCE_MS,
  );

  it("a graph goes on in the target where it was left in the source, in the middle of a question", async () => {
    const target = newStore("file", folder);
    expect(await langgraphSavers(["copy", source.url, target, "waiting"])).toMatchObject({ code: 0 });
    const result = await opened(target, (_, saver) =>
      buildGraph(saver).invoke(new Command({ resume: "yes" }), { configurable: { thread_id: "waiting" } }),
    );
    expect(result.log.slice(-2)).toEqual(["answer yes", "after"]);
  });

  it("what is there already is not copied again, and the source was only read", async () => {
    const target = newStore("file", folder);
    const before = await sourceBytes(source.url);
    const copied = await json<Report>(["copy", source.url, target]);
    const again = await json<Report>(["copy", source.url, target]);
    expect(copied).toMatchObject({ copied: source.ids.length, same: 0 });
    expect(again).toMatchObject({ copied: 0, same: source.ids.length, checkpoints: copied.checkpoints });
    expect(await langgraphSavers(["verify", target])).toMatchObject({ code: 0 });
    expect(await sourceBytes(source.url)).toBe(before);
  });

  it("tells what there is to know of the threads", async () => {
    const rows = await json<{ threadId: string; checkpoints: number; bytes: number }[]>([
      "threads",
      source.url,
      "--sort",
      "id",
    ]);
    expect(rows.map(({ threadId }) => threadId)).toEqual(source.ids);
    expect(rows[0]).toMatchObject({ namespaces: 3 });
    expect(rows[0]!.checkpoints).toBeGreaterThan(6);
    expect(rows.at(-2)).toMatchObject({ checkpoints: 3, namespaces: 1, lastStep: 2, lastSource: "loop" });
    expect(rows.at(-2)!.bytes).toBeGreaterThan(500);
  });
});

/** The database file, or the sizes that the server tells. */
async function sourceBytes(url: string): Promise<string> {
  const file = /^official-sqlite:(.*)$/.exec(url)?.[1];
  if (file !== undefined) return createHash("sha256").update(readFileSync(file)).digest("hex");
  return JSON.stringify(await json(["threads", url, "--sort", "id"]));
}
