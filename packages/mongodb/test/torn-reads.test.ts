import { setTimeout as sleep } from "node:timers/promises";

import type { StoredCheckpoint } from "@langgraph-savers/core";
import { describe, expect, it } from "vitest";

import { idOf } from "@langgraph-savers/test/checkpoints";
import { place } from "./support/place.js";

const COUNT = 240;
const ROUNDS = 12;
const TASKS = ["first", "second"];
const ids = Array.from({ length: COUNT }, (_, at) => idOf(at));

/** A chain of checkpoints with writes, made without as many puts. */
async function withChain() {
  const here = place({ w: 1, journal: false });
  const saver = here.saver();
  await saver.setup();
  const { store } = saver;
  const key = { threadId: "t", namespace: "", checkpointId: ids[0]! };
  const body = Buffer.from("body");
  await store.putCheckpoint({ ...key, createdAt: 1, labels: {}, chunks: [], body }, []);
  for (const taskId of TASKS)
    await store.putWrites({ ...key, taskId, slots: [{ name: "0", replace: false, chunks: [], body }] }, []);
  const [record, ...writes] = await here.documents
    .find({ "_id.k": { $in: ["r", "w"] } } as object, { sort: { _id: 1 } })
    .toArray();
  const copies = ids
    .slice(1)
    .flatMap((i, at) => [
      { ...record!, _id: { ...(record!._id as object), i }, p: ids[at] },
      ...writes.map((document) => ({ ...document, _id: { ...(document._id as object), i } })),
    ]);
  await here.documents.insertMany(copies as object[]);
  return { store, other: here.saver().store };
}

const readings: Record<
  string,
  (store: Awaited<ReturnType<typeof withChain>>["store"]) => Promise<StoredCheckpoint[]>
> = {
  "a list of the thread": async (store) =>
    (await store.listCheckpoints({ threadId: "t", limit: COUNT })).items,
  "a list of everything": async (store) => (await store.listCheckpoints({ limit: COUNT })).items,
  "a chain of ancestors": async (store) =>
    (await store.listAncestors({ threadId: "t", namespace: "", checkpointId: ids.at(-1)!, limit: COUNT }))
      .items,
};

describe("beside a deletion of checkpoints", () => {
  it.each(Object.entries(readings))("%s has each with all its writes, or without it", async (_, read) => {
    const { store, other } = await withChain();
    const began = performance.now();
    await read(store);
    const duration = performance.now() - began;
    for (let round = 0; round < ROUNDS; round++) {
      const reading = read(store);
      // Each round at a later moment of the read, which has seen the records by then and not yet all of their writes.
      await sleep((duration * round) / ROUNDS);
      const names = ids
        .filter((id, at) => at % ROUNDS === round && id !== ids.at(-1))
        .map((checkpointId) => ({ namespace: "", checkpointId }));
      await other.deleteCheckpoints("t", names);
      expect((await reading).filter(({ writes }) => writes.length !== TASKS.length)).toEqual([]);
    }
  });
});
