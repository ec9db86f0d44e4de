import type { Io } from "../command/io.js";
import { redactUrls } from "./redact.js";
import type { OpenStore, StoreKind } from "./store.js";
import { parseStoreUrl } from "./url.js";

/**
 * How a store is opened. `"read"`: it must be there, and is not created by being looked at. `"write"`: it may be new.
 * `"absent-is-empty"`: it is only looked at, and need not be there.
 */
export type Access = "read" | "write" | "absent-is-empty";

interface OpenContext {
  access: Access;
  label: string;
  folder: string;
  env: NodeJS.ProcessEnv;
}

/** Opens what is behind the scheme of a URL; undefined for what is absent and may be. */
export type Opener = (address: string, context: OpenContext) => Promise<OpenStore | undefined>;

/** Each loads its package, and its driver, only when a URL asks for it. */
const openers: Record<StoreKind, () => Promise<Opener>> = {
  file: async () => (await import("./file.js")).openFile,
  mongodb: async () => (await import("./mongodb.js")).openMongodb,
  dynamodb: async () => (await import("./dynamodb.js")).openDynamodb,
  "official-mongodb": async () => (await import("./official-mongodb.js")).openOfficialMongodb,
  "official-sqlite": async () => (await import("./official-sqlite.js")).openOfficialSqlite,
  module: async () => (await import("./module.js")).openModule,
};

export async function openIfThere(url: string, access: Access, io: Io): Promise<OpenStore | undefined> {
  const { kind, address } = parseStoreUrl(url);
  const open = await openers[kind]();
  return open(address, { access, label: redactUrls(url), folder: io.folder, env: io.env });
}

/** Opens a store, runs the work with it, and closes it whatever happens. */
export async function withStore<T>(
  url: string,
  access: Exclude<Access, "absent-is-empty">,
  io: Io,
  work: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const store = await openIfThere(url, access, io);
  // Only `absent-is-empty` has nothing to open.
  if (store === undefined) throw new Error("The store is absent.");
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
