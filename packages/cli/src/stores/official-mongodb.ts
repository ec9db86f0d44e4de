import { importInstalled, installedFolder } from "@langgraph-savers/command/modules";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { TaskWrites } from "@langgraph-savers/core";
import type { Db, Document, MongoClient } from "mongodb";

import { ok, warn, type Check } from "../doctor/check.js";
import { connect, databaseOf, hasCollection, noCollection, type MongoDriver } from "./mongo-client.js";
import type { Opener } from "./open.js";
import { rowOf } from "./scan.js";
import { nameOf, type CheckpointName, type ThreadRow } from "./store.js";
import { groupByTask, type StoredWrite } from "./stored-writes.js";
import { takeOptions } from "./url.js";

const PACKAGE = "@langchain/langgraph-checkpoint-mongodb";

interface OfficialPackage {
  MongoDBSaver: new (params: {
    client: MongoClient;
    dbName: string;
    checkpointCollectionName: string;
    checkpointWritesCollectionName: string;
  }) => BaseCheckpointSaver;
}

/** The official saver, whose collections are only read unless it is the target of a copy. */
export const openOfficialMongodb: Opener = async (address, { access, folder, label }) => {
  const { url, options } = takeOptions(address, ["collection", "writesCollection"]);
  const name = options.collection ?? "checkpoints";
  const dbName = databaseOf(url);
  const writesName = options.writesCollection ?? "checkpoint_writes";
  const { MongoDBSaver } = await importInstalled<OfficialPackage>(folder, PACKAGE);
  // It works with the driver that it depends on, not with every other one.
  const driver = await importInstalled<MongoDriver>(installedFolder(folder, PACKAGE), "mongodb");
  const { client, db } = await connect(driver, url, dbName);
  if (access !== "write" && !(await hasCollection(db, name))) {
    await client.close();
    if (access === "absent-is-empty") return undefined;
    throw noCollection(name, dbName);
  }
  const saver = new MongoDBSaver({
    client,
    dbName,
    checkpointCollectionName: name,
    checkpointWritesCollectionName: writesName,
  });
  const tables = new Tables(db, name, writesName);
  return {
    kind: "official-mongodb",
    label,
    identity: label,
    saver,
    threads: ({ prefix = "" } = {}) => tables.threads(prefix),
    keys: (threadId) => tables.keys(threadId),
    taskWrites: async (tuple) => {
      const threadId = String(tuple.config.configurable?.["thread_id"]);
      return tables.writes(threadId, nameOf(tuple), saver);
    },
    checks: () => tables.checks(),
    close: () => client.close(),
  };
};

/** What the official saver itself cannot tell, from its collections. Never writes. */
class Tables {
  constructor(
    private readonly db: Db,
    private readonly checkpoints: string,
    private readonly writesName: string,
  ) {}

  /** Its `setup()` is not called by itself: without it every read goes through the whole collection. */
  async *checks(): AsyncGenerator<Check> {
    for (const name of [this.checkpoints, this.writesName]) {
      // Where nothing was written there is nothing to index.
      const found = (await hasCollection(this.db, name)) ? await this.db.collection(name).indexes() : [];
      const isIndexed = found.length === 0 || found.some(({ key }) => Object.keys(key)[0] === "thread_id");
      yield isIndexed
        ? ok("indexes", `${name} has one by thread`)
        : warn(
            "indexes",
            `${name} has none by thread: each checkpoint is looked for in the whole collection`,
            "Call `await saver.setup()` once; a copy from here is many times faster then.",
          );
    }
  }

  async *threads(prefix: string): AsyncGenerator<ThreadRow> {
    const wanted = { thread_id: { $type: "string", ...(prefix === "" ? {} : { $gte: prefix }) } };
    const pipeline: Document[] = [
      { $match: wanted },
      {
        $project: {
          thread_id: 1,
          checkpoint_ns: 1,
          checkpoint_id: 1,
          step: "$metadata_search.step",
          source: "$metadata_search.source",
          bytes: { $bsonSize: "$$ROOT" },
        },
      },
      { $sort: { thread_id: 1, checkpoint_id: 1 } },
      {
        $group: {
          _id: "$thread_id",
          checkpoints: { $sum: 1 },
          namespaces: { $addToSet: "$checkpoint_ns" },
          oldest: { $first: "$checkpoint_id" },
          newest: { $last: "$checkpoint_id" },
          step: { $last: "$step" },
          source: { $last: "$source" },
          bytes: { $sum: "$bytes" },
        },
      },
      { $sort: { _id: 1 } },
    ];
    const sizes = await this.#writeSizes(wanted);
    const cursor = this.db.collection(this.checkpoints).aggregate<Group>(pipeline, { allowDiskUse: true });
    for await (const { _id: threadId, namespaces, bytes, ...found } of cursor) {
      if (!threadId.startsWith(prefix)) continue;
      yield rowOf({
        ...found,
        threadId,
        namespaces: namespaces.length,
        bytes: bytes + (sizes.get(threadId) ?? 0),
      });
    }
  }

  async #writeSizes(wanted: Document): Promise<Map<string, number>> {
    const pipeline = [
      { $match: wanted },
      { $group: { _id: "$thread_id", bytes: { $sum: { $bsonSize: "$$ROOT" } } } },
    ];
    const groups = await this.db
      .collection(this.writesName)
      .aggregate<Pick<Group, "_id" | "bytes">>(pipeline, { allowDiskUse: true })
      .toArray();
    return new Map(groups.map(({ _id, bytes }) => [_id, bytes]));
  }

  /** Its index is not unique: what it stored twice is one checkpoint. */
  async *keys(threadId: string): AsyncGenerator<CheckpointName> {
    const cursor = this.db
      .collection<{ checkpoint_ns: string; checkpoint_id: string }>(this.checkpoints)
      .find({ thread_id: threadId }, { projection: { _id: 0, checkpoint_ns: 1, checkpoint_id: 1 } })
      .sort({ checkpoint_id: 1, checkpoint_ns: 1 })
      .allowDiskUse();
    let last: CheckpointName | undefined;
    for await (const { checkpoint_ns: namespace, checkpoint_id: checkpointId } of cursor) {
      if (last?.checkpointId === checkpointId && last.namespace === namespace) continue;
      last = { namespace, checkpointId };
      yield last;
    }
  }

  async writes(
    threadId: string,
    { namespace, checkpointId }: CheckpointName,
    saver: BaseCheckpointSaver,
  ): Promise<TaskWrites[]> {
    const found = await this.db
      .collection<StoredWrite>(this.writesName, { promoteBuffers: true })
      .find({ thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } as Document)
      .sort({ task_id: 1, idx: 1 })
      .toArray();
    return groupByTask(found, saver);
  }
}

interface Group {
  _id: string;
  checkpoints: number;
  namespaces: string[];
  oldest: string;
  newest: string;
  step: unknown;
  source: unknown;
  bytes: number;
}
