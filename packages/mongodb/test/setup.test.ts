import { MongoDBSaver as OfficialSaver } from "@langchain/langgraph-checkpoint-mongodb";
import { MongoClient } from "mongodb";
import { MongoClient as MongoClient6 } from "mongodb6";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { MongoDBSaver } from "../src/index.js";
import { checkpoint, config, idOf, metadata } from "@langgraph-savers/test/checkpoints";
import { connectTo } from "@langgraph-savers/test/mongodb";
import { CommandCounter, place } from "./support/place.js";

/** A client that is never connected. */
const client = new MongoClient("mongodb://localhost");

async function failure(work: Promise<unknown>): Promise<Error & { code: string }> {
  return work.then(
    () => expect.unreachable("it succeeded"),
    (error: unknown) => error as Error & { code: string },
  );
}

describe("setup", () => {
  it("by many savers at once, and again", async () => {
    const here = place();
    await Promise.all(Array.from({ length: 8 }, () => here.saver().setup()));
    const before = await here.documents.indexes();
    await here.saver().setup();
    expect(await here.documents.indexes()).toEqual(before);
    expect(before.map(({ name }) => String(name)).toSorted()).toEqual([
      "_id_",
      "savers_by_checkpoint",
      "savers_by_thread",
      "savers_deleted",
      "savers_released",
      "savers_runs",
      "savers_threads",
    ]);
  });

  it("refuses a collection of the official saver, and leaves it alone", async () => {
    const here = place();
    const official6 = new MongoClient6(inject("mongodbUri"));
    const official = new OfficialSaver({
      client: official6,
      dbName: here.dbName,
      checkpointCollectionName: here.collectionName,
    });
    await official.put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata());
    await official6.close();
    const before = await here.documents.find().toArray();
    expect(await failure(here.saver().setup())).toMatchObject({ code: "SETUP_MISMATCH" });
    expect(await failure(here.saver().getTuple(config("t")))).toMatchObject({ code: "SETUP_MISMATCH" });
    expect(await here.documents.find().toArray()).toEqual(before);
    expect(await here.documents.indexes()).toHaveLength(1);
  });

  it("refuses a collection whose indexes have its names and other keys", async () => {
    const here = place();
    await here.documents.createIndex({ other: 1 }, { name: "savers_by_thread" });
    expect(await failure(here.saver().setup())).toMatchObject({ code: "SETUP_MISMATCH" });
  });

  it("shard: sends the cluster the commands of the README, and says so where there is no cluster", async () => {
    const here = place({ monitorCommands: true });
    const counter = new CommandCounter(here.client);
    expect(await failure(here.saver().setup({ shard: true }))).toMatchObject({ code: "SETUP_MISMATCH" });
    const sent = counter.events.filter(({ commandName }) => /shard/i.test(commandName));
    expect(sent[0]?.command).toMatchObject({ enableSharding: here.dbName });
  });
});

describe("options", () => {
  it.each([
    ["MongoDBSaver", undefined],
    ["client", {}],
    ['no option "checkpointCollection"', { client, checkpointCollection: "a" }],
    ["dbName", { client, dbName: "" }],
    ["checkpointCollectionName", { client, checkpointCollectionName: "a$b" }],
    ["checkpointWritesCollectionName", { client, checkpointWritesCollectionName: 7 }],
    ["ttl", { client, ttl: 0 }],
    ["ttl", { client, ttl: "60" }],
    ["retryTimeoutMs", { client, retryTimeoutMs: -1 }],
    ["write concern", { client: new MongoClient("mongodb://localhost/?w=0") }],
  ])("%s: refused before anything is opened", (name, params) => {
    expect(() => new MongoDBSaver(params as never)).toThrow(name);
    expect(() => new MongoDBSaver(params as never)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }),
    );
  });

  it("enableTimestamps writes when a document was stored last", async () => {
    const here = place();
    const saver = here.saver({ enableTimestamps: true });
    await saver.put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    await saver.putWrites(config("t", idOf(0)), [["a", 1]], "task");
    expect(await here.documents.countDocuments({ upserted_at: { $type: "date" } })).toBe(2);
    await here.saver().put(config("u"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    expect(await here.documents.countDocuments({ upserted_at: { $exists: true } })).toBe(2);
  });

  it("what the client is told about acknowledgement wins; else writes are journaled", async () => {
    const concernOf = async (options: object) => {
      const here = place({ monitorCommands: true, ...options });
      const counter = new CommandCounter(here.client);
      await here.saver().put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
      return counter.events.find(({ commandName }) => commandName === "update")?.command["writeConcern"];
    };
    expect(await concernOf({})).toEqual({ w: 1, j: true });
    expect(await concernOf({ w: 1, journal: false })).toEqual({ w: 1, j: false });
    expect(await concernOf({ w: "majority" })).toEqual({ w: "majority", j: true });
  });

  it("tells the server who it is", () => {
    const named: unknown[] = [];
    const talkative = new MongoClient("mongodb://localhost");
    talkative.appendMetadata = (info) => void named.push(info);
    expect(new MongoDBSaver({ client: talkative })).toBeDefined();
    expect(named).toEqual([{ name: "langgraph-savers" }]);
  });
});

