// How the processes of a test open a collection that they share.
import { MongoDBSaver } from "@langgraph-savers/mongodb";

/** @param {{ uri: string, dbName: string, checkpointCollectionName: string }} place */
export function open({ uri, ...names }) {
  return MongoDBSaver.fromUri(uri, names);
}
