import type { GlobalSecondaryIndex } from "@aws-sdk/client-dynamodb";

/** A sparse index over checkpoints: those that have its key. Sorted by thread. */
export interface TableIndex {
  name: string;
  /** The attribute that is its partition key. */
  key: string;
}

export const THREAD_INDEX: TableIndex = { name: "threads", key: "ix" };
export const RUN_INDEX: TableIndex = { name: "runs", key: "rx" };

/** Beside the keys of table and index: ids that are too long for a key. */
export const INDEX_ATTRIBUTES = ["h", "n", "i"];

export function indexDefinition({ name, key }: TableIndex): GlobalSecondaryIndex {
  return {
    IndexName: name,
    KeySchema: [
      { AttributeName: key, KeyType: "HASH" },
      { AttributeName: "PK", KeyType: "RANGE" },
    ],
    Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: INDEX_ATTRIBUTES },
  };
}
