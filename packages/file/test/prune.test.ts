import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect, it, onTestFinished } from "vitest";

import { FileSaver } from "../src/index.js";
import { sharedDirectory } from "./shared-directory.js";

const CHECKPOINTS = 10_000;
/** Of each checkpoint's record, which has its state inline. */
const RECORD_BYTES = 2_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it("10,000 checkpoints are pruned a page at a time, in as many calls as there are pages, holding no more than ids", async () => {
  const { place, destroy } = await sharedDirectory.create();
  onTestFinished(destroy);
  const { path } = place as { path: string };
  await using saver = new FileSaver(path, { durability: "none", cacheBytes: 0, compression: "none" });
  let parent: string | undefined;
  for (let step = 0; step < CHECKPOINTS; step++) {
    const id = String(step).padStart(8, "0");
    const state = Array.from({ length: 3 }, (_, at) => [`c${at}`, `${step} ${"x".repeat(RECORD_BYTES / 3)}`]);
    const versions = Object.fromEntries(state.map(([name]) => [name, step + 1]));
    await saver.put(
      { configurable: { thread_id: "t", checkpoint_ns: "", ...(parent ? { checkpoint_id: parent } : {}) } },
      {
        v: 4,
        id,
        ts: "2026-01-01T00:00:00.000Z",
        channel_values: Object.fromEntries(state),
        channel_versions: versions,
        versions_seen: {},
      },
      { source: "loop", step, parents: {} },
      versions,
    );
    parent = id;
  }
  const stored = (await saver.threadInfo("t"))!.bytes;
  expect(stored).toBeGreaterThan(CHECKPOINTS * RECORD_BYTES);

  const held: number[] = [];
  const pages = { listed: 0, deleted: 0 };
  const { store } = saver;
  const [list, remove] = [store.listCheckpoints.bind(store), store.deleteCheckpoints.bind(store)];
  store.listCheckpoints = async (query) => {
    expect(query.limit).toBeLessThanOrEqual(100);
    // The first page brings what is loaded once.
    if (pages.listed === 1 || pages.listed === 99) held.push(heldBytes());
    pages.listed += 1;
    return list(query);
  };
  store.deleteCheckpoints = async (threadId, names) => {
    expect(names.length).toBeLessThanOrEqual(100);
    pages.deleted += 1;
    return remove(threadId, names);
  };
  const report = await saver.prune(["t"], { keepLast: 10 });
  expect(report).toMatchObject({ deleted: CHECKPOINTS - 10, kept: 10 });
  expect(pages).toEqual({ listed: 100, deleted: 100 });
  // Ids, and what the log's index remembers; the records themselves would be eight times as much.
  expect(held[1]! - held[0]!).toBeLessThan(stored / 8);
  expect((await saver.threadInfo("t"))!.checkpoints).toBe(10);
}, 120_000);
