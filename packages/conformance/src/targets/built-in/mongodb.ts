import { randomBytes } from "node:crypto";

import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { importInstalled } from "@langgraph-savers/command/modules";

import type { ConformanceTarget } from "../../scenario.js";
import { createOver, type Serde } from "../backend.js";
import type { TargetContext } from "../target-context.js";
import { TargetError } from "../target-error.js";

interface MongoClient {
  connect(): Promise<unknown>;
  close(): Promise<void>;
  db(name: string): { dropDatabase(): Promise<unknown> };
}

interface MongoDriver {
  MongoClient: new (uri: string) => MongoClient;
}

interface Params {
  client: MongoClient;
  dbName: string;
}

interface OfficialPackage {
  MongoDBSaver: new (params: Params, serde?: Serde) => BaseCheckpointSaver;
}

interface OwnPackage {
  MongoDBSaver: new (params: Params & { serde?: Serde }) => BaseCheckpointSaver;
}

type MakeSaver = (params: Params, serde: Serde | undefined) => BaseCheckpointSaver;

export async function officialMongodb(context: TargetContext): Promise<ConformanceTarget> {
  const { MongoDBSaver } = await importInstalled<OfficialPackage>(
    context.folder,
    "@langchain/langgraph-checkpoint-mongodb",
  );
  return mongoTarget("MongoDBSaver (official)", context, (params, serde) => new MongoDBSaver(params, serde));
}

export async function mongodb(context: TargetContext): Promise<ConformanceTarget> {
  const { MongoDBSaver } = await importInstalled<OwnPackage>(context.folder, "@langgraph-savers/mongodb");
  return mongoTarget(
    "MongoDBSaver",
    context,
    (params, serde) => new MongoDBSaver(serde === undefined ? params : { ...params, serde }),
  );
}

/** A database for each place; the server is the user's, so that only what was created is dropped. */
async function mongoTarget(
  name: string,
  { folder, env }: TargetContext,
  make: MakeSaver,
): Promise<ConformanceTarget> {
  const uri = env["MONGODB_URI"];
  if (uri === undefined || uri === "")
    throw new TargetError(`${name} needs a server: set MONGODB_URI, such as mongodb://localhost:27017`);
  const { MongoClient } = await importInstalled<MongoDriver>(folder, "mongodb");
  return {
    name,
    create: () =>
      createOver<string>({
        place: () => `conformance_${randomBytes(8).toString("hex")}`,
        async open(dbName, serde) {
          const client = new MongoClient(uri);
          await client.connect();
          return { saver: make({ client, dbName }, serde), close: () => client.close() };
        },
        async remove(dbName) {
          const client = new MongoClient(uri);
          try {
            await client.db(dbName).dropDatabase();
          } finally {
            await client.close();
          }
        },
      }),
  };
}
