import type { Db, MongoClient } from "mongodb";

import { nothing, type Counts, type Opened, type Place } from "./subject.js";
import { Waves } from "./waves.js";

const DATABASE = "langgraph_savers_bench";
/** Only these answer for work; the rest looks after the connection. */
const NOT_COUNTED = new Set(["hello", "ismaster", "endSessions", "ping"]);

/** Both journaled: with the driver's own default the official saver would lose acknowledged data in a crash. */
const OPTIONS = { monitorCommands: true, writeConcern: { w: 1, journal: true } };

function counter(client: MongoClient): () => Counts {
  const waves = new Waves();
  const open = new Map<number, () => void>();
  client.on("commandStarted", ({ commandName, requestId }) => {
    if (!NOT_COUNTED.has(commandName)) open.set(requestId, waves.sent());
  });
  for (const event of ["commandSucceeded", "commandFailed"] as const)
    client.on(event, ({ requestId }: { requestId: number }) => {
      open.get(requestId)?.();
      open.delete(requestId);
    });
  return () => ({ requests: waves.requests, roundTrips: waves.roundTrips });
}

export async function openOurs({ mongodbUri, name }: Place): Promise<Opened> {
  const { MongoDBSaver } = await import("@langgraph-savers/mongodb");
  const { MongoClient: Client } = await import("mongodb");
  const client = new Client(mongodbUri, OPTIONS);
  const open = () => new MongoDBSaver({ client, dbName: DATABASE, checkpointCollectionName: name });
  const saver = open();
  await saver.setup();
  const cold = async () => {
    const other = open();
    await other.setup();
    return { saver: other, close: () => other.close() };
  };
  return { saver, cold, counts: counter(client), ...collections(client, [name]) };
}

export async function openOfficial({ mongodbUri, name }: Place): Promise<Opened> {
  const { MongoDBSaver } = await import("@langchain/langgraph-checkpoint-mongodb");
  // The driver that it brings with it. Its client is used as one of driver 7 here: in what is called, they are alike.
  const { MongoClient: Client } = await import("mongodb6");
  const own = new Client(mongodbUri, OPTIONS);
  const client = own as unknown as MongoClient;
  const names = [`${name}-checkpoints`, `${name}-writes`] as const;
  const open = () =>
    new MongoDBSaver({
      client: own,
      dbName: DATABASE,
      checkpointCollectionName: names[0],
      checkpointWritesCollectionName: names[1],
    });
  const saver = open();
  await saver.setup();
  const cold = async () => ({ saver: open(), close: nothing });
  return { saver, cold, counts: counter(client), ...collections(client, names) };
}

function collections(client: MongoClient, names: readonly string[]) {
  const db = client.db(DATABASE);
  return {
    stored: () => sum(names.map(async (name) => (await stats(db, name)).size)),
    async disk() {
      // Only what is in a checkpoint of the storage engine has a size on the disk.
      await client.db("admin").command({ fsync: 1 });
      return sum(
        names.map(async (name) => {
          const { storageSize, totalIndexSize } = await stats(db, name);
          return storageSize + totalIndexSize;
        }),
      );
    },
    close: () => client.close(),
    async remove() {
      for (const name of names) await db.collection(name).drop();
    },
  };
}

interface Stats {
  size: number;
  storageSize: number;
  totalIndexSize: number;
}

async function stats(db: Db, name: string): Promise<Stats> {
  const found = await db
    .collection(name)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .next();
  return (found as { storageStats: Stats }).storageStats;
}

async function sum(numbers: Promise<number>[]): Promise<number> {
  return (await Promise.all(numbers)).reduce((total, each) => total + each, 0);
}
