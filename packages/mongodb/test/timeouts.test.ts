import { MongoClient, type MongoClientOptions } from "mongodb";
import { MongoClient as MongoClient6 } from "mongodb6";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";

import { MongoDBSaver } from "../src/index.js";
import { checkpoint, collect, config, idOf, metadata } from "@langgraph-savers/test/checkpoints";
import { place } from "./support/place.js";
import { startReplicaSet } from "./support/topology.js";

/** A saver with these options of the driver, in front of a server that can be told not to answer. */
async function open(
  clientOptions: MongoClientOptions,
  retryTimeoutMs: number,
  Client: new (uri: string, options: object) => unknown = MongoClient,
) {
  const here = place();
  // Indexes may take longer to make than the calls below are given.
  await here.saver().setup();
  const topology = await startReplicaSet(inject("mongodbUri"));
  const client = new Client(topology.uri, {
    retryReads: false,
    retryWrites: false,
    minHeartbeatFrequencyMS: 20,
    ...clientOptions,
  }) as MongoClient;
  onTestFinished(async () => {
    await client.close(true);
    await topology.close();
  });
  const { dbName, collectionName } = here;
  const saver = new MongoDBSaver({
    client,
    dbName,
    checkpointCollectionName: collectionName,
    retryTimeoutMs,
  });
  await saver.setup();
  return { here, topology, saver };
}

const put = (saver: MongoDBSaver, signal?: AbortSignal) =>
  saver.put(
    { ...config("t"), ...(signal === undefined ? {} : { signal }) },
    checkpoint(idOf(0), { a: 1 }),
    metadata(),
    { a: 1 },
  );

describe("a server that does not answer", () => {
  it.each([
    ["socketTimeoutMS, driver 7", { socketTimeoutMS: 1000 }, MongoClient],
    ["socketTimeoutMS, driver 6", { socketTimeoutMS: 1000 }, MongoClient6],
    // In driver 7.8 it has no effect any more.
    ["timeoutMS, driver 6", { timeoutMS: 1000 }, MongoClient6],
  ])("%s: a call ends with a code, and the next one is served", async (_, options, Client) => {
    const { topology, saver } = await open(options, 0, Client);
    topology.answer("update", "nothing");
    const error = await put(saver).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "BACKEND_UNAVAILABLE" });
    // Its cause is the timeout's, not that of a server which could not be reached in the first place.
    expect(topology.received.some(({ name }) => name === "update")).toBe(true);
    topology.answer("aggregate", "nothing");
    await expect(saver.getTuple(config("t"))).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
    await vi.waitFor(() => put(saver), 15_000);
    expect(await saver.getTuple(config("t"))).toBeDefined();
  });

  it("socketTimeoutMS: the call is repeated for as long as `retryTimeoutMs` allows", async () => {
    const { topology, saver } = await open({ socketTimeoutMS: 1000 }, 10_000);
    topology.answer("update", "nothing");
    await put(saver);
    topology.answer("aggregate", "nothing");
    expect(await saver.getTuple(config("t"))).toBeDefined();
  });

  it("waitQueueTimeoutMS: a call that gets no connection ends with a code", async () => {
    const { topology, saver } = await open(
      { maxPoolSize: 1, waitQueueTimeoutMS: 100, socketTimeoutMS: 1000 },
      0,
    );
    topology.answer("update", "nothing");
    const held = put(saver).catch(() => undefined);
    await vi.waitUntil(() => topology.received.some(({ name }) => name === "update"));
    await expect(saver.getTuple(config("t"))).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
    await held;
  });

  it("a time limit of the server's own is an error with a code", async () => {
    const { topology, saver } = await open({}, 0);
    topology.answer("aggregate", { ok: 0, code: 50, codeName: "MaxTimeMSExpired", errmsg: "scripted" });
    await expect(saver.getTuple(config("t"))).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
  });
});

describe("a run that is aborted while the server does not answer", () => {
  it("its read ends at once with the signal's reason", async () => {
    const { topology, saver } = await open({ socketTimeoutMS: 60_000 }, 0);
    const controller = new AbortController();
    const reason = new Error("the user left");
    topology.answer("aggregate", "nothing");
    const reading = saver.getTuple({ ...config("t"), signal: controller.signal });
    await vi.waitUntil(() => topology.received.some(({ name }) => name === "aggregate"));
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it("its put goes on, and is stored whole", async () => {
    const { here, topology, saver } = await open({ socketTimeoutMS: 1000 }, 10_000);
    const controller = new AbortController();
    topology.answer("update", "nothing");
    const putting = put(saver, controller.signal);
    await vi.waitUntil(() => topology.received.some(({ name }) => name === "update"));
    controller.abort();
    await putting;
    const [stored, ...others] = await collect(here.saver().list(config("t")));
    expect(stored?.checkpoint.channel_values).toEqual({ a: 1 });
    expect(others).toEqual([]);
  });
});
