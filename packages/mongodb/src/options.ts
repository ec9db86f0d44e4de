import { checkOptionNames, InvalidInputError, type SaverOptions } from "@langgraph-savers/core";
import type { MongoClient } from "mongodb";

/** Not the official saver's names: its collections are never written to. */
const DEFAULT_COLLECTION = "langgraph_checkpoints";
const DEFAULT_RETRY_MS = 30_000;
/** What MongoDB takes for a name, with room for the database's in front. */
const MAX_NAME_BYTES = 120;

/** Options that go with a client of yours and with `fromUri` alike. */
export interface MongoDBOptions extends SaverOptions {
  /** Default: the database in the client's connection string, or the driver's own default. */
  dbName?: string;
  /** The one collection of the saver. Default `"langgraph_checkpoints"`. */
  checkpointCollectionName?: string;
  /** Accepted for the sake of the official constructor: writes are kept beside their checkpoints. */
  checkpointWritesCollectionName?: string;
  /** Writes `upserted_at` into checkpoints and writes. Default `false`. */
  enableTimestamps?: boolean;
  /** Seconds after a thread's last put or putWrites until it is gone. Default: never. */
  ttl?: number;
  /** How long an operation is repeated while the server is away, in milliseconds. Default 30,000; 0: not at all. */
  retryTimeoutMs?: number;
}

/** What `new MongoDBSaver` takes: the names are those of the official saver. */
export interface MongoDBSaverParams extends MongoDBOptions {
  /** A client of the `mongodb` driver. The saver does not close it. */
  client: MongoClient;
}

export interface CheckedOptions {
  collectionName: string;
  ttl: number | undefined;
  timestamps: boolean;
  retryTimeoutMs: number;
  dbName: string | undefined;
}

/** The options with their defaults, or a clear error before anything is opened. */
export function checkOptions(options: MongoDBOptions & { client?: MongoClient }): CheckedOptions {
  checkOptionNames("MongoDBSaver", options, {
    client: true,
    dbName: true,
    checkpointCollectionName: true,
    checkpointWritesCollectionName: true,
    enableTimestamps: true,
    ttl: true,
    retryTimeoutMs: true,
  });
  const {
    dbName,
    checkpointCollectionName = DEFAULT_COLLECTION,
    ttl,
    retryTimeoutMs = DEFAULT_RETRY_MS,
  } = options;
  checkName("checkpointCollectionName", checkpointCollectionName);
  if (dbName !== undefined) checkName("dbName", dbName);
  if (options.checkpointWritesCollectionName !== undefined)
    checkName("checkpointWritesCollectionName", options.checkpointWritesCollectionName);
  if (ttl !== undefined && !(typeof ttl === "number" && ttl > 0 && ttl < 1e9))
    throw invalidOption("`ttl` must be a number of seconds above 0");
  if (!(typeof retryTimeoutMs === "number" && retryTimeoutMs >= 0))
    throw invalidOption("`retryTimeoutMs` must be a number of milliseconds, 0 or more");
  return {
    collectionName: checkpointCollectionName,
    ttl,
    timestamps: options.enableTimestamps === true,
    retryTimeoutMs,
    dbName,
  };
}

export function checkClient(client: unknown): asserts client is MongoClient {
  if (typeof (client as Partial<MongoClient> | undefined)?.db !== "function")
    throw invalidOption("`client` must be a MongoClient of the `mongodb` driver");
}

function checkName(option: string, name: unknown): void {
  const valid = typeof name === "string" && name !== "" && Buffer.byteLength(name) <= MAX_NAME_BYTES;
  if (!valid || /[$\0]/.test(name) || name.startsWith("system."))
    throw invalidOption(`\`${option}\` must be a name that MongoDB accepts`);
}

function invalidOption(what: string): InvalidInputError {
  return new InvalidInputError("INVALID_OPTION", `Invalid option: ${what}.`);
}
