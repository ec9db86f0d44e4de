import { MongoClient, type Document } from "mongodb";
import { MongoClient as MongoClient6 } from "mongodb6";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { MongoDBSaver } from "../src/index.js";
import { checkpoint, collect, config, idOf, metadata, text } from "@langgraph-savers/test/checkpoints";
import { place } from "./support/place.js";
import { startReplicaSet, startRouter, type Received, type Topology } from "./support/topology.js";

const LATER = Date.now() + 60_000;

/** A saver that is connected to the topology, and what it sends from then on. */
async function open(
  start: (target: string) => Promise<Topology>,
  options = "",
  Client: new (uri: string, options: object) => unknown = MongoClient,
) {
  const here = place();
  const topology = await start(inject("mongodbUri"));
  const uri = `${topology.uri}${options}`;
  const client = new Client(uri, { minHeartbeatFrequencyMS: 20, heartbeatFrequencyMS: 50 }) as MongoClient;
  onTestFinished(async () => {
    await client.close();
    await topology.close();
  });
  const { dbName, collectionName } = here;
  const saver = new MongoDBSaver({ client, dbName, checkpointCollectionName: collectionName, ttl: 1000 });
  await saver.setup();
  topology.received.length = 0;
  return { here, topology, saver };
}

/** All that a saver does with one thread: large and small values, writes, reads of all kinds, deletions. */
async function useThread(saver: MongoDBSaver): Promise<void> {
  const { store } = saver;
  const state = { big: text(300_000, 1), small: 1 };
  await saver.put(config("t"), checkpoint(idOf(0), state), metadata(), { big: 1, small: 1 });
  await saver.put(config("t"), checkpoint(idOf(0), state), metadata(), { big: 1, small: 1 });
  await saver.putWrites(config("t", idOf(0)), [["out", text(9000, 2)]], "task");
  await saver.put(config("t", idOf(0)), checkpoint(idOf(1), { small: 2 }, 2), metadata(1), { small: 2 });
  await saver.getTuple(config("t"));
  await saver.getTuple(config("t", idOf(0)));
  await collect(saver.list(config("t")));
  await collect(saver.list({ configurable: { thread_id: "t" } }));
  await saver.getDeltaChannelHistory({ config: config("t"), channels: ["out"] });
  await saver.threadInfo("t");
  await store.setRegister("t", "lease", "mine", undefined);
  await store.getRegister("t", "lease");
  await store.setRegister("t", "lease", undefined, "mine");
  await store.deleteCheckpoints("t", [{ namespace: "", checkpointId: idOf(0) }]);
  await saver.getTuple(config("t"));
  await store.collectChunks("t", LATER);
  await saver.deleteThread("t");
  await saver.put(config("t"), checkpoint(idOf(2), { small: 3 }), metadata(), { small: 1 });
  await saver.getTuple(config("t"));
}

const isWrite = ({ name }: Received) => ["insert", "update", "delete", "findAndModify"].includes(name);

describe("a replica set", () => {
  it.each([
    ["driver 7", MongoClient],
    ["driver 6", MongoClient6],
  ])(
    "%s: writes are acknowledged by a majority and journaled; reads are the primary's, of a majority",
    async (_, Client) => {
      const { topology, saver } = await open(startReplicaSet, "", Client);
      await useThread(saver);
      const { received } = topology;
      expect(received.length).toBeGreaterThan(30);
      expect(new Set(received.map(({ member }) => member))).toEqual(new Set(["first"]));
      for (const { name, command } of received.filter(isWrite))
        expect({ name, concern: command["writeConcern"] }).toEqual({
          name,
          concern: { w: "majority", j: true },
        });
      for (const { name, command } of received.filter((each) => !isWrite(each)))
        expect({ name, concern: command["readConcern"] }).toEqual({ name, concern: { level: "majority" } });
      // A driver that is allowed to repeat a write gives it a number.
      expect(received.some(({ command }) => "txnNumber" in command)).toBe(true);
    },
  );

  it("a client that reads from secondaries does so, but for what a deletion or a commit relies on", async () => {
    const { topology, saver } = await open(startReplicaSet, "&readPreference=secondary");
    await useThread(saver);
    await collect(saver.list({}));
    const of = (member: string) => topology.received.filter((each) => each.member === member);
    expect(new Set(of("second").map(({ name }) => name))).toEqual(new Set(["aggregate"]));
    const first = of("first");
    expect(first.filter(isWrite).length).toBeGreaterThan(10);
    expect(first.some((each) => !isWrite(each))).toBe(true);
    expect(topology.received.filter(isWrite).every(({ member }) => member === "first")).toBe(true);
  });

  it("a new primary again and again: the savers carry on, and nothing that was acknowledged is missing", async () => {
    const { here, topology, saver } = await open(startReplicaSet);
    for (let step = 0; step < 30; step++) {
      if (step % 3 === 0) topology.elect();
      const state = { big: text(30_000, step), step };
      const parent = step === 0 ? undefined : idOf(step - 1);
      const next = checkpoint(idOf(step), state, step + 1);
      await saver.put(config("t", parent), next, metadata(step), { big: step + 1, step: step + 1 });
      if (step % 3 === 1) topology.elect();
      await saver.putWrites(config("t", idOf(step)), [["out", step]], "task");
    }
    const history = await collect(here.saver().list(config("t")));
    expect(history.map(({ pendingWrites }) => pendingWrites?.[0]?.[2])).toEqual(
      Array.from({ length: 30 }, (_, at) => 29 - at),
    );
    expect(new Set(topology.received.filter(isWrite).map(({ member }) => member)).size).toBe(2);
  });

  it.each([
    ["a primary that steps down", { code: 11_602, codeName: "InterruptedDueToReplStateChange" }],
    ["a write conflict", { code: 112, codeName: "WriteConflict" }],
    ["a majority that is away for a moment", { code: 64, codeName: "WriteConcernTimeout" }],
  ])("%s: the call is repeated", async (_, error) => {
    const { here, topology, saver } = await open(startReplicaSet);
    topology.answer("update", { ok: 0, errmsg: "scripted", ...error });
    await saver.put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    topology.answer("aggregate", { ok: 0, errmsg: "scripted", ...error });
    expect(await saver.getTuple(config("t"))).toBeDefined();
    expect(await collect(here.saver().list(config("t")))).toHaveLength(1);
  });

  it("a write that is stored and not acknowledged by the majority in time is not taken for acknowledged", async () => {
    const { topology, saver } = await open(startReplicaSet);
    await saver.putWrites(config("t", idOf(0)), [["out", 1]], "task");
    topology.received.length = 0;
    topology.answer("update", {
      ok: 1,
      n: 2,
      nModified: 0,
      writeConcernError: {
        code: 64,
        codeName: "WriteConcernTimeout",
        errmsg: "waiting for replication timed out",
      },
    });
    await saver.put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    expect(topology.received.filter(({ name }) => name === "update")).toHaveLength(2);
  });
});

