import { leaseSuite, stressSuite, type SharedStore } from "@langgraph-savers/test/processes";
import { inject } from "vitest";

import { place } from "../support/place.js";

/** A collection that several processes use at once. */
const sharedCollection: SharedStore = {
  name: "MongoDBSaver",
  openModule: new URL("../support/open.mjs", import.meta.url).href,
  create: async () => {
    let clean = async (): Promise<void> => {};
    const { dbName, collectionName } = place({}, (whenDone) => (clean = whenDone));
    return {
      place: { uri: inject("mongodbUri"), dbName, checkpointCollectionName: collectionName },
      destroy: () => clean(),
    };
  },
};

stressSuite(sharedCollection);
leaseSuite(sharedCollection, 300);
