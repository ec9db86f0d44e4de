import { FAULT_KINDS, startFaultProxy, type Fault } from "@langgraph-savers/test/mongodb";
import { MongoClient } from "mongodb";
import { afterAll, describe, expect, inject, it } from "vitest";

import { MongoDBSaver } from "../src/index.js";
import { checkpoint, collect, config, idOf, metadata, text } from "./support/checkpoints.js";
import { place } from "./support/place.js";

const OLD = { big: text(30_000, 1) };
const NEW = { big: text(30_000, 2) };
const HUGE = { big: text(400_000, 3) };

const here = place({}, afterAll);
let threads = 0;

/** One call to be disturbed, on a thread with a checkpoint and a write of its own. */
interface Case {
  name: string;
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
    name: "deleteThread",
    call: (saver, thread) => saver.deleteThread(thread),
    commands: ["find", "update", "find", "delete", "find"],
  },
];

/** All that a reader sees of the thread, by a saver that has nothing in memory. */
async function seen(thread: string): Promise<unknown> {
  const history = await collect(here.saver().list(config(thread)));
  return history.map(({ checkpoint: { id, channel_values }, pendingWrites }) => ({
    id,
    channel_values,
    pendingWrites,
  }));
}

async function prepared(): Promise<string> {
  const thread = `t${(threads += 1)}`;
  const saver = here.saver();
  await saver.put(config(thread), checkpoint(idOf(0), OLD), metadata(), { big: 1 });
  await saver.putWrites(config(thread, idOf(0)), [["a", OLD]], "first");
  return thread;
}

/** Runs the call through a proxy with the fault, and says how it ended. */
async function disturbed(thread: string, one: Case, fault: Fault | undefined, retryTimeoutMs: number) {
  const proxy = await startFaultProxy(inject("mongodbUri"));
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
    await saver.setup();
    proxy.arm(fault);
    const error: unknown = await one.call(saver, thread).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { error, commands: proxy.commands };
  } finally {
    await client.close();
    await proxy.close();
  }
}

describe.each(cases)("$name", (one) => {
  const faults = one.commands.flatMap((_, at) => FAULT_KINDS.map((kind) => ({ kind, at })));

  it("sends the commands that are disturbed below", async () => {
    const { commands, error } = await disturbed(await prepared(), one, undefined, 0);
    expect(error).toBeUndefined();
    expect(commands).toEqual(one.commands);
  });

  it.each(faults)("old state or new, and repeating it completes it: $kind, command $at", async (fault) => {
    const thread = await prepared();
    const before = await seen(thread);
    const { error } = await disturbed(thread, one, { ...fault, andAllAfter: true }, 0);
    const after = await seen(thread);
    await one.call(here.saver(), thread);
    const complete = await seen(thread);
    expect(complete).not.toEqual(before);
    expect([before, complete]).toContainEqual(after);
    // Acknowledged, it is complete; refused, it says why.
    const acknowledged = error === undefined;
    expect(acknowledged ? after : complete).toEqual(complete);
    expect(acknowledged ? "BACKEND_UNAVAILABLE" : (error as { code?: unknown }).code).toBe(
      "BACKEND_UNAVAILABLE",
    );
  });

  it.each(faults)("completes by itself where the fault passes: $kind, command $at", async (fault) => {
    const thread = await prepared();
    expect((await disturbed(thread, one, fault, 10_000)).error).toBeUndefined();
    const after = await seen(thread);
    await one.call(here.saver(), thread);
    expect(await seen(thread)).toEqual(after);
  });
});