/** The thread that a filter names in such a way that a router knows its shard. */
function threadOf(filter: Document | undefined): unknown {
  const { _id, "_id.t": named, $and } = filter ?? {};
  const isKey =
    typeof _id === "object" && _id !== null && !Object.keys(_id).some((key) => key.startsWith("$"));
  return (
    (named as Document | undefined)?.["$in"]?.[0] ??
    named ??
    (isKey ? (_id as Document)["t"] : undefined) ??
    ($and as Document[] | undefined)?.map(threadOf)[0]
  );
}

/** Of all the statements of a command, and of all the pipelines within one. */
function threadsOf({ name, command }: Received): unknown[] {
  if (name === "insert") return (command["documents"] as Document[]).map(threadOf);
  if (name === "findAndModify") return [threadOf(command["query"] as Document)];
  if (name === "find") return [threadOf(command["filter"] as Document)];
  if (name === "aggregate") return threadsIn(command["pipeline"] as Document[]);
  const statements = (command["updates"] ?? command["deletes"]) as { q: Document }[];
  return statements.map(({ q }) => threadOf(q));
}

function threadsIn(pipeline: Document[]): unknown[] {
  const [first] = pipeline;
  const inner = pipeline.flatMap(({ $unionWith, $lookup, $graphLookup }) => [
    ...($unionWith === undefined ? [] : threadsIn(($unionWith as Document)["pipeline"] as Document[])),
    ...($lookup?.pipeline === undefined ? [] : threadsIn($lookup.pipeline as Document[])),
    ...($graphLookup === undefined ? [] : [threadOf($graphLookup.restrictSearchWithMatch as Document)]),
  ]);
  return [threadOf(first!["$match"] as Document), ...inner];
}

describe("a sharded cluster", () => {
  it("is sharded by thread with the commands of the README, behind an index for the key, and again without harm", async () => {
    const { here, topology, saver } = await open(startRouter);
    await saver.setup({ shard: true });
    await saver.setup({ shard: true });
    const sent = topology.received.filter(({ name }) => name !== "find").map(({ command }) => command);
    const namespace = `${here.dbName}.${here.collectionName}`;
    expect(sent).toMatchObject(
      [0, 1].flatMap(() => [
        { enableSharding: here.dbName, $db: "admin" },
        { createIndexes: here.collectionName, indexes: [{ key: { "_id.t": "hashed" } }] },
        { shardCollection: namespace, key: { "_id.t": "hashed" }, $db: "admin" },
      ]),
    );
  });

  it("every command on a thread names it, so that one shard is asked", async () => {
    const { topology, saver } = await open(startRouter);
    await useThread(saver);
    // What looks after deletions of long ago is of all threads.
    const onThreads = topology.received.filter(
      ({ command }) => !("x" in ((command["filter"] as object) ?? {})),
    );
    expect(onThreads.length).toBeGreaterThan(30);
    for (const received of onThreads) {
      const threads = threadsOf(received);
      expect({ command: received.command, threads }).toEqual({
        command: received.command,
        threads: threads.map(() => "t"),
      });
    }
  });

  it("acknowledged by a majority and journaled there too", async () => {
    const { topology, saver } = await open(startRouter);
    await useThread(saver);
    const concerns = new Set(
      topology.received.filter(isWrite).map(({ command }) => JSON.stringify(command["writeConcern"])),
    );
    expect([...concerns]).toEqual([JSON.stringify({ w: "majority", j: true })]);
  });
});
