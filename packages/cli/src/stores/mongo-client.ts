import { messageOf } from "@langgraph-savers/command/modules";
import type { Db, MongoClient, MongoClientOptions } from "mongodb";

import { CommandError, UsageError } from "../command/errors.js";

/** What of the driver is used: each store brings its own copy of it. */
export interface MongoDriver {
  MongoClient: new (uri: string, options?: MongoClientOptions) => MongoClient;
}

/** A person waits: not for the driver's half a minute. */
const PATIENCE_MS = 5000;

export interface Connection {
  client: MongoClient;
  db: Db;
}

/** A client that has reached its server, or an error that says what to look at. */
export async function connect(
  { MongoClient }: MongoDriver,
  uri: string,
  dbName: string,
): Promise<Connection> {
  const isPatient = /serverSelectionTimeoutMS=/i.test(uri);
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(uri, isPatient ? {} : { serverSelectionTimeoutMS: PATIENCE_MS });
    await client.connect();
    const db = client.db(dbName);
    await db.command({ ping: 1 });
    return { client, db };
  } catch (error) {
    await client?.close();
    throw new CommandError(
      `MongoDB cannot be used: ${messageOf(error)}. Look at the address, the user and whether the server is up.`,
      { cause: error },
    );
  }
}

/** The driver's own default, "test", is hardly ever meant. */
export function databaseOf(uri: string): string {
  const [, name] = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/i.exec(uri) ?? [];
  if (name === undefined) throw new UsageError("Name the database in the URL: mongodb://host:27017/database");
  return decodeURIComponent(name);
}

export async function hasCollection(db: Db, name: string): Promise<boolean> {
  return db.listCollections({ name }, { nameOnly: true }).hasNext();
}

export function noCollection(name: string, db: string): CommandError {
  return new CommandError(
    `There is no collection "${name}" in the database "${db}". Is the name right? ?collection=… names another one.`,
  );
}
