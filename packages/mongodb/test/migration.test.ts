import { MongoDBSaver as OfficialSaver } from "@langchain/langgraph-checkpoint-mongodb";
import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { Annotation, Command, interrupt, START, StateGraph } from "@langchain/langgraph";
import type { MongoClient } from "mongodb";
import { MongoClient as MongoClient6 } from "mongodb6";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { migrateFromOfficial } from "../src/index.js";
import { uniqueName } from "./support/clients.js";
import { checkpoint, collect, config, idOf, metadata } from "@langgraph-savers/test/checkpoints";
import { place } from "./support/place.js";

const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** A subgraph that is interrupted, so that threads have namespaces, forks and all kinds of writes. */
function build(checkpointer: BaseCheckpointSaver) {
  const child = new StateGraph(State)
    .addNode("ask", () => ({ log: [`answer ${String(interrupt("question"))}`] }))
    .addNode("after", () => ({ log: ["after"] }))
    .addEdge(START, "ask")
    .addEdge("ask", "after")
    .compile();
  return new StateGraph(State)
    .addNode("first", () => ({ log: ["first"] }))
    .addNode("beside", () => ({ log: ["beside"] }))
    .addNode("child", child)
    .addEdge(START, "first")
    .addEdge(START, "beside")
    .addEdge("first", "child")
    .compile({ checkpointer });
}

/** The official saver over collections of its own, and ours over another. */
function both() {
  const here = place();
  const client = new MongoClient6(inject("mongodbUri"));
  const names = {
    dbName: here.dbName,
    checkpointCollectionName: uniqueName("official"),
    checkpointWritesCollectionName: uniqueName("official_writes"),
  };
  const db = client.db(here.dbName);
  onTestFinished(async () => {
    await client.close();
  });
  const official = new OfficialSaver({ client, ...names });
  const from = { client: client as unknown as MongoClient, ...names };
  const counts = async () => ({
    checkpoints: await db.collection(names.checkpointCollectionName).countDocuments(),
    writes: await db.collection(names.checkpointWritesCollectionName).countDocuments(),
  });
  return { here, official, from, counts, db, names };
}

/** All tuples of a thread in one order; the official saver leaves that of the writes open. */
async function tuplesOf(saver: BaseCheckpointSaver, threadId: string): Promise<CheckpointTuple[]> {
  const tuples = await collect(saver.list({ configurable: { thread_id: threadId } }));
  const key = ({ config: { configurable } }: CheckpointTuple) =>
    JSON.stringify([configurable!["checkpoint_id"], configurable!["checkpoint_ns"]]);
  return tuples
    .map(({ parentConfig, pendingWrites, ...rest }) => ({
      ...rest,
      ...(parentConfig === undefined ? {} : { parentConfig }),
      pendingWrites: pendingWrites!.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    }))
    .toSorted((a, b) => key(a).localeCompare(key(b)));
}

async function runThreads(official: OfficialSaver, threads: string[]): Promise<void> {
  const graph = build(official);
  for (const thread of threads) {
    const at = { configurable: { thread_id: thread } };
    await graph.invoke({ log: ["in"] }, at);
    await graph.invoke(new Command({ resume: "yes" }), at);
    const history = await collect(graph.getStateHistory(at));
    await graph.updateState(history[1]!.config, { log: ["fork"] }, "first");
    await graph.invoke(null, at);
  }
}

describe("migrateFromOfficial", () => {
  it("copies forks, writes, interrupts and subgraphs as they are, and writes nothing into the source", async () => {
    const { here, official, from, counts } = both();
    const threads = ["one", "two", "two:b"];
    await runThreads(official, threads);
    const before = await counts();
    const result = await migrateFromOfficial(from, here.saver());
    expect(result).toEqual({ threads: 3, ...before });
    expect(await counts()).toEqual(before);
    for (const thread of threads) {
      const ours = await tuplesOf(here.saver(), thread);
      expect(ours.length).toBeGreaterThan(6);
      expect(new Set(ours.map((tuple) => tuple.config.configurable!["checkpoint_ns"])).size).toBeGreaterThan(
        1,
      );
      expect(ours).toEqual(await tuplesOf(official, thread));
    }
  });

  it("a graph goes on where the official saver left it, in the middle of an interrupt", async () => {
    const { here, official, from } = both();
    const at = { configurable: { thread_id: "t" } };
    await build(official).invoke({ log: ["in"] }, at);
    await migrateFromOfficial(from, here.saver());
    const result = await build(here.saver()).invoke(new Command({ resume: "yes" }), at);
    expect(result.log.slice(-2)).toEqual(["answer yes", "after"]);
    expect(result.log).toContain("beside");
  });

  it("interrupted, goes on with the next thread; restarted, catches up with what came meanwhile", async () => {
    const { here, official, from } = both();
    await runThreads(official, ["a", "b", "c"]);
    const saver = here.saver();
    const abort = new AbortController();
    const copied: string[] = [];
    const onProgress = ({ threadId }: { threadId: string }) => {
      copied.push(threadId);
      abort.abort();
    };
    await migrateFromOfficial(from, saver, { onProgress, signal: abort.signal });
    expect(copied).toEqual(["a"]);
    await migrateFromOfficial(from, saver, { onProgress });
    expect(copied).toEqual(["a", "b", "c"]);
    await migrateFromOfficial(from, saver, { onProgress });
    expect(copied).toEqual(["a", "b", "c"]);
    await build(official).updateState({ configurable: { thread_id: "a" } }, { log: ["meanwhile"] }, "first");
    await migrateFromOfficial(from, saver, { restart: true });
    expect(await tuplesOf(saver, "a")).toEqual(await tuplesOf(official, "a"));
  });

  it("duplicates that the official saver has made become one", async () => {
    const { here, official, from, db, names } = both();
    await official.put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata());
    const { _id, ...copy } = (await db.collection(names.checkpointCollectionName).findOne())!;
    await db.collection(names.checkpointCollectionName).insertOne(copy);
    expect(await migrateFromOfficial(from, here.saver())).toEqual({ threads: 1, checkpoints: 1, writes: 0 });
    expect(await tuplesOf(here.saver(), "t")).toHaveLength(1);
    expect(_id).toBeDefined();
  });

  it("refuses what is no saver of this package", async () => {
    const { official, from } = both();
    await expect(migrateFromOfficial(from, official as never)).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});
