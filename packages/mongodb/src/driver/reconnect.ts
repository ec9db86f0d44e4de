import type { MongoClient } from "mongodb";

/** What the driver keeps of a connection, and its types do not show. */
interface Connected {
  topology?: { isDestroyed?(): boolean };
}

/**
 * The driver gives up a client whose very first connection fails: every later call is a MongoTopologyClosedError, also
 * when the server is there. `connect` starts it anew. A client that was closed has no topology left, and stays closed.
 */
export async function reconnecting<T>(client: MongoClient, attempt: () => Promise<T>): Promise<T> {
  if ((client as unknown as Connected).topology?.isDestroyed?.() === true) await client.connect();
  return attempt();
}
