import { SaverError } from "@langgraph-savers/core";
import type { IndexDescription } from "mongodb";

import type { Backend } from "./backend.js";
import { BY_RELEASE } from "./collection.js";
import { RECORD, THREAD } from "./keys.js";
import { BY_CHECKPOINT, BY_THREAD } from "./listing.js";
import { BY_RUN } from "./runs.js";
import { BY_KIND } from "./thread-list.js";

/** Partial, so that chunks, which are most of the documents, are in no index but that of their `_id`. */
const INDEXES: IndexDescription[] = [
  {
    name: BY_THREAD,
    key: { "_id.t": 1, "_id.k": 1, "_id.i": -1, "_id.n": 1 },
    partialFilterExpression: { "_id.k": { $gte: RECORD } },
  },
  {
    name: BY_CHECKPOINT,
    key: { "_id.i": -1, "_id.t": 1, "_id.n": 1 },
    partialFilterExpression: { "_id.k": RECORD },
  },
  { name: BY_KIND, key: { "_id.t": 1, "_id.k": 1 }, partialFilterExpression: { "_id.k": THREAD } },
  { name: "savers_deleted", key: { x: 1 }, sparse: true },
  { name: BY_RUN, key: { runId: 1, _id: 1 }, partialFilterExpression: { runId: { $exists: true } } },
  {
    name: BY_RELEASE,
    key: { "_id.t": 1, "m.a": 1 },
    partialFilterExpression: { "m.a": { $exists: true } },
  },
];

const EXPIRY_INDEX: IndexDescription = {
  name: "savers_expiry",
  key: { e: 1 },
  sparse: true,
  expireAfterSeconds: 0,
};

/** Threads are spread evenly, whatever their ids look like. */
const SHARD_KEY = { "_id.t": "hashed" } as const;

/** Indexes, after a look at what is there: the official saver's documents have other ids, and are not to be mixed in. */
export async function setUp(backend: Backend, withExpiry: boolean): Promise<void> {
  const { collection } = backend;
  const foreign = await backend.run("setup", () =>
    collection.findOne({ _id: { $type: "objectId" } } as object, { projection: { _id: 1 } }),
  );
  if (foreign !== null) {
    throw new SaverError(
      "SETUP_MISMATCH",
      `The collection "${collection.collectionName}" holds documents of another program, such as the official ` +
        "MongoDBSaver. Name another one in `checkpointCollectionName`; `migrateFromOfficial` copies the checkpoints over.",
    );
  }
  const indexes = withExpiry ? [...INDEXES, EXPIRY_INDEX] : INDEXES;
  await backend.run("setup", () => collection.createIndexes(indexes));
}

/** Spreads threads over the shards of a cluster, each thread whole on one of them. */
export async function shard(backend: Backend, admin: (command: object) => Promise<unknown>): Promise<void> {
  const { collection } = backend;
  const { dbName, namespace } = collection;
  await backend.run("enableSharding", () => admin({ enableSharding: dbName }));
  // A collection that has documents is sharded only where there is an index for the key; an empty one gets it anyway.
  await backend.run("setup", () => collection.createIndex(SHARD_KEY, { name: "savers_shards" }));
  await backend.run("shardCollection", () => admin({ shardCollection: namespace, key: SHARD_KEY }));
}
