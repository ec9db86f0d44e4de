import { importInstalled } from "@langgraph-savers/command/modules";
import type * as MongoSavers from "@langgraph-savers/mongodb";

import { mongoChecks } from "../doctor/mongodb.js";
import { connect, databaseOf, hasCollection, noCollection, type MongoDriver } from "./mongo-client.js";
import type { Opener } from "./open.js";
import { threadsOf } from "./scan.js";
import { takeOptions } from "./url.js";

type MongoPackage = typeof MongoSavers;

/** As in @langgraph-savers/mongodb, which does not tell before it is used. */
const DEFAULT_COLLECTION = "langgraph_checkpoints";

/** `mongodb://host/db?collection=…`: the rest of the query is the driver's. */
export const openMongodb: Opener = async (address, { access, folder, label }) => {
  const { url, options } = takeOptions(address, ["collection"]);
  const name = options.collection ?? DEFAULT_COLLECTION;
  const dbName = databaseOf(url);
  // The driver first: without it the saver's package does not load either.
  const driver = await importInstalled<MongoDriver>(folder, "mongodb");
  const { MongoDBSaver } = await importInstalled<MongoPackage>(folder, "@langgraph-savers/mongodb");
  const { client, db } = await connect(driver, url, dbName);
  if (access !== "write" && !(await hasCollection(db, name))) {
    await client.close();
    if (access === "absent-is-empty") return undefined;
    throw noCollection(name, dbName);
  }
  const saver = new MongoDBSaver({ client, dbName, checkpointCollectionName: name });
  return {
    kind: "mongodb",
    label,
    identity: label,
    saver,
    threads: (threadOptions) => threadsOf(saver, threadOptions),
    taskWrites: (tuple) => saver.taskWrites(tuple),
    checks: () => mongoChecks(client, db, name),
    async close() {
      await saver.close();
      await client.close();
    },
  };
};
