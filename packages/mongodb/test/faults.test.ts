import { FAULT_KINDS, startFaultProxy, type Fault, type FaultProxy } from "@langgraph-savers/test/mongodb";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { MongoDBSaver } from "../src/index.js";
import { checkpoint, collect, config, idOf, metadata, text } from "@langgraph-savers/test/checkpoints";
import { place } from "./support/place.js";

const OLD = { big: text(30_000, 1) };
const NEW = { big: text(30_000, 2) };
const HUGE = { big: text(1_600_000, 3) };
const PRUNED = { big: text(30_000, 4) };
const LONG_AGO = Date.now() - 24 * 60 * 60_000;

/** Those that tell a repetition whether anything was done; the others are to it as one of these. */
const PASSING = [FAULT_KINDS[0], FAULT_KINDS[2]];

const here = place({}, afterAll);
/** Remembers nothing of what it has read. */
const reader = here.saver({ cacheBytes: 0 });
let threads = 0;

/** One call to be disturbed, on a thread with a checkpoint and a write of its own. */
interface Case {
  name: string;
  /** What else is there before. */
  prepare?(saver: MongoDBSaver, thread: string): Promise<void>;
  call(saver: MongoDBSaver, thread: string): Promise<unknown>;
  commands: string[];
}

const cases: Case[] = [
  {
    name: "put",
    call: (saver, thread) =>
      saver.put(config(thread, idOf(0)), checkpoint(idOf(1), NEW, 2), metadata(1), { big: 2 }),
    commands: ["aggregate", "update"],
  },
  {
    name: "put of many chunks",
    call: (saver, thread) =>
      saver.put(config(thread, idOf(0)), checkpoint(idOf(1), HUGE, 2), metadata(1), { big: 2 }),
    commands: ["aggregate", "insert", "update"],
  },
  {
    name: "putWrites",
    call: (saver, thread) =>
      saver.putWrites(
        config(thread, idOf(0)),
        [
          ["a", NEW],
          ["b", 2],
        ],
        "second",
      ),
    commands: ["update"],
  },
  {
    name: "prune",
    prepare: async (saver, thread) => {
      await saver.put(config(thread), checkpoint(idOf(1), PRUNED), metadata(), { big: 1 });
      await saver.put(config(thread, idOf(0)), checkpoint(idOf(2), NEW, 2), metadata(1), { big: 2 });
      await saver.store.deleteCheckpoints(thread, [{ namespace: "", checkpointId: idOf(1) }]);
      // So long ago that what it referred to is collected now.
      await here.documents.bulkWrite([
        { updateMany: { filter: { "_id.t": thread, "_id.k": "b" }, update: { $set: { a: LONG_AGO } } } },
        {
          updateMany: {
            filter: { "_id.t": thread, "_id.k": "d" },
            update: { $set: { "m.$[].a": LONG_AGO } },
          },
        },
      ]);
    },
    call: (saver, thread) => saver.prune([thread], { keepLast: 1 }),
    commands: [
      "aggregate",
      // The deletion: what is there, a release of it, the record, a word to readers, the writes.
      "find",
      "aggregate",
      "insert",
      "delete",
      "update",
      "delete",
      // The collection: what is due, what is needed, what is there, the chunks, the old release.
      "aggregate",
      "find",
      "aggregate",
      "aggregate",
      "aggregate",
      "delete",
      "delete",
      "update",
    ],
  },
  {
    name: "deleteThread",
    call: (saver, thread) => saver.deleteThread(thread),
    commands: ["find", "findAndModify", "find", "delete", "find"],
  },
];

/** All that a reader sees of the thread. */
async function seen(thread: string): Promise<unknown> {
  const history = await collect(reader.list(config(thread)));
  return history.map(({ checkpoint: { id, channel_values }, pendingWrites }) => ({
    id,
    channel_values,
    pendingWrites,
  }));
}

/** Chunks, and notes of deletions that are due. */
async function stored(thread: string): Promise<unknown> {
  const count = (filter: object) => here.documents.countDocuments({ "_id.t": thread, ...filter });
  return { chunks: await count({ "_id.k": "b" }), due: await count({ "m.a": { $lte: LONG_AGO } }) };
}

async function prepared(each: Case): Promise<string> {
  const thread = `t${(threads += 1)}`;
  await reader.put(config(thread), checkpoint(idOf(0), OLD), metadata(), { big: 1 });
  await reader.putWrites(config(thread, idOf(0)), [["a", OLD]], "first");
  await each.prepare?.(reader, thread);
  return thread;
}

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy(inject("mongodbUri"));
});
afterAll(() => proxy.close());

/** Runs the call through a proxy with the fault, and says how it ended. */
async function disturbed(thread: string, one: Case, fault: Fault | undefined, retryTimeoutMs: number) {
  const client = new MongoClient(proxy.uri, {
    retryReads: false,
    minHeartbeatFrequencyMS: 20,
    serverSelectionTimeoutMS: 1000,
  });
  const { dbName, collectionName } = here;
  const saver = new MongoDBSaver({
    client,
    dbName,
    checkpointCollectionName: collectionName,
    retryTimeoutMs,
  });
  try {
    proxy.arm();
    await saver.setup();
    proxy.arm(fault);
    const error: unknown = await one.call(saver, thread).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { error, commands: proxy.commands };
  } finally {
    proxy.arm();
    await client.close();
  }
}

describe.each(cases)("$name", (one) => {
  const faults = (kinds: readonly Fault["kind"][]) =>
    one.commands.flatMap((_, at) => kinds.map((kind) => ({ kind, at })));
  let before: unknown;
  let complete: unknown;
  let rest: unknown;

  it("sends the commands that are disturbed below", async () => {
    const thread = await prepared(one);
    before = await seen(thread);
    const { commands, error } = await disturbed(thread, one, undefined, 0);
    complete = await seen(thread);
    rest = await stored(thread);
    expect(error).toBeUndefined();
    expect(commands).toEqual(one.commands);
    expect(complete).not.toEqual(before);
  });

  it.each(faults(FAULT_KINDS))(
    "old state or new, and repeating it completes it: $kind, command $at",
    async (fault) => {
      const thread = await prepared(one);
      const { error } = await disturbed(thread, one, { ...fault, andAllAfter: true }, 0);
      const after = await seen(thread);
      expect([before, complete]).toContainEqual(after);
      // Acknowledged, it is complete; refused, it says why.
      const acknowledged = error === undefined;
      expect(acknowledged ? after : complete).toEqual(complete);
      expect(acknowledged ? "BACKEND_UNAVAILABLE" : (error as { code?: unknown }).code).toBe(
        "BACKEND_UNAVAILABLE",
      );
      await one.call(reader, thread);
      expect(await seen(thread)).toEqual(complete);
      expect(await stored(thread)).toEqual(rest);
    },
  );

  it.each(faults(PASSING))(
    "completes by itself where the fault passes: $kind, command $at",
    async (fault) => {
      const thread = await prepared(one);
      expect((await disturbed(thread, one, fault, 10_000)).error).toBeUndefined();
      expect(await seen(thread)).toEqual(complete);
      expect(await stored(thread)).toEqual(rest);
    },
  );
});
