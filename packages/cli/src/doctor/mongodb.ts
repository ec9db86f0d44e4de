import { messageOf } from "@langgraph-savers/command/modules";
import type { Db, Document, MongoClient } from "mongodb";

import { formatBytes, formatCount } from "../render/units.js";
import { bad, clockCheck, info, ok, warn, type Check } from "./check.js";

/** As @langgraph-savers/mongodb makes them; its README lists them too. */
const INDEXES = ["savers_by_thread", "savers_by_checkpoint", "savers_threads", "savers_deleted"];
const EXPIRY_INDEX = "savers_expiry";
const ACTIONS = ["find", "insert", "update", "remove", "createIndex"];
const OLDEST = [4, 4];

export async function* mongoChecks(client: MongoClient, db: Db, collection: string): AsyncGenerator<Check> {
  yield* tolerant("server", () => server(db));
  yield* tolerant("clock", () => clock(db));
  yield* tolerant("indexes", () => indexes(db, collection));
  yield* tolerant("permissions", () => permissions(db, collection));
  yield concern(client);
  yield* tolerant("storage", () => storage(db, collection));
}

/** A user need not be allowed to ask: what cannot be found out is no fault of the store. */
async function* tolerant(name: string, look: () => Promise<Check>): AsyncGenerator<Check> {
  try {
    yield await look();
  } catch (error) {
    yield info(name, `cannot be found out: ${messageOf(error)}`);
  }
}

async function server(db: Db): Promise<Check> {
  const { version } = (await db.command({ buildInfo: 1 })) as { version: string };
  const hello = (await db.command({ hello: 1 })) as { setName?: string; msg?: string };
  const kind =
    hello.msg === "isdbgrid" ? "sharded cluster" : hello.setName === undefined ? "standalone" : "replica set";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < OLDEST[0]! || (major === OLDEST[0] && minor < OLDEST[1]!);
  if (isOld)
    return bad(
      "server",
      `MongoDB ${version}`,
      `Update the server: ${OLDEST.join(".")} is the oldest that works.`,
    );
  return ok("server", `MongoDB ${version}, ${kind}`);
}

async function clock(db: Db): Promise<Check> {
  const before = Date.now();
  const { localTime } = (await db.command({ hello: 1 })) as { localTime?: Date };
  if (localTime === undefined) return info("clock", "the server does not tell its time");
  return clockCheck((before + Date.now()) / 2 - localTime.getTime(), "the server");
}

async function indexes(db: Db, collection: string): Promise<Check> {
  const found = new Set((await db.collection(collection).indexes()).map(({ name }) => name));
  const missing = INDEXES.filter((name) => !found.has(name));
  const expiry = found.has(EXPIRY_INDEX) ? "; threads expire" : "";
  if (missing.length === 0) return ok("indexes", `all ${INDEXES.length} are there${expiry}`);
  return bad(
    "indexes",
    `missing: ${missing.join(", ")}`,
    "Call `await saver.setup()` as a user who may create indexes; any use of the saver does so too.",
  );
}

async function permissions(db: Db, collection: string): Promise<Check> {
  const { authInfo } = (await db.command({ connectionStatus: 1, showPrivileges: true })) as {
    authInfo: { authenticatedUsers: unknown[]; authenticatedUserPrivileges?: Document[] };
  };
  if (authInfo.authenticatedUsers.length === 0)
    return warn(
      "permissions",
      "the server asks for no user: whoever reaches it may do anything",
      "Turn on authentication, unless this server is for tests.",
    );
  const allowed = new Set(
    (authInfo.authenticatedUserPrivileges ?? [])
      .filter(({ resource }) => covers(resource as Resource, db.databaseName, collection))
      .flatMap(({ actions }) => actions as string[]),
  );
  const missing = ACTIONS.filter((action) => !allowed.has(action) && !allowed.has("anyAction"));
  if (missing.length === 0) return ok("permissions", "may read, write and create indexes");
  return bad(
    "permissions",
    `the user may not ${missing.join(", ")}`,
    `Grant the role readWrite on the database "${db.databaseName}".`,
  );
}

interface Resource {
  db?: string;
  collection?: string;
  anyResource?: boolean;
}

function covers({ db, collection, anyResource }: Resource, name: string, own: string): boolean {
  if (anyResource === true) return true;
  return (db === name || db === "") && (collection === own || collection === "");
}

function concern({ options }: MongoClient): Check {
  const { writeConcern, readPreference } = options;
  if (writeConcern?.w === 0)
    return bad("write concern", "w: 0 acknowledges nothing", "Take w=0 out of the connection string.");
  if (readPreference.mode.startsWith("secondary"))
    return warn(
      "read preference",
      readPreference.mode,
      "A resumed run may see an older checkpoint: read from the primary.",
    );
  return ok(
    "write concern",
    writeConcern === undefined ? "the saver's own: journaled, majority" : JSON.stringify(writeConcern),
  );
}

async function storage(db: Db, collection: string): Promise<Check> {
  const stats = (await db.command({ collStats: collection })) as {
    count: number;
    size: number;
    storageSize: number;
  };
  return info(
    "storage",
    `${formatCount(stats.count)} documents, ${formatBytes(stats.size)} of data, ${formatBytes(stats.storageSize)} on disk`,
  );
}
