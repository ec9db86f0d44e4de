import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { StoreSaver } from "@langgraph-savers/core";
import { MongoClient, type MongoClientOptions } from "mongodb";

import { invalidUri } from "./driver/failure.js";
import { checkClient, checkOptions, type MongoDBOptions, type MongoDBSaverParams } from "./options.js";
import { MongoStore } from "./store/mongo-store.js";

/** Options of `MongoDBSaver.fromUri`. */
export interface MongoDBUriOptions extends MongoDBOptions {
  /** Passed on to the driver. */
  clientOptions?: MongoClientOptions;
}

/** Options of `setup`. */
export interface SetupOptions {
  /** Also shard the collection by thread; for a cluster, once, by a user who may. */
  shard?: boolean;
}

/** Clients that the saver itself made, and so closes. */
const owned = new WeakSet<MongoClient>();
const stores = new WeakMap<object, MongoStore>();

/** For the package's own functions over a saver; undefined for what is none. */
export function storeOf(saver: MongoDBSaver): MongoStore | undefined {
  return stores.get(saver);
}

/**
 * Keeps checkpoints in MongoDB, each value once. Takes the parameters of the official `MongoDBSaver`.
 *
 * @example
 * const saver = new MongoDBSaver({ client: new MongoClient("mongodb://localhost"), dbName: "app" });
 * const graph = builder.compile({ checkpointer: saver });
 */
export class MongoDBSaver extends StoreSaver {
  /** `serde` may come second, as the official saver has it. */
  constructor(params: MongoDBSaverParams, serde?: SerializerProtocol) {
    const checked = checkOptions(params);
    const { client } = params;
    checkClient(client);
    const chosen = serde ?? params.serde;
    const store = new MongoStore({ ...checked, client, ownsClient: owned.has(client) });
    // A document is found by its key, one by one: a quarter of them is read in half the time.
    super(store, chosen === undefined ? params : { ...params, serde: chosen }, { largeChunks: true });
    stores.set(this, store);
    // The server's logs and statistics then name the saver. Drivers before 6.18 cannot be told.
    (client as Partial<MongoClient>).appendMetadata?.({ name: "langgraph-savers" });
  }

  /** A saver with a client of its own, which `close()` closes. Connects on first use. */
  static fromUri(uri: string, options: MongoDBUriOptions = {}): MongoDBSaver {
    const { clientOptions, ...rest } = options ?? {};
    checkOptions(rest);
    const client = makeClient(uri, clientOptions);
    owned.add(client);
    return new MongoDBSaver({ ...rest, client });
  }

  /** Makes the indexes; called by itself on first use. With `shard`, spreads the collection over a cluster too. */
  override async setup(options: SetupOptions = {}): Promise<void> {
    await super.setup();
    if (options.shard === true) await storeOf(this)!.shard();
  }
}

function makeClient(uri: string, options: MongoClientOptions | undefined): MongoClient {
  try {
    return new MongoClient(uri, options);
  } catch {
    throw invalidUri();
  }
}
