import { InvalidInputError } from "@langgraph-savers/core";
import type { CollectionOptions, MongoClient } from "mongodb";

/**
 * How the collection is read and written. What the client was told wins; what it was not told is what a checkpoint
 * needs: acknowledged by a majority and journaled, read from the primary, nothing that a failover could undo.
 */
export function collectionOptions(client: MongoClient): CollectionOptions {
  const told = client.writeConcern;
  if (told?.w === 0) {
    throw new InvalidInputError(
      "INVALID_OPTION",
      "Invalid option: the client's write concern is w: 0, so that no put would ever hear of a failure. Use w: 1 or more.",
    );
  }
  const readConcern = client.readConcern ?? (told === undefined ? { level: "majority" as const } : undefined);
  return {
    writeConcern: { w: "majority", ...told, journal: told?.journal ?? true },
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