describe("fromUri", () => {
  it("makes a client of its own, and closes it", async () => {
    const here = place();
    const options = { dbName: here.dbName, checkpointCollectionName: here.collectionName };
    await using saver = MongoDBSaver.fromUri(inject("mongodbUri"), options);
    await saver.put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    expect(await here.saver().getTuple(config("t"))).toBeDefined();
    await saver.close();
    expect(await failure(saver.getTuple(config("t")))).toMatchObject({ code: "SAVER_CLOSED" });
  });

  it("a client that was passed stays open", async () => {
    const here = place();
    await here.saver().close();
    expect(await here.saver().getTuple(config("t"))).toBeUndefined();
  });

  it.each(["mongodb://user:s3cret@", "not a uri s3cret", "mongodb://user:s3cret@host/?nonsense=1"])(
    "no part of a wrong connection string is in the error: %s",
    (uri) => {
      const error = (() => {
        try {
          MongoDBSaver.fromUri(uri);
        } catch (thrown) {
          return thrown as Error;
        }
        return expect.unreachable("it succeeded");
      })();
      expect(error).toMatchObject({ code: "INVALID_OPTION" });
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain("s3cret");
    },
  );

  it("a server that is not there: a code, in bounded time, without the password", async () => {
    const saver = MongoDBSaver.fromUri("mongodb://user:s3cret@127.0.0.1:1/", {
      retryTimeoutMs: 50,
      clientOptions: { serverSelectionTimeoutMS: 50 },
    });
    const error = await failure(saver.put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 }));
    await saver.close();
    expect(error).toMatchObject({ code: "BACKEND_UNAVAILABLE" });
    const { inspect } = await import("node:util");
    expect(inspect(error, { depth: 20 })).not.toContain("s3cret");
  });

  it.each([
    ["6", MongoClient6],
    ["7", MongoClient],
  ])("a server that comes after the first call, with driver %s: the saver goes on", async (_, Client) => {
    const server = createServer((socket) => {
      const upstream = connectTo(inject("mongodbUri"));
      for (const each of [socket, upstream]) each.on("error", () => {});
      socket.on("close", () => upstream.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    const listen = (port: number) => once(server.listen(port, "127.0.0.1"), "listening");
    await listen(0);
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));

    const late = new Client(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 100,
    }) as unknown as MongoClient;
    const { dbName, collectionName: checkpointCollectionName } = place();
    const params = { client: late, dbName, checkpointCollectionName };
    const impatient = new MongoDBSaver({ ...params, retryTimeoutMs: 0 });
    onTestFinished(async () => {
      await late.close();
      await new Promise((resolve) => server.close(resolve));
    });
    const first = await failure(impatient.getTuple(config("t")));
    const second = await failure(impatient.getTuple(config("t")));
    expect([first.code, second.code]).toEqual(["BACKEND_UNAVAILABLE", "BACKEND_UNAVAILABLE"]);

    await listen(port);
    expect(await new MongoDBSaver(params).getTuple(config("t"))).toBeUndefined();
  });

  it("a client that was closed stays closed", async () => {
    const closed = new MongoClient("mongodb://127.0.0.1:1/", { serverSelectionTimeoutMS: 50 });
    const saver = new MongoDBSaver({ client: closed, retryTimeoutMs: 0 });
    await failure(saver.getTuple(config("t")));
    await closed.close();
    expect((await failure(saver.getTuple(config("t")))).cause).toMatchObject({
      name: "MongoNotConnectedError",
    });
  });
});
