import { InvalidInputError } from "@langgraph-savers/core";
import type { CollectionOptions, MongoClient } from "mongodb";

/**
 * How the collection is read and written. What the client was told wins; what it was not told is what a checkpoint
 * needs: journaled, and where there are replicas acknowledged by a majority, read from the primary, nothing that a
 * failover could undo.
 *
 * A server without replicas is not asked for a majority: one was seen to acknowledge that before it had journaled.
 */
export function collectionOptions(client: MongoClient, replicated: boolean): CollectionOptions {
  const told = client.writeConcern;
  const { w = replicated ? "majority" : 1, journal = true, wtimeoutMS } = told ?? {};
  const readConcern =
    client.readConcern ?? (told === undefined && replicated ? { level: "majority" as const } : undefined);
  return {
    writeConcern: { w, journal, ...(wtimeoutMS === undefined ? {} : { wtimeoutMS }) },
    ...(readConcern === undefined ? {} : { readConcern }),
    readPreference: client.readPreference,
    // The client's own choices here would change what is stored, or the types of what is read.
    ignoreUndefined: false,
    serializeFunctions: false,
    promoteBuffers: true,
    promoteLongs: true,
    promoteValues: true,
    useBigInt64: false,
    bsonRegExp: false,
    raw: false,
  };
}

export function checkConcern(client: MongoClient): void {
  if (client.writeConcern?.w !== 0) return;
  throw new InvalidInputError(
    "INVALID_OPTION",
    "Invalid option: the client's write concern is w: 0, so that no put would ever hear of a failure. Use w: 1 or more.",
  );
}

/** True for a replica set and for a sharded cluster. */
export async function isReplicated(client: MongoClient): Promise<boolean> {
  const { setName, msg } = await client.db("admin").command({ hello: 1 });
  return setName !== undefined || msg === "isdbgrid";
}
